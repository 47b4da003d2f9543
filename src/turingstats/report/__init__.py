"""Pages that put the results together."""
