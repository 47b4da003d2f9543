# Reference values of tests/oracle/test_cumulative_against_r.py: cumulative-link models and probit
# models (ordinal 2022.11, lme4).
#   Rscript tests/oracle/make_cumulative_reference.R > tests/oracle/cumulative_reference.json
# Ratings and verdicts are simulated here: judges and stimuli differ, and each judge sees half of the stimuli.
suppressMessages({library(jsonlite); library(ordinal); library(lme4)})

simulate <- function(seed, judges, stimuli, cuts, effects, spread, noise, stretch = 1, slope = 0) {
  set.seed(seed)
  agents <- c("human", names(effects))
  of_stimulus <- rep_len(agents, stimuli)
  shift <- c(human = 0, effects)[of_stimulus] + rnorm(stimuli, 0, spread[2])
  rows <- do.call(rbind, lapply(seq_len(judges), function(j) {
    shown <- sort(sample(stimuli, stimuli / 2))
    machine <- of_stimulus[shown] != "human"
    data.frame(judge = j, stimulus = shown, agent = of_stimulus[shown],
               latent = rnorm(1, 0, spread[1]) + rnorm(1, 0, slope) * (machine - 0.5) + shift[shown] +
                 noise(length(shown)) * ifelse(machine, stretch, 1))
  }))
  rows$rating <- 1 + findInterval(rows$latent, cuts)
  rows$agent <- factor(rows$agent, levels = agents)
  rows$x <- (rows$agent != "human") - 0.5
  rows
}

describe <- function(name, rows, link, random, ...) {
  c(list(name = name, link = link, random = random, judge = rows$judge, stimulus = rows$stimulus,
         agent = as.character(rows$agent), rating = rows$rating), list(...))
}

mixed_case <- function(name, rows, link, formula, random) {
  rows$answer <- factor(rows$rating, ordered = TRUE)
  rows$judge <- factor(rows$judge); rows$stimulus <- factor(rows$stimulus)
  # Below 1e-6, the inner iterations stop early, and errors are 2% off.
  fit <- clmm(formula, data = rows, link = link, control = clmm.control(gradTol = 1e-5))
  sds <- sapply(VarCorr(fit), function(v) sqrt(v[1, 1]))
  se <- sqrt(diag(vcov(fit)))
  describe(name, rows, link, random, coefficients = as.list(fit$beta), thresholds = unname(fit$alpha),
           se = unname(c(se[names(fit$beta)], se[names(fit$alpha)])), sd = as.list(sds),
           loglik = as.numeric(logLik(fit)))
}

scale_case <- function(name, rows) {
  rows$answer <- factor(rows$rating, ordered = TRUE)
  fit <- clm(answer ~ agent, scale = ~ agent, data = rows, link = "probit", control = clm.control(gradTol = 1e-10))
  se <- sqrt(diag(vcov(fit)))
  describe(name, rows, "probit", list(), coefficients = as.list(fit$beta), thresholds = unname(fit$alpha),
           log_scale = as.list(fit$zeta), loglik = as.numeric(logLik(fit)),
           se = unname(se[c(seq_along(fit$beta) + length(fit$alpha), seq_along(fit$alpha),
                            length(fit$alpha) + length(fit$beta) + seq_along(fit$zeta))]))
}

# lme4 takes the expected curvature where ordinal, and the Laplace approximation proper, take the observed one; both
# are the same for logit links only.
verdict_case <- function(name, rows, random) {
  rows$machine <- rows$rating - 1
  rows$answer <- factor(rows$rating, ordered = TRUE)
  rows$judge <- factor(rows$judge); rows$stimulus <- factor(rows$stimulus)
  fit <- clmm(as.formula(paste("answer ~ x +", random)), data = rows, link = "probit",
              control = clmm.control(gradTol = 1e-5))
  other <- glmer(as.formula(paste("machine ~ x +", random)), data = rows, family = binomial("probit"),
                 control = glmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5)))
  by_judge <- VarCorr(fit)$judge
  sds <- list(judge = unname(attr(by_judge, "stddev")), correlation = attr(by_judge, "correlation")[1, 2])
  if ("stimulus" %in% names(VarCorr(fit))) sds$stimulus <- unname(attr(VarCorr(fit)$stimulus, "stddev"))
  describe(name, rows, "probit", list(), estimate = unname(c(-fit$alpha, fit$beta)),
           se = unname(sqrt(diag(vcov(fit)))[1:2]), sd = sds, loglik = as.numeric(logLik(fit)),
           lme4 = unname(fixef(other)), lme4_se = unname(sqrt(diag(as.matrix(vcov(other))))))
}

seven <- simulate(3, 30, 40, seq(-1.8, 2.2, length.out = 6), c(a = 0.5, b = 1.5), c(0.6, 0.7), rlogis)
five <- simulate(5, 24, 30, c(-1, -0.3, 0.4, 1.1), c(a = 0.4, b = 0.9), c(0.5, 0.4), rnorm)
unequal <- simulate(6, 20, 40, c(-1, -0.2, 0.5, 1.4), c(a = 0.8), c(0.2, 0.2), rnorm, stretch = 1.5)
verdicts <- simulate(8, 60, 40, 0.3, c(a = 0.7, b = 1.2), c(0.4, 0.3), rnorm, slope = 0.6)
cat(toJSON(list(
  R = R.version.string, ordinal = as.character(packageVersion("ordinal")), lme4 = as.character(packageVersion("lme4")),
  ratings = list(
    mixed_case("logit, judges", seven, "logit", answer ~ agent + (1 | judge), list("judge")),
    mixed_case("logit, judges and stimuli", seven, "logit", answer ~ agent + (1 | judge) + (1 | stimulus),
               list("judge", "stimulus")),
    mixed_case("probit, judges and stimuli", five, "probit", answer ~ agent + (1 | judge) + (1 | stimulus),
               list("judge", "stimulus")),
    scale_case("unequal variance", unequal)),
  verdicts = list(
    verdict_case("judges", verdicts, "(1 + x | judge)"),
    verdict_case("judges and stimuli", verdicts, "(1 + x | judge) + (1 | stimulus)"))),
  auto_unbox = TRUE, digits = NA, na = "null"), "\n")
