"""Figures; each module has `draw(data)`.

A figure of panels is drawn by `turingstats.figures.grid`, with the layout in the study file.
"""
