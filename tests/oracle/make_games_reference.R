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

rate <- function(part) {
  p <- mean(part$won)
  u <- (part$won - p) / nrow(part)
  of <- function(unit) { s <- tapply(u, unit, sum); g <- length(s); c(sum(s^2) * g / (g - 1), g) }
  judge <- of(part$interrogator)
  person <- of(part$person)
  shared <- 0
  for (i in seq_along(u)) for (j in seq_along(u))
    if (part$interrogator[i] == part$person[j]) shared <- shared + 2 * u[i] * u[j]
  v <- judge[1] + person[1] - sum(tapply(u, paste(part$interrogator, part$person), sum)^2) + shared
  v <- max(v, judge[1], person[1])
  df <- v^2 / (judge[1]^2 / (judge[2] - 1) + person[1]^2 / (person[2] - 1))
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
