"""Size of the pictures that scan paths lie on."""

SCREEN = 1280, 1024
"""Width and height, in pixels."""
