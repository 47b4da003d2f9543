"""Binomial (logit) regressions of verdicts: mixed models, and generalized linear ones.

`turingstats.stats.mixed.fit.fit_model` is the interface. A formula with terms in parentheses,
such as ``said_machine ~ agent + (1 | judge) + (1 | stimulus)``, is a mixed model and is fitted by
`turingstats.stats.mixed.maximum` (maximum likelihood, Laplace approximation or adaptive Gauss-Hermite
quadrature, like lme4). A formula without them is a generalized linear model and is fitted by statsmodels,
with cluster-robust errors if `cluster` is given.

The response is a column of 0 and 1 (or of booleans), or ``cbind(successes, failures)``. Text columns are
factors, compared with their first level; `a:b` and `a*b` are interactions. All problems of a fit are reported
in `turingstats.stats.mixed.fit.Fit.notes`.
"""
