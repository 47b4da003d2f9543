"""Statistics of arrays, which know nothing of studies."""
