# Reference fits of R's lme4 for test_mixed_models.py.
#
# Run once, by hand, from the root of the project:
#     Rscript tests/oracle/make_mixed_reference.R
# It needs R with lme4 and jsonlite. The tests read mixed_reference.json, not R. The data are simulated
# here, and the counts of cbpp (Lesnoff et al. 2004), which are facts; VerbAgg is compared only where R
# is installed, because lme4 ships it under its own licence.

suppressPackageStartupMessages({
  library(lme4)
  library(jsonlite)
})

# glmer's defaults stop early: up to 0.02 from the optimum.
tight <- glmerControl(
  optimizer = "nloptwrap", tolPwrss = 1e-13, check.conv.singular = "ignore",
  optCtrl = list(xtol_abs = 1e-12, ftol_abs = 1e-12, maxeval = 1e5)
)

described <- function(model) {
  components <- as.data.frame(VarCorr(model))
  list(
    names = I(names(fixef(model))), estimate = I(unname(fixef(model))),
    se = I(unname(sqrt(diag(as.matrix(vcov(model)))))),
    components = lapply(seq_len(nrow(components)), function(i) {
      row <- components[i, ]
      list(group = row$grp, effect = row$var1,
           other = if (is.na(row$var2)) NULL else row$var2, value = row$sdcor)
    }),
    loglik = as.numeric(logLik(model)), singular = isSingular(model)
  )
}

fits <- function(data, formulas, nodes = 1L) {
  lapply(formulas, function(formula) {
    model <- glmer(as.formula(formula), data, binomial, nAGQ = nodes, control = tight)
    c(list(formula = formula, nodes = nodes), described(model))
  })
}

set.seed(1950)
logistic <- function(x) 1 / (1 + exp(-x))

crossed <- expand.grid(judge = 1:60, trial = 1:30)
crossed$stimulus <- sample(40, nrow(crossed), replace = TRUE)
crossed$agent <- sample(c("human", "human", "a", "b"), nrow(crossed), replace = TRUE)
crossed$machine <- as.integer(crossed$agent != "human")
bias <- rnorm(60, 0, 0.8)
ability <- rnorm(60, 0, 0.6)
look <- rnorm(40, 0, 0.5)
effect <- c(human = -0.3, a = 0.4, b = 1.1)
crossed$said <- rbinom(nrow(crossed), 1, logistic(
  effect[crossed$agent] + bias[crossed$judge] + ability[crossed$judge] * (crossed$machine - 0.5) +
    look[crossed$stimulus]
))
crossed$made_by <- ifelse(crossed$machine == 1, "machine", "human")
crossed$judge <- paste0("w", crossed$judge)
crossed$stimulus <- paste0("s", crossed$stimulus)
crossed$agent <- relevel(factor(crossed$agent), "human")

games <- data.frame(judge = rep(1:120, each = 12), n_games = rep(1:12, 120) / 10)
start <- rnorm(120, 0, 0.7)
learn <- rnorm(120, 0, 0.5)
games$correct <- rbinom(nrow(games), 1,
                        logistic(0.3 + start[games$judge] + (0.4 + learn[games$judge]) * games$n_games))
games$judge <- paste0("w", games$judge)

none <- data.frame(judge = paste0("w", rep(1:40, each = 20)), x = rep(c(0, 1), 400))
none$correct <- rep(c(1, 0, 1, 1, 0, 1, 0, 1, 1, 1), 80)

# Cluster-robust errors by hand: bread, meat, and the correction for few clusters.
clustered <- function(formula, data, cluster) {
  model <- glm(as.formula(formula), data = data, family = binomial)
  x <- model.matrix(model)
  score <- rowsum(x * (model$y - fitted(model)), data[[cluster]])
  groups <- nrow(score)
  n <- nrow(x)
  correction <- groups / (groups - 1) * (n - 1) / (n - ncol(x))
  bread <- vcov(model)
  list(formula = formula, cluster = cluster, names = names(coef(model)),
       estimate = unname(coef(model)), se_plain = unname(sqrt(diag(bread))),
       se = unname(sqrt(diag(correction * bread %*% crossprod(score) %*% bread))),
       loglik = as.numeric(logLik(model)))
}

cattle <- data.frame(herd = as.character(cbpp$herd), period = as.character(cbpp$period),
                     incidence = cbpp$incidence, healthy = cbpp$size - cbpp$incidence)

reference <- list(
  made_by = paste0(R.version.string, ", lme4 ", packageVersion("lme4")),
  sets = list(
    cbpp = list(data = cattle, fits = c(
      fits(cattle, "cbind(incidence, healthy) ~ period + (1 | herd)"),
      fits(cattle, "cbind(incidence, healthy) ~ period + (1 | herd)", 9L)
    )),
    crossed = list(data = crossed[c("judge", "stimulus", "agent", "machine", "made_by", "said")],
      fits = fits(crossed, c(
        "said ~ agent + (1 | judge) + (1 | stimulus)",
        "said ~ 1 + (1 | judge) + (1 | stimulus)",
        "said ~ agent + (1 | judge) + (1 | judge:made_by) + (1 | stimulus)",
        "said ~ machine + (1 + machine | judge) + (1 | stimulus)"
      ))),
    games = list(data = games, fits = c(
      fits(games, c("correct ~ n_games + (1 + n_games | judge)", "correct ~ n_games + (1 | judge)")),
      fits(games, "correct ~ n_games + (1 | judge)", 7L)
    )),
    none = list(data = none, fits = fits(none, "correct ~ x + (1 | judge)"))
  ),
  glm = clustered("said ~ agent", crossed, "judge")
)
write_json(reference, "tests/oracle/mixed_reference.json", digits = NA, auto_unbox = TRUE, dataframe = "columns")
