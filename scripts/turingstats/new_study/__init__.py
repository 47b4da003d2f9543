"""A starting study file for a table of one's own."""
