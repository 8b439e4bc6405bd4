"""What the columns of users' tables are, and how they become features."""
