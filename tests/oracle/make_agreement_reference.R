# Reference values of tests/oracle/test_agreement_against_r.py: agreement between judges, by explicit loops
# over pairs of answers, and tests of paired outcomes.
#   Rscript tests/oracle/make_agreement_reference.R > tests/oracle/agreement_reference.json
set.seed(3)

# Rows are subjects, columns raters; NA where a rater did not answer.
agreement <- function(x) {
  x <- x[rowSums(!is.na(x)) >= 2, , drop = FALSE]
  kinds <- sort(unique(na.omit(as.vector(x))))
  coincidences <- matrix(0, length(kinds), length(kinds))
  percent <- numeric(nrow(x))
  shares <- matrix(0, nrow(x), length(kinds))
  for (u in seq_len(nrow(x))) {
    answers <- match(na.omit(x[u, ]), kinds)
    m <- length(answers)
    same <- 0
    for (i in seq_len(m)) for (j in seq_len(m)) if (i != j) {
      coincidences[answers[i], answers[j]] <- coincidences[answers[i], answers[j]] + 1 / (m - 1)
      same <- same + (answers[i] == answers[j])
    }
    percent[u] <- same / (m * (m - 1))
    shares[u, ] <- tabulate(answers, length(kinds)) / m
  }
  n <- rowSums(coincidences)
  total <- sum(n)
  observed <- total - sum(diag(coincidences))
  expected <- (sum(outer(n, n)) - sum(n^2)) / (total - 1)
  chance <- sum(colMeans(shares)^2)
  list(percent_agreement = mean(percent), fleiss_kappa = (mean(percent) - chance) / (1 - chance),
       krippendorff_alpha = 1 - observed / expected)
}

counts <- function(x, kinds) t(apply(x, 1, function(row) table(factor(row, levels = kinds))))

unequal <- matrix(sample(c("human", "machine", "unsure"), 240, TRUE, c(0.5, 0.35, 0.15)), 40)
unequal[sample(240, 90)] <- NA
unequal <- unequal[rowSums(!is.na(unequal)) >= 2, ]
difficulty <- rep(rbinom(25, 1, 0.5), 4)
equal <- matrix(ifelse(runif(100) < 0.8, difficulty, 1 - difficulty), 25)
equal <- ifelse(equal == 1, "human", "machine")
kinds <- c("human", "machine", "unsure")
agree <- lapply(list(unequal = unequal, equal = equal), function(x)
  c(list(counts = unname(counts(x, kinds))), agreement(x)))

# Correct verdicts of five machine judges on 60 responses.
skill <- c(0.55, 0.7, 0.7, 0.85, 0.9)
right <- sapply(skill, function(p) rbinom(60, 1, p))
cochran <- function(x) {
  k <- ncol(x)
  q <- (k - 1) * (k * sum(colSums(x)^2) - sum(x)^2) / (k * sum(x) - sum(rowSums(x)^2))
  list(statistic = q, df = k - 1, p = pchisq(q, k - 1, lower.tail = FALSE))
}
pairs <- combn(ncol(right), 2)
mcnemar <- apply(pairs, 2, function(at) {
  first <- sum(right[, at[1]] > right[, at[2]])
  second <- sum(right[, at[1]] < right[, at[2]])
  n <- nrow(right)
  share <- (c(first, second) + 1) / (n + 2)
  half <- qnorm(0.975) * sqrt((sum(share) - diff(share)^2) / (n + 2))
  list(first = at[1] - 1, second = at[2] - 1, only_first = first, only_second = second,
       p = binom.test(first, first + second)$p.value,
       low = -diff(share) - half, high = -diff(share) + half)
})
adjusted <- p.adjust(sapply(mcnemar, `[[`, "p"), "holm")
mcnemar <- Map(function(row, p) c(row, p_adjusted = p), mcnemar, adjusted)
cat(jsonlite::toJSON(
  list(R = R.version.string, agreement = agree, right = right, cochran = cochran(right),
       mcnemar = unname(mcnemar)),
  auto_unbox = TRUE, digits = NA, pretty = TRUE), "\n")
