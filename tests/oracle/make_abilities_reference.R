# Reference values of tests/oracle/test_abilities_against_r.py: correlation of two abilities.
#   Rscript tests/oracle/make_abilities_reference.R > tests/oracle/abilities_reference.json
# Likelihoods by nested adaptive quadrature (integrate) and their maximum (optim); beside them lme4's, which
# takes the Laplace approximation. The data are simulated here.
suppressMessages({library(jsonlite); library(lme4)})

simulate_people <- function(seed, people, verdicts, mean, sd, r) {
  set.seed(seed)
  one <- rnorm(people)
  other <- r * one + sqrt(1 - r^2) * rnorm(people)
  n <- matrix(sample(verdicts, 2 * people, replace = TRUE), people)
  k <- cbind(rbinom(people, n[, 1], plogis(mean[1] + sd[1] * one)),
             rbinom(people, n[, 2], plogis(mean[2] + sd[2] * other)))
  list(k = k, n = n)
}
loglik <- function(data, mean, sd, r) {
  of_person <- function(i) {
    inner <- function(z) sapply(z, function(a) {
      other <- integrate(function(b) dbinom(data$k[i, 2], data$n[i, 2],
                                            plogis(mean[2] + sd[2] * (r * a + sqrt(1 - r^2) * b))) *
                           dnorm(b), -8, 8, rel.tol = 1e-9)$value
      other * dbinom(data$k[i, 1], data$n[i, 1], plogis(mean[1] + sd[1] * a)) * dnorm(a)
    })
    log(integrate(inner, -8, 8, rel.tol = 1e-9)$value)
  }
  sum(sapply(seq_len(nrow(data$k)), of_person))
}
best <- function(data) {
  found <- optim(c(0, 0, log(0.7), log(0.7), 0.5), function(x)
    -loglik(data, x[1:2], exp(x[3:4]), tanh(x[5])), method = "BFGS", control = list(reltol = 1e-10))
  list(mean = found$par[1:2], sd = exp(found$par[3:4]), correlation = tanh(found$par[5]),
       loglik = -found$value)
}
by_lme4 <- function(data) {
  people <- nrow(data$k)
  rows <- do.call(rbind, lapply(1:2, function(t) do.call(rbind, lapply(seq_len(people), function(i)
    data.frame(person = i, task = factor(t, levels = 1:2),
               right = rep(1:0, c(data$k[i, t], data$n[i, t] - data$k[i, t])))))))
  fit <- glmer(right ~ 0 + task + (0 + task | person), rows, family = binomial)
  spread <- VarCorr(fit)$person
  list(mean = unname(fixef(fit)), sd = unname(attr(spread, "stddev")),
       correlation = attr(spread, "correlation")[1, 2])
}
points <- list(list(mean = c(0.3, 0.5), sd = c(0.9, 0.6), correlation = 0.5),
               list(mean = c(0, 0), sd = c(0.3, 1.2), correlation = -0.8),
               list(mean = c(1, -0.2), sd = c(0.5, 0.5), correlation = 0))
cases <- list(strong = simulate_people(3, 40, 30:60, c(0.4, 0.6), c(1, 0.8), 0.6),
              weak = simulate_people(4, 30, 10:40, c(0.8, 0.1), c(0.6, 0.9), -0.3))
rows <- lapply(names(cases), function(name) {
  data <- cases[[name]]
  list(name = name, k = data$k, n = data$n,
       likelihoods = lapply(points, function(x)
         c(x, list(loglik = loglik(data, x$mean, x$sd, x$correlation)))),
       best = best(data), lme4 = by_lme4(data))
})
cat(toJSON(list(R = R.version.string, lme4 = as.character(packageVersion("lme4")), cases = rows),
           auto_unbox = TRUE, digits = NA), "\n")
