"""Statistics of arrays, independent of studies.

In all functions `level` is the confidence level of intervals, `rng` the random generator, and
`n_resamples` or `n_bootstrap` the number of random draws.
"""
