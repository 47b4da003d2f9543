"""Rates, detectability and their errors, for every cohort, group of judges and agent.

A confusion matrix is four of these rates: P(H|H) and P(M|H) of people's responses, P(H|M) and P(M|M)
of an agent's. Detectability is (P(H|H) + P(M|M)) / 2.

Two readings. The published one rounds rates to two decimals before detectability is formed, gives a
rate the standard error over trials, and detectability the spread of half-samples. The recommended one
rounds nothing and resamples judges, because the trials of one judge are not independent; Wilson
intervals, which take them as independent, are given next to it for comparison. Where a few stimuli are judged
by many, a task may declare that stimuli are resampled as well (`resample` of the study file).

A judge may be `unsure`. Rates are shares of the verdicts that took a side, as signal detection has
it; the unsure share of all verdicts is a quantity of its own, p_UH or p_UM; and `identified` is
detectability with `unsure` counted as not identified. Where any verdict is unsure, the recommended
reading has them all.
"""
