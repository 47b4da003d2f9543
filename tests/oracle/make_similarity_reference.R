# Reference results of the tests on similarity ratings: Rscript make_similarity_reference.R
# Writes similarity_reference.json with its inputs, so that the tests need no R.
suppressMessages({library(jsonlite); library(psych); library(vegan)})
set.seed(4)

items <- 14
pairs <- items * (items - 1) / 2
signal <- rnorm(pairs)
rate <- function(weight, step) {
  value <- 100 * pnorm(weight * signal + sqrt(1 - weight^2) * rnorm(pairs))
  step * round(value / step)
}
# Ratings in steps have ties; the third has missing pairs.
vectors <- rbind(rate(0.8, 10), rate(0.8, 5), rate(0.5, 1), rate(0, 10))
vectors[3, c(2, 17, 40)] <- NA

spearman <- list()
for (i in 1:3) for (j in (i + 1):4) {
  test <- suppressWarnings(cor.test(vectors[i, ], vectors[j, ], method = "spearman", exact = FALSE))
  spearman[[length(spearman) + 1]] <- list(i = i - 1, j = j - 1, rho = unname(test$estimate), p = test$p.value)
}

# Order of the upper triangle row by row is that of a distance object.
as_distance <- function(vector) {
  matrix <- matrix(0, items, items)
  matrix[lower.tri(matrix)] <- vector
  as.dist(matrix)
}
mantels <- list()
for (j in c(2, 4)) {
  test <- mantel(as_distance(vectors[1, ]), as_distance(vectors[j, ]), method = "spearman", permutations = 99999)
  mantels[[length(mantels) + 1]] <- list(i = 0, j = j - 1, rho = test$statistic, p_one_sided = test$signif,
    p_two_sided = mean(abs(c(test$statistic, test$perm)) >= abs(test$statistic) - 1e-9))
}

raters <- t(sapply(1:6, function(k) rate(0.7, 5) + 4 * k))
icc <- ICC(t(raters), lmer = FALSE)
icc2 <- icc$results["Single_random_raters", ]

one <- round(rnorm(20, 0.5, 0.2), 6)
two <- round(one - 0.1 + rnorm(20, 0, 0.1), 6)
tied <- list(x = c(1, 2, 2, 3, 5), y = c(2, 3, 4, 4, 6, 7))
ranksum <- wilcox.test(one, two)
ranksum_ties <- suppressWarnings(wilcox.test(tied$x, tied$y))
signed <- wilcox.test(one, two, paired = TRUE)

reference <- list(
  r = R.version.string,
  packages = list(psych = as.character(packageVersion("psych")), vegan = as.character(packageVersion("vegan"))),
  items = items, vectors = vectors, spearman = spearman, mantel = mantels,
  raters = raters, icc = list(value = icc2$ICC, low = icc2$`lower bound`, high = icc2$`upper bound`),
  ranksum = list(x = one, y = two, W = unname(ranksum$statistic), p = ranksum$p.value),
  ranksum_ties = list(x = tied$x, y = tied$y, W = unname(ranksum_ties$statistic), p = ranksum_ties$p.value),
  signed = list(x = one, y = two, V = unname(signed$statistic), p = signed$p.value)
)
write_json(reference, "similarity_reference.json", digits = NA, auto_unbox = TRUE, na = "null", pretty = TRUE)
