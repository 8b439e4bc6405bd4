"""Soft trees in training: annealing, and descent by slopes."""
