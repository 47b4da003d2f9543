"""Figures; each module has `draw(data)`.

A figure of panels is drawn by `panels_in_rows`, with the layout in the study file.
"""
