# Reference values of tests/oracle/test_ratings_against_r.py: ROC curves.
#   Rscript tests/oracle/make_ratings_reference.R > tests/oracle/ratings_reference.json
# The scores are simulated here.
suppressMessages({library(jsonlite); library(pROC)})

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
       at = lapply(c(0.01, 0.05, 0.2), at))
}

set.seed(11)
truth <- rep(c(TRUE, FALSE), c(90, 110))
scores <- list(
  roc_case("continuous", truth, plogis(rnorm(200, ifelse(truth, 0.8, -0.4)))),
  roc_case("ties", truth, round(plogis(rnorm(200, ifelse(truth, 0.5, -0.2))), 1)),
  roc_case("worse than chance", truth, plogis(rnorm(200, ifelse(truth, -0.3, 0.2)))))
cat(toJSON(list(R = R.version.string, pROC = as.character(packageVersion("pROC")), scores = scores),
           auto_unbox = TRUE, digits = NA, na = "null"), "\n")
