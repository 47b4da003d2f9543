"""One module a published figure; each has `draw(data, colormap)` and the places of its panels."""
