"""The nearest row with another answer, among the cells that the cuts of hard trees make."""
