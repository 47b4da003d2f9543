"""Observed trials that come with the project, in its own tables (`turingstats.observed`)."""

from turingstats.observed import read_table as read

__all__ = ["read"]
