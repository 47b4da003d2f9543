"""The declared tests of a study, each in its published and its recommended reading.

A study file declares what is compared (`turingstats.config.study.Comparison`) and how each reading does it
(`turingstats.config.study.Procedure`). One declared test is one function, decorated with
`turingstats.analysis.comparisons.registry.declare_test`, in the module of its kind; `compare.py` finds it by
name and writes its rows of tests.csv. To add a test, write such a function, and add its name to
`Procedure.test` and, in words, to `turingstats.core.labels.TESTS`.

The unit is the judge for rank tests, permutation tests and trend lines: one value, or one row of counts, per
judge. It is the agent for a correlation with a score. It is the trial for t-tests and analyses of variance,
which the published reading applies as if all trials were independent.
"""
