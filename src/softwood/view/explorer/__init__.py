"""The explorer: one HTML file in which a model can be looked at, and rows be moved through it."""
