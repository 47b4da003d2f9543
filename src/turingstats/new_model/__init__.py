"""A page on how human-like the responses of a new model are."""
