# Reference values of tests/oracle/test_clustered_against_r.py: errors corrected for unequal numbers of verdicts, and
# their degrees of freedom, by clubSandwich.
#   Rscript tests/oracle/make_clustered_reference.R > tests/oracle/clustered_reference.json
# Regressions of a verdict on groups; clusters are judges. "related" is the correlation of the verdicts of a judge in
# the working model: 0 is plain CR2 with the degrees of freedom of Bell and McCaffrey.
suppressPackageStartupMessages(library(clubSandwich))

measure <- function(judge, group, y, weights, related) {
  group <- factor(group)
  # Coefficients: the mean, the difference of two groups, or the mean of two.
  differs <- any(weights < 0)
  coding <- list(group = if (differs) "contr.treatment" else "contr.sum")
  fit <- if (nlevels(group) > 1) lm(y ~ group, contrasts = coding) else lm(y ~ 1)
  target <- if (related == 0) NULL else lapply(split(seq_along(y), judge), function(rows) {
    n <- length(rows)
    (1 - related) * diag(n) + related * matrix(1, n, n)
  })
  V <- vcovCR(fit, cluster = judge, type = "CR2", target = target)
  test <- coef_test(fit, vcov = V, test = "Satterthwaite")[1 + differs, ]
  list(judge = judge, group = as.integer(group), y = y, weights = weights, related = related,
       estimate = test$beta, se = test$SE, df = test$df_Satt)
}

set.seed(44)
draw <- function(numbers, groups_of) {
  judge <- rep(seq_along(numbers), numbers)
  group <- groups_of(judge)
  y <- as.numeric(runif(length(judge)) < plogis(0.3 + rnorm(length(numbers))[judge]))
  list(judge = judge, group = group, y = y)
}
zipf <- pmax(1, round(60 / seq_len(12)))
between <- function(judge) judge %% 2
within <- function(judge) rep(0:1, length.out = length(judge))
none <- function(judge) rep(0, length(judge))
cases <- list()
for (related in c(0, 0.2)) {
  d <- draw(zipf, none)
  cases[[length(cases) + 1]] <- measure(d$judge, d$group, d$y, 1, related)
  d <- draw(zipf, between)
  cases[[length(cases) + 1]] <- measure(d$judge, d$group, d$y, c(-1, 1), related)
}
d <- draw(rep(4, 8), none)
cases[[length(cases) + 1]] <- measure(d$judge, d$group, d$y, 1, 0)
d <- draw(zipf, within)
cases[[length(cases) + 1]] <- measure(d$judge, d$group, d$y, c(0.5, 0.5), 0)
cat(jsonlite::toJSON(list(R = R.version.string, clubSandwich = as.character(packageVersion("clubSandwich")),
                          cases = cases), auto_unbox = TRUE, digits = 15), "\n")
