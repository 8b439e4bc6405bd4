"""Compiled kernels: plain arrays in, plain arrays or numbers out."""
