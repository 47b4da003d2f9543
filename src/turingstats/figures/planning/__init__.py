"""Figures of a study to come."""
