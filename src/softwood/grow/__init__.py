"""Growers: a training set becomes a tree."""
