"""What a drawn figure says, and whether it can be read."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text


def list_texts(figure):
    found = figure.findobj(lambda artist: isinstance(artist, Text) and artist.get_visible())
    return [text for text in found if text.get_text().strip() and is_shown(text)]


def is_shown(text):
    """Whether a text is drawn: the axes of a page are switched off, and their labels with them."""
    axes = text.axes
    return axes is None or axes.axison or text in axes.texts


def list_words(figure):
    return [text.get_text() for text in list_texts(figure)]


def assert_legible(figure):
    """No text under 6 pt, none over another, none cut off."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw_without_rendering()
    found = list_texts(figure)
    assert min(text.get_fontsize() for text in found) >= 6
    left, bottom, right, top = np.array(
        [text.get_window_extent(renderer).extents for text in found]
    ).T
    cut = (left < 0) | (bottom < 0) | (right > figure.bbox.width) | (top > figure.bbox.height)
    assert not [text.get_text() for text, out in zip(found, cut, strict=True) if out]
    # A line's box is taller than its letters: lines may share a sliver.
    across = np.minimum.outer(right, right) - np.maximum.outer(left, left)
    down = np.minimum.outer(top, top) - np.maximum.outer(bottom, bottom)
    over = (across > 0.5) & (down > 0.25 * np.minimum.outer(top - bottom, top - bottom))
    pairs = zip(*np.nonzero(np.triu(over, 1)), strict=True)
    assert not [(found[one].get_text(), found[other].get_text()) for one, other in pairs]
