# Reference values of tests/oracle/test_pairs_against_r.py: Bradley-Terry models (BradleyTerry2, brglm2, glm),
# and Davidson's model of ties as a log-linear model of counts (Poisson), and by hand with Jeffreys' penalty.
#   Rscript tests/oracle/make_pairs_reference.R > tests/oracle/pairs_reference.json
# Comparisons are simulated here: judges prefer the first option to different degrees; some comparisons are ties.
suppressMessages({library(jsonlite); library(BradleyTerry2); library(brglm2)})

simulate <- function(seed, strengths, judges, prompts, seen, ties) {
  set.seed(seed)
  rows <- do.call(rbind, lapply(seq_len(judges), function(j) {
    data.frame(judge = j, prompt = sample(prompts, seen), first = 0, second = 0, lean = rnorm(1, 0.3, 0.6))
  }))
  for (i in seq_len(nrow(rows))) rows[i, c("first", "second")] <- sample(length(strengths), 2)
  odds <- rows$lean + strengths[rows$first] - strengths[rows$second]
  rows$outcome <- as.numeric(runif(nrow(rows)) < plogis(odds))
  rows$outcome[runif(nrow(rows)) < ties] <- 0.5
  rows
}

# Rows with one outcome each: d moves a win by 1/2 and a loss by -1/2; a tie has a parameter of its own.
davidson <- function(rows, players) {
  n <- nrow(rows)
  x <- matrix(0, n, players + 1)
  x[cbind(seq_len(n), rows$first)] <- 1
  x[cbind(seq_len(n), rows$second)] <- x[cbind(seq_len(n), rows$second)] - 1
  x[, players + 1] <- 1
  x <- x[, -1]
  long <- data.frame(row = factor(rep(seq_len(n), 3)), tie = rep(c(0, 0, 1), each = n),
                     y = c(rows$outcome == 1, rows$outcome == 0, rows$outcome == 0.5))
  long <- cbind(long, as.data.frame(rbind(x, -x, 0 * x) / 2))
  terms <- c(names(long)[-(1:3)], "tie")
  design <- as.matrix(long[, terms])
  log_likelihood <- function(beta, penalty) {
    eta <- matrix(design %*% beta, n)
    p <- exp(eta) / rowSums(exp(eta))
    value <- sum(log(p)[matrix(long$y, n)])
    if (!penalty) return(value)
    weighted <- design * as.vector(p)
    centers <- weighted[1:n, ] + weighted[n + 1:n, ] + weighted[2 * n + 1:n, ]
    value + determinant(t(design) %*% weighted - t(centers) %*% centers)$modulus / 2
  }
  find <- function(penalty) {
    best <- rep(0, ncol(design))
    for (k in 1:4) best <- optim(best, log_likelihood, penalty = penalty, method = "BFGS",
                                 control = list(fnscale = -1, reltol = 1e-15, maxit = 1000))$par
    best
  }
  counted <- glm(as.formula(paste("y ~ 0 + row +", paste(terms, collapse = " + "))), poisson, long,
                 control = list(epsilon = 1e-12))
  list(davidson = unname(coef(counted)[terms]), davidson_penalized = find(TRUE))
}

case <- function(name, rows, strengths) {
  players <- paste0("m", seq_along(strengths))
  one <- data.frame(player = factor(players[rows$first], players), at.home = 1)
  two <- data.frame(player = factor(players[rows$second], players), at.home = 0)
  # A tie is half a win of each.
  data <- data.frame(wins = rows$outcome, losses = 1 - rows$outcome)
  data$one <- one
  data$two <- two
  fitted_with <- function(...) {
    suppressWarnings(BTm(cbind(wins, losses), one, two, ~ player + at.home, id = "player", data = data, ...))
  }
  reduced <- fitted_with(br = TRUE)
  penalized <- list(reduced = unname(coef(reduced)), reduced_se = unname(sqrt(diag(vcov(reduced)))))
  if (any(rows$outcome == 0.5)) penalized <- c(penalized, davidson(rows, length(players)))
  common <- c(list(name = name, agents = length(players), first = rows$first, second = rows$second,
                   outcome = rows$outcome, judge = rows$judge, prompt = rows$prompt), penalized)
  # Only the penalty keeps the strength of an agent who won everything finite.
  if (name == "undefeated") return(common)
  fit <- fitted_with()
  x <- matrix(0, nrow(rows), length(players))
  x[cbind(seq_len(nrow(rows)), rows$first)] <- 1
  x[cbind(seq_len(nrow(rows)), rows$second)] <- -1
  frame <- data.frame(y = rows$outcome, x[, -1], home = 1, judge = rows$judge, prompt = rows$prompt)
  terms <- paste(c("home", names(frame)[2:length(players)]), collapse = " + ")
  glmfit <- suppressWarnings(glm(as.formula(paste("y ~ 0 +", terms)), binomial, frame, control = list(epsilon = 1e-12)))
  # Sums of squares of scores over judges, prompts, and both, without small-sample factors.
  design <- as.matrix(model.matrix(glmfit))
  scores <- design * (rows$outcome - fitted(glmfit))
  bread <- solve(t(design) %*% (design * fitted(glmfit) * (1 - fitted(glmfit))))
  meat <- function(unit) { s <- rowsum(scores, unit); bread %*% t(s) %*% s %*% bread }
  clustered <- lapply(list(rows$judge, rows$prompt, paste(rows$judge, rows$prompt)), meat)
  c(common, list(estimate = unname(coef(fit)), se = unname(sqrt(diag(vcov(fit)))),
                 clustered = lapply(clustered, unname)))
}

strengths <- c(0, 0.4, 0.9, 1.1, -0.5)
undefeated <- simulate(3, strengths[1:4], 15, 20, 10, 0)
undefeated$outcome[undefeated$first == 4] <- 1
undefeated$outcome[undefeated$second == 4] <- 0
cat(toJSON(list(
  R = R.version.string, BradleyTerry2 = as.character(packageVersion("BradleyTerry2")),
  brglm2 = as.character(packageVersion("brglm2")),
  cases = list(
    case("undefeated", undefeated, strengths[1:4]),
    case("decided", simulate(1, strengths, 30, 40, 12, 0), strengths),
    case("ties", simulate(2, strengths[1:4], 25, 30, 15, 0.2), strengths[1:4]))),
  auto_unbox = TRUE, digits = 10), "\n")
