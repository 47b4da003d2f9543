# Reference values of tests/oracle/test_ratings_against_r.py: ordinal models and ROC curves.
#   Rscript tests/oracle/make_ratings_reference.R > tests/oracle/ratings_reference.json
# The ratings and scores are simulated here: judges and stimuli differ, and each judge sees half of the stimuli.
suppressMessages({library(jsonlite); library(ordinal); library(pROC)})

simulate_ratings <- function(seed, judges, stimuli, points, effects, spread) {
  set.seed(seed)
  agents <- c("human", names(effects))
  of_stimulus <- rep_len(agents, stimuli)
  shift <- c(human = 0, effects)[of_stimulus] + rnorm(stimuli, 0, spread[2])
  rows <- do.call(rbind, lapply(seq_len(judges), function(j) {
    shown <- sort(sample(stimuli, stimuli / 2))
    data.frame(judge = j, stimulus = shown, agent = of_stimulus[shown],
               latent = rnorm(1, 0, spread[1]) + shift[shown] + rlogis(length(shown)))
  }))
  cuts <- seq(-1.8, 2.2, length.out = points - 1)
  rows$rating <- 1 + findInterval(rows$latent, cuts)
  rows$agent <- factor(rows$agent, levels = agents)
  rows
}

# Two-way clustered errors by hand: scores by central differences of each trial's log-likelihood. The variance is
# at least that over judges alone and that over stimuli alone.
cluster_errors <- function(fit, rows) {
  levels_used <- as.integer(factor(rows$rating))
  x <- model.matrix(~ agent, rows)[, -1, drop = FALSE]
  k <- length(fit$alpha)
  loglik <- function(at) {
    ends <- c(-Inf, at[1:k], Inf)
    eta <- as.vector(x %*% at[-(1:k)])
    log(plogis(ends[levels_used + 1] - eta) - plogis(ends[levels_used] - eta))
  }
  at <- c(fit$alpha, fit$beta)
  scores <- sapply(seq_along(at), function(i) {
    step <- replace(numeric(length(at)), i, 1e-5)
    (loglik(at + step) - loglik(at - step)) / 2e-5
  })
  meat <- function(unit) {
    sums <- rowsum(scores, unit)
    crossprod(sums) * nrow(sums) / (nrow(sums) - 1)
  }
  bread <- vcov(fit)
  variance <- function(meat) diag(bread %*% meat %*% bread)[-(1:k)]
  judges <- variance(meat(rows$judge))
  stimuli <- variance(meat(rows$stimulus))
  sqrt(pmax(judges + stimuli - variance(crossprod(scores)), judges, stimuli))
}

ordinal_case <- function(name, rows) {
  rows$answer <- factor(rows$rating, ordered = TRUE)
  fit <- clm(answer ~ agent, data = rows, control = clm.control(gradTol = 1e-10))
  mixed <- clmm(answer ~ agent + (1 | judge) + (1 | stimulus), data = rows)
  list(name = name, judge = rows$judge, stimulus = rows$stimulus, agent = as.character(rows$agent),
       rating = rows$rating, thresholds = unname(fit$alpha), coefficients = as.list(fit$beta),
       loglik = as.numeric(logLik(fit)), se = as.list(setNames(cluster_errors(fit, rows), names(fit$beta))),
       clmm = as.list(mixed$beta), clmm_se = as.list(sqrt(diag(vcov(mixed)))[names(mixed$beta)]))
}

roc_case <- function(name, machine, score) {
  curve <- roc(machine, score, levels = c(FALSE, TRUE), direction = "<", quiet = TRUE)
  at <- function(rate) {
    threshold <- min(Filter(function(s) mean(score[!machine] >= s) <= rate, c(unique(score), Inf)))
    list(rate = rate, threshold = if (is.finite(threshold)) threshold else NA,
         hits = mean(score[machine] >= threshold), false_alarms = mean(score[!machine] >= threshold))
  }
  list(name = name, machine = machine, score = score, auc = as.numeric(auc(curve)),
       variance = var(curve, method = "delong"), se_ci = as.numeric(ci.auc(curve, method = "delong")),
       hits = rev(curve$sensitivities), false_alarms = rev(1 - curve$specificities),
       brier = mean((score - machine)^2), at = lapply(c(0.01, 0.05, 0.2), at))
}

set.seed(11)
truth <- rep(c(TRUE, FALSE), c(90, 110))
ratings <- list(
  ordinal_case("seven points", simulate_ratings(3, 30, 40, 7, c(a = 0.5, b = 1.5), c(0.6, 0.7))),
  ordinal_case("five points, weak", simulate_ratings(4, 16, 24, 5, c(a = -0.3), c(0.4, 0.5))))
scores <- list(
  roc_case("continuous", truth, plogis(rnorm(200, ifelse(truth, 0.8, -0.4)))),
  roc_case("ties", truth, round(plogis(rnorm(200, ifelse(truth, 0.5, -0.2))), 1)),
  roc_case("worse than chance", truth, plogis(rnorm(200, ifelse(truth, -0.3, 0.2)))))
cat(toJSON(list(R = R.version.string, ordinal = as.character(packageVersion("ordinal")),
                pROC = as.character(packageVersion("pROC")), ratings = ratings, scores = scores),
           auto_unbox = TRUE, digits = NA, na = "null"), "\n")
