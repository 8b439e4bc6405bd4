"""Blurred rows: shares, sweeps and greedy growth on vicinal risk."""
