"""Binomial (logit) regressions of verdicts: mixed models, and generalized linear ones.

One interface, `turingstats.stats.mixed.fit.fit_model`, whatever the engine. A formula such as
``said_machine ~ agent + (1 | judge) + (1 | stimulus)`` with terms in brackets is a mixed model and fitted by
glmm (maximum likelihood, Laplace approximation or adaptive Gauss-Hermite quadrature, as lme4); one without is
a generalized linear model and fitted by statsmodels, with errors that allow for clusters where `cluster`
names them. `turingstats.stats.mixed.crosscheck` fits the same mixed model with gpboost, an unrelated program.

The response is a column of 0 and 1 (or of booleans), or ``cbind(successes, failures)``. Text columns are
factors, compared with their first level. Nothing that goes wrong is hidden: see
`turingstats.stats.mixed.fit.Fit.notes`.
"""

import os

# Threads of glmm, which reads this when it starts them: with more than one, they wait for each other longer
# than they work.
os.environ.setdefault("RAYON_NUM_THREADS", "1")
