"""Statistics of arrays, independent of studies."""
