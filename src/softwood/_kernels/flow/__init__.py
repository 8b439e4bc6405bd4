"""Flows: how the mass of a row goes down a tree, whole or in parts."""
