"""Many trees from one table: which rows each sees, how they grow, what they say together."""
