"""Size of the pictures that scan paths are on."""

SCREEN = 1280, 1024
"""Width and height, in pixels."""
