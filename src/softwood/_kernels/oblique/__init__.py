"""Hyperplanes: lines to move them along, what they are worth, and how they are settled."""
