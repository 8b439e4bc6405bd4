"""The papers behind softwood: their tables and figures, run again.

To add a paper, write a package with its printed numbers as CSV files, one module for each
table or figure, and ``PAPER``; then name it in ``paper.KEYS``.
"""
