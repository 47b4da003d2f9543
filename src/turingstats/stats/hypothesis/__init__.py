"""Statistical tests of arrays, each returning a `turingstats.stats.hypothesis.outcome.Outcome`.

The tests themselves come from scipy, statsmodels and pingouin. Here, in one place for the whole project,
missing values are removed and counted, equal fractions are made to tie, every test reports an effect, and
every result names the library, version and options used.
"""
