"""Figures: pick their numbers from results, place their panels, draw."""
