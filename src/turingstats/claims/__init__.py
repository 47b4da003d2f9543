"""Published numbers next to recomputed ones, and what follows."""
