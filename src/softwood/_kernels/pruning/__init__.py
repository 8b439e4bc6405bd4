"""Pruning: what a node expects to err, and which subtrees it gives up."""
