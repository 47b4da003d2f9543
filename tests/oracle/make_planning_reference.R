# Reference values of tests/oracle/test_planning_against_r.py: power of mixed models that lme4 fits to studies
# simulated here (as simr does).
#   Rscript tests/oracle/make_planning_reference.R > tests/oracle/planning_reference.json
# It takes ten minutes. lme4 comes from Debian: r-cran-lme4.
suppressPackageStartupMessages(library(lme4))

# One study: judges see stimuli out of one set, half of them responses of people.
simulate_verdicts <- function(case) {
  trials <- do.call(rbind, lapply(seq_len(case$judges), function(judge) {
    data.frame(judge = judge, stimulus = sample(case$stimuli, case$trials),
               machine = rep(0:1, length.out = case$trials))
  }))
  constants <- case$constants[trials$machine + 1]
  effect <- rnorm(case$judges, 0, case$judge)[trials$judge] +
    matrix(rnorm(2 * case$judges, 0, case$judge_made_by), ncol = 2)[cbind(trials$judge, trials$machine + 1)] +
    rnorm(case$stimuli, 0, case$stimulus)[trials$stimulus]
  trials$human <- rbinom(nrow(trials), 1, plogis(constants + effect))
  trials
}
test_by_model <- function(case) {
  data <- simulate_verdicts(case)
  fit <- suppressMessages(suppressWarnings(glmer(
    human ~ machine + (1 | judge) + (1 | judge:machine) + (1 | stimulus), data, binomial
  )))
  coef(summary(fit))["machine", "Pr(>|z|)"] < 0.05
}
find_constant <- function(rate, spread) uniroot(function(c) {
  integrate(function(x) plogis(c + spread * x) * dnorm(x), -9, 9)$value - rate
}, c(-20, 20), tol = 1e-10)$root
grid <- list(
  list(judges = 20, trials = 20, stimuli = 40, rates = c(0.55, 0.42), judge = 0.6, judge_made_by = 0.3, stimulus = 0.4),
  list(judges = 40, trials = 20, stimuli = 40, rates = c(0.55, 0.45), judge = 0.6, judge_made_by = 0.3, stimulus = 0.4),
  list(judges = 80, trials = 10, stimuli = 100, rates = c(0.6, 0.5), judge = 1, judge_made_by = 0, stimulus = 0.8),
  list(judges = 40, trials = 20, stimuli = 40, rates = c(0.5, 0.5), judge = 0.6, judge_made_by = 0.3, stimulus = 0.4)
)
set.seed(2025)
studies <- 300
mixed <- lapply(grid, function(case) {
  spread <- sqrt(case$judge^2 + case$judge_made_by^2 + case$stimulus^2)
  case$constants <- sapply(case$rates, find_constant, spread = spread)
  c(case, studies = studies, rejected = sum(replicate(studies, test_by_model(case))))
})

version <- function(name) as.character(packageVersion(name))
cat(jsonlite::toJSON(list(
  R = R.version.string, lme4 = version("lme4"),
  mixed = mixed
), auto_unbox = TRUE, digits = NA, pretty = TRUE), "\n")
