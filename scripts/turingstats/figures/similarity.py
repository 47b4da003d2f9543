"""Figures."""
def draw(data, colormap):
    return None
