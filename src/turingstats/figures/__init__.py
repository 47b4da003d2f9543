"""Figures: select numbers from results, lay out panels, draw."""
