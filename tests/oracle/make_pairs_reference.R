# Reference values of tests/oracle/test_pairs_against_r.py: Bradley-Terry models (BradleyTerry2, glm, lme4).
#   Rscript tests/oracle/make_pairs_reference.R > tests/oracle/pairs_reference.json
# Comparisons are simulated here: judges prefer the first option to different degrees; some comparisons are ties.
suppressMessages({library(jsonlite); library(BradleyTerry2); library(lme4)})

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

case <- function(name, rows, strengths) {
  players <- paste0("m", seq_along(strengths))
  one <- data.frame(player = factor(players[rows$first], players), at.home = 1)
  two <- data.frame(player = factor(players[rows$second], players), at.home = 0)
  # A tie is half a win of each.
  data <- data.frame(wins = rows$outcome, losses = 1 - rows$outcome)
  data$one <- one
  data$two <- two
  fit <- suppressWarnings(BTm(cbind(wins, losses), one, two, ~ player + at.home, id = "player", data = data))
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
  result <- list(name = name, agents = length(players), first = rows$first, second = rows$second,
                 outcome = rows$outcome, judge = rows$judge, prompt = rows$prompt, estimate = unname(coef(fit)),
                 se = unname(sqrt(diag(vcov(fit)))), clustered = lapply(clustered, unname))
  # lme4 rounds half wins in its likelihood.
  if (any(rows$outcome == 0.5)) return(result)
  mixed <- glmer(as.formula(paste("y ~ 0 +", terms, "+ (1 | judge) + (1 | prompt)")), frame, binomial,
                 control = glmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5)))
  c(result, list(mixed = unname(fixef(mixed)), mixed_se = unname(sqrt(diag(as.matrix(vcov(mixed))))),
                 mixed_sd = as.list(sapply(VarCorr(mixed), function(v) sqrt(v[1, 1])))))
}

strengths <- c(0, 0.4, 0.9, 1.1, -0.5)
cat(toJSON(list(
  R = R.version.string, BradleyTerry2 = as.character(packageVersion("BradleyTerry2")),
  lme4 = as.character(packageVersion("lme4")),
  cases = list(
    case("decided", simulate(1, strengths, 30, 40, 12, 0), strengths),
    case("ties", simulate(2, strengths[1:4], 25, 30, 15, 0.2), strengths[1:4]))),
  auto_unbox = TRUE, digits = 10), "\n")
