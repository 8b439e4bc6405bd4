"""Growth of axis-parallel trees: columns in order, scans for cuts, and who chooses."""
