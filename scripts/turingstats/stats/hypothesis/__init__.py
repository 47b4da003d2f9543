"""Statistical tests: numbers in, one `turingstats.stats.hypothesis.outcome.Outcome` out.

The tests themselves are those of scipy, statsmodels and pingouin. What is added here is done once for the
whole project: missing values are removed and counted, equal fractions are made to tie, every test
reports an effect, and every result names the library, version and options it came from.
"""
