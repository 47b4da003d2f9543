# Reference values of tests/oracle/test_machine_judges_against_r.py: people and a machine on the same responses.
#   Rscript tests/oracle/make_machine_judges_reference.R > tests/oracle/machine_judges_reference.json
set.seed(11)

# Rows are responses, columns people; 1: judged human.
ease <- rnorm(60)
people <- matrix(rbinom(60 * 6, 1, plogis(1.5 * ease)), 60)
machine <- rbinom(60, 1, plogis(1.5 * ease))

share <- rowMeans(people)
long <- data.frame(verdict = as.vector(people), response = factor(rep(1:60, 6)))
squares <- summary(aov(verdict ~ response, long))[[1]][["Mean Sq"]]
reliability <- (squares[1] - squares[2]) / squares[1]  # ICC(1, k)
clear <- share != 0.5
cells <- table(factor(machine[clear], 0:1), factor(share[clear] > 0.5, c(FALSE, TRUE))) / sum(clear)
chance <- sum(rowSums(cells) * colSums(cells))
agreement <- list(
  agreement = mean(people == machine), cohen_kappa = (sum(diag(cells)) - chance) / (1 - chance),
  correlation = cor(machine, share), reliability = reliability,
  corrected_correlation = cor(machine, share) / sqrt(reliability))

# Alternative annotator test: some people skip responses.
sparse <- people
sparse[sample(length(sparse), 100)] <- NA
one <- lapply(seq_len(ncol(sparse)), function(left) {
  others <- sparse[, -left]
  used <- !is.na(sparse[, left]) & rowSums(!is.na(others)) > 0
  by_machine <- rowMeans(others == machine, na.rm = TRUE)[used]
  by_person <- rowMeans(others == sparse[, left], na.rm = TRUE)[used]
  loss <- (by_person >= by_machine) - (by_machine >= by_person)
  p <- sapply(c(0.1, 0.15, 0.2), function(e) t.test(loss, mu = e, alternative = "less")$p.value)
  list(advantage = mean(by_machine >= by_person), p = p)
})
p <- sapply(one, function(x) x$p)
rates <- apply(p, 1, function(x) mean(p.adjust(x, "BY") <= 0.05))

# Prediction-powered mean of independent verdicts, with power tuning.
n <- 80
others <- rbinom(400, 1, 0.5)
y <- rbinom(n, 1, 0.6)
f <- ifelse(runif(n) < 0.8, y, 1 - y)
w <- mean((y - mean(y)) * (f - mean(f))) / ((1 + n / 400) * var(c(f, others)))
powered <- list(tuning = w, value = mean(y - w * f) + w * mean(others),
                se = sqrt(var(y - w * f) / n + w^2 * var(others) / 400))

json <- function(x) {
  if (is.list(x)) paste0("{", paste0('"', names(x), '": ', sapply(x, json), collapse = ", "), "}")
  else if (is.matrix(x)) paste0("[", paste(apply(x, 1, json), collapse = ", "), "]")
  else {
    cells <- ifelse(is.na(x), "null", format(x, digits = 15, trim = TRUE))
    if (length(x) == 1) cells else paste0("[", paste(cells, collapse = ", "), "]")
  }
}
cat(json(list(
  people = people, machine = machine, agreement = agreement, sparse = sparse,
  advantage = mean(sapply(one, function(x) x$advantage)), rates = rates,
  y = y, f = f, others = others, powered = powered)), "\n")
