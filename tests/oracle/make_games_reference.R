# Reference values of tests/oracle/test_games_against_r.py: win rates of machines in games of three parties.
#   Rscript tests/oracle/make_games_reference.R docs/example/games.csv > tests/oracle/games_reference.json
# The variance sums products over pairs of games that share a person (dyadic clusters, in plain loops); lme4 fits
# the odds that a judge is right, with random judges and people judged.
suppressMessages({library(jsonlite); library(lme4)})
games <- read.csv(commandArgs(TRUE)[1], na.strings = "")
a_is_person <- games$witness_a %in% games$interrogator
games$person <- ifelse(a_is_person, games$witness_a, games$witness_b)
games$machine <- ifelse(a_is_person, games$witness_b, games$witness_a)
games$agent <- ifelse(is.na(games$prompt), games$machine, paste(games$machine, games$prompt, sep = "/"))
games$won <- as.numeric(ifelse(games$verdict == "A", games$witness_a, games$witness_b) == games$machine)

# Sums of a unit corrected for its share h of the N verdicts, which are related by r, and degrees of freedom from the
# covariance of the corrected sums, all as in turingstats.stats.clustered but with whole matrices.
correct <- function(h, N, r) {
  w <- h * (1 + r * (h * N - 1))
  list(w = w, a2 = w / (w * (1 - 2 * h) + h^2 * sum(w)))
}
count_df <- function(h, N, r) {
  one <- correct(h, N, r)
  C <- sqrt(outer(one$a2, one$a2)) *
    (diag(one$w) - outer(h, one$w) - outer(one$w, h) + sum(one$w) * outer(h, h))
  sum(one$w)^2 / sum(C^2)
}
over <- function(u, unit, v) {
  s <- tapply(u, unit, sum)
  N <- length(u)
  h <- as.numeric(table(unit)) / N
  others <- sum(h^2) * N - 1
  r <- 0
  for (round in 1:3) {
    V <- sum(correct(h, N, r)$a2 * s^2)
    r <- min(max((V - v) / (v * others), 0), 1)
  }
  list(V = V, r = r, df = sqrt(count_df(h, N, 0) * count_df(h, N, r)), H = sum(h^2))
}

rate <- function(part) {
  p <- mean(part$won)
  u <- (part$won - p) / nrow(part)
  v <- sum(tapply(u, paste(part$interrogator, part$person), sum)^2)
  judge <- over(u, part$interrogator, v)
  person <- over(u, part$person, v)
  shared <- 0
  for (i in seq_along(u)) for (j in seq_along(u))
    if (part$interrogator[i] == part$person[j]) shared <- shared + 2 * u[i] * u[j]
  left <- max(1 - (judge$r + person$r) * nrow(part) * judge$H * person$H, 0)
  least <- 1 / (1 + sqrt(2 / judge$df + 2 / person$df))
  both <- max(judge$V + person$V - left * v + shared, least * v)
  noise <- judge$V^2 / judge$df + person$V^2 / person$df
  df <- min(max(both^2 / noise, 1), 1e9)
  v <- both
  reach <- qt(0.975, df) * sqrt(v) / (p * (1 - p))
  list(agent = part$agent[1], n = nrow(part), value = p, se = sqrt(v), df = df,
       ci_low = plogis(qlogis(p) - reach), ci_high = plogis(qlogis(p) + reach))
}

fit <- glmer(I(1 - won) ~ 0 + agent + (1 | interrogator) + (1 | person), games, binomial,
             control = glmerControl(optimizer = "bobyqa"))
cat(toJSON(list(R = R.version.string, rates = lapply(split(games, games$agent), rate),
                agents = sub("^agent", "", names(fixef(fit))), right = unname(fixef(fit)),
                se = unname(sqrt(diag(as.matrix(vcov(fit))))),
                sd = c(judge = attr(VarCorr(fit)$interrogator, "stddev")[[1]],
                       stimulus = attr(VarCorr(fit)$person, "stddev")[[1]])),
           digits = 10, auto_unbox = TRUE, pretty = TRUE), "\n")
