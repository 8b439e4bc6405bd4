"""Packed trees: forests in few bytes, and many rows down them."""
