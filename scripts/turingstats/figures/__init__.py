"""One module a figure; each has `draw(data, colormap)`.

A folder a study holds its own figures, with the places of their panels; modules here serve every study.
"""
