"""Users' tables, and how they become arrays."""
