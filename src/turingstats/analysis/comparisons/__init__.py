"""The declared tests of a study, each in its published and its recommended reading.

One declared test is one function, decorated with `declare_test` (`registry.py`), in the module of its kind;
`compare.py` finds it by name and writes its rows of tests.csv.

The unit is the judge for rank tests, permutation tests and trend lines: one value, or one row of counts, per
judge. It is the agent for a correlation with a score. It is the trial for t-tests and analyses of variance,
which the published reading applies as if all trials were independent.
"""
