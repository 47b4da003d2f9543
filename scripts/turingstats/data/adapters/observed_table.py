"""Observed trials that come with the project, in its own tables (`turingstats.data.observed`)."""

from turingstats.data.observed import read_table as read

__all__ = ["read"]
