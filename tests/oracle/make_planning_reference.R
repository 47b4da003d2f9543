# Reference values of tests/oracle/test_planning_against_r.py: group-sequential boundaries by rpact, exact power of
# the binomial and of McNemar's test by enumeration with base R, and power of mixed models that lme4 fits to
# studies simulated here (as simr does).
#   Rscript tests/oracle/make_planning_reference.R > tests/oracle/planning_reference.json
# The last part takes ten minutes. rpact and lme4 come from Debian: r-cran-rpact, r-cran-lme4.
suppressPackageStartupMessages({
  library(rpact)
  library(lme4)
})

kinds <- c(obrien_fleming = "OF", pocock = "P", spending_obrien_fleming = "asOF", spending_pocock = "asP")
design <- function(kind, fractions, sides, alpha, power) {
  plan <- getDesignGroupSequential(
    informationRates = fractions, alpha = alpha, beta = 1 - power, sided = sides,
    typeOfDesign = kinds[[kind]], tolerance = 1e-10
  )
  told <- getDesignCharacteristics(plan)
  list(kind = kind, fractions = fractions, sides = sides, alpha = alpha, power = power,
       z = plan$criticalValues, spent = plan$alphaSpent, inflation = told$inflationFactor,
       expected_null = told$averageSampleNumber0, expected_effect = told$averageSampleNumber1)
}
boundaries <- list()
for (kind in names(kinds)) for (sides in 1:2) {
  for (looks in 2:5) boundaries <- c(boundaries, list(design(kind, (1:looks) / looks, sides, 0.05, 0.8)))
  if (startsWith(kind, "spending"))
    boundaries <- c(boundaries, list(design(kind, c(0.3, 0.45, 0.9, 1), sides, 0.01, 0.9)))
}

exact_binomial <- function(n, rate, alpha) {
  rejected <- sapply(0:n, function(k) binom.test(k, n)$p.value < alpha)
  list(n = n, rate = rate, alpha = alpha, power = sum(dbinom(0:n, n, rate)[rejected]))
}
single <- Map(exact_binomial, c(5, 6, 24, 50, 97, 200), c(0.9, 0.9, 0.7, 0.65, 0.65, 0.4), c(0.05, 0.05, 0.01, 0.05, 0.05, 0.05))

mcnemar <- function(pairs, only_first, only_second, alpha) {
  differ <- only_first + only_second
  power <- 0
  for (m in 1:pairs) power <- power + dbinom(m, pairs, differ) * exact_binomial(m, only_first / differ, alpha)$power
  list(pairs = pairs, only_first = only_first, only_second = only_second, alpha = alpha, power = power)
}
paired <- Map(mcnemar, c(20, 100, 231), c(0.4, 0.3, 0.302), c(0.1, 0.15, 0.172), 0.05)

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
  R = R.version.string, rpact = version("rpact"), lme4 = version("lme4"),
  boundaries = boundaries, binomial = single, mcnemar = paired,
  mixed = mixed
), auto_unbox = TRUE, digits = NA, pretty = TRUE), "\n")
