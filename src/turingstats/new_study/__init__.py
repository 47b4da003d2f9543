"""A starting study file for a user's own table."""
