"""Rates, detectability and their errors, for every cohort, group of judges and agent.

A confusion matrix consists of four rates: P(H|H) and P(M|H) for people's responses, P(H|M) and P(M|M)
for an agent's. Detectability is (P(H|H) + P(M|M)) / 2.

There are two readings. The published one rounds rates to two decimals before computing detectability; the
error of a rate is the standard error over trials, that of detectability the spread of half-samples. The
recommended one does not round; judges and stimuli are both samples, and errors are over both, as far as
stimuli are known (`turingstats.stats.crossed`). Wilson intervals, which assume independent trials, are given
next to it for comparison.

A judge may be `unsure`. Rates are shares of the verdicts human or machine, as usual in signal detection.
The share of `unsure` among all verdicts is a separate quantity, p_UH or p_UM, and `identified` is
detectability with `unsure` counted as not identified; p_HH_all and p_HM_all are shares judged human of all
verdicts. If any verdict is unsure, the recommended reading
includes all of these.
"""
