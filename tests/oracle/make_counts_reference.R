# Reference values of tests/oracle/test_counts_against_r.py: binomial regressions of counts by R's glm.
#   Rscript tests/oracle/make_counts_reference.R > tests/oracle/counts_reference.json
contrast <- function(k1, n1, k2, n2, against) {
  if (is.null(k2)) {
    fit <- glm(cbind(k1, n1 - k1) ~ 1, offset = qlogis(against), family = binomial,
               control = list(epsilon = 1e-12, maxit = 100))
    row <- coef(summary(fit))[1, ]
  } else {
    agent <- factor(c("second", "first"), levels = c("second", "first"))
    fit <- glm(cbind(c(k2, k1), c(n2 - k2, n1 - k1)) ~ agent, family = binomial,
               control = list(epsilon = 1e-12, maxit = 100))
    row <- coef(summary(fit))[2, ]
  }
  as.list(setNames(unname(row), c("log_odds", "se", "z", "p")))
}
cases <- list(
  list(name = "human_dragon", k1 = 523, n1 = 793, k2 = 425, n2 = 855),
  list(name = "dragon_half", k1 = 425, n1 = 855, against = 0.5),
  list(name = "sierra_half", k1 = 35, n1 = 90, against = 0.5),
  list(name = "eliza_turing", k1 = 38, n1 = 171, against = 0.3),
  list(name = "november_quebec", k1 = 138, n1 = 446, k2 = 32, n2 = 92)
)
rows <- lapply(cases, function(x) c(x, contrast(x$k1, x$n1, x$k2, x$n2, x$against)))
cat(jsonlite::toJSON(list(R = R.version.string, cases = rows), auto_unbox = TRUE, digits = NA,
                     pretty = TRUE), "\n")
