"""Refiners: a tree (and data) becomes another tree."""
