# Reference results of R for test_against_r.py.
#
# Run once, by hand, from the root of the project:
#     Rscript tests/oracle/make_reference.R
# It needs R with the packages coin, car, jsonlite, pROC and sandwich. The tests read reference.json, not R.

suppressPackageStartupMessages({
  library(car)
  library(coin)
  library(jsonlite)
  library(pROC)
  library(sandwich)
})

num <- function(x) unname(as.numeric(x))

# Rates as integers, successes k of n trials, so that JSON keeps them exactly.
rates <- function(k, n) list(k = k, n = rep_len(n, length(k)))
value <- function(r) round(r$k / r$n, 12)

# --- one-sample Wilcoxon signed rank ---------------------------------------------------------

wilcoxon_case <- function(name, r, null) {
  # Rounded: 6/11 - 1/2 and 1/2 - 5/11 must tie.
  d <- round(r$k / r$n - null, 12)
  signed <- wilcoxsign_test(d ~ rep(0, length(d)), zero.method = "Wilcoxon",
                            distribution = "asymptotic")
  test <- suppressWarnings(wilcox.test(d, correct = FALSE, exact = FALSE))
  used <- d[d != 0]
  ranks <- rank(abs(used))
  n <- length(used)
  ties <- table(abs(used))
  sd <- sqrt(n * (n + 1) * (2 * n + 1) / 24 - sum(ties^3 - ties) / 48)
  list(name = name, input = c(r, null = null),
       z_coin = num(statistic(signed, type = "standardized")),
       z_formula = (sum(ranks[used > 0]) - n * (n + 1) / 4) / sd,
       p = test$p.value, zeros = sum(d == 0),
       # All signs of the midranks; ranks of 1e-12 apart would be no ties, so whole numbers are ranked.
       p_exact = num(pvalue(wilcoxsign_test(round(d * 1e9) ~ rep(0, length(d)), zero.method = "Wilcoxon",
                                            distribution = "exact"))),
       rank_biserial = sum(ranks * sign(used)) / sum(ranks))
}

wilcoxon <- list(
  wilcoxon_case("no ties", rates(c(2, 5, 9, 11, 17, 3, 1, 14, 6), c(19, 23, 29, 31, 37, 41, 43, 47, 13)), 0.5),
  wilcoxon_case("ties in elevenths", rates(c(6, 5, 7, 4, 8, 6, 9, 7, 10, 5, 8, 6), 11), 0.5),
  wilcoxon_case("ties across the null, mixed denominators",
                rates(c(4, 2, 7, 3, 9, 6, 5, 8, 5, 7, 11, 4, 3, 8), c(6, 6, 10, 10, 15, 9, 15, 12, 6, 9, 20, 12, 5, 10)), 0.5),
  wilcoxon_case("one zero", rates(c(5, 7, 3, 8, 6, 4, 9, 8, 7, 6, 8), 10), 0.5),
  wilcoxon_case("many zeros", rates(c(6, 6, 6, 4, 8, 9, 3, 7, 6, 5, 10, 8, 9), 12), 0.5),
  wilcoxon_case("below another null", rates(c(1, 2, 3, 2, 1, 4, 0, 3, 2, 5, 1, 2, 3), c(7, 11, 9, 8, 5, 12, 6, 9, 7, 11, 10, 8, 9)), 1 / 3)
)

# --- Friedman --------------------------------------------------------------------------------

friedman_case <- function(name, k, n, treatments) {
  table <- matrix(round(k / n, 12), ncol = treatments, byrow = TRUE)
  test <- friedman.test(table)
  list(name = name,
       input = list(k = matrix(k, ncol = treatments, byrow = TRUE),
                    n = matrix(rep_len(n, length(k)), ncol = treatments, byrow = TRUE)),
       chi2 = num(test$statistic), df = num(test$parameter), p = test$p.value,
       kendall_w = num(test$statistic) / (nrow(table) * (treatments - 1)))
}

friedman <- list(
  friedman_case("no ties", c(1, 2, 3, 2, 3, 1, 5, 4, 1, 3, 4, 7, 6, 1, 2), 7, 3),
  friedman_case("ties", c(3, 3, 4, 1, 2, 2, 4, 4, 4, 2, 1, 3, 3, 2, 2, 0, 1, 1, 5, 3, 4), 11, 3),
  friedman_case("ties of unlike fractions, four treatments",
                c(1, 2, 3, 2, 1, 3, 1, 0, 2, 4, 6, 1, 1, 3, 2, 1, 3, 1, 5, 2, 0, 2, 2, 1), c(2, 4, 6, 4), 4)
)

# --- Mann-Whitney ----------------------------------------------------------------------------

mann_whitney_case <- function(name, a, b) {
  test <- suppressWarnings(wilcox.test(value(a), value(b), correct = TRUE, exact = FALSE))
  list(name = name, input = list(a = a, b = b), u1 = num(test$statistic), p = test$p.value,
       rank_biserial = mean(sign(outer(value(a), value(b), "-"))))
}

mann_whitney <- list(
  mann_whitney_case("no ties", rates(c(3, 8, 11, 2, 7), c(7, 17, 23, 19, 13)),
                    rates(c(9, 5, 12, 20), c(11, 6, 29, 31))),
  mann_whitney_case("ties", rates(c(6, 5, 7, 7, 4, 8, 6, 6, 3), 11), rates(c(7, 8, 6, 9, 9, 10, 7), 11)),
  mann_whitney_case("ties of unlike fractions",
                    rates(c(1, 2, 3, 4, 2, 5, 3, 8), c(2, 3, 9, 6, 4, 10, 5, 12)),
                    rates(c(2, 1, 3, 4, 7), c(6, 4, 4, 8, 10)))
)

# --- Welch -----------------------------------------------------------------------------------

welch_case <- function(name, a, b) {
  test <- t.test(a$k / a$n, b$k / b$n)
  list(name = name, input = list(a = a, b = b), t = num(test$statistic), df = num(test$parameter),
       p = test$p.value, difference = mean(a$k / a$n) - mean(b$k / b$n),
       low = test$conf.int[1], high = test$conf.int[2])
}

welch <- list(
  welch_case("rates", rates(c(6, 5, 7, 4, 8, 6, 9), 11), rates(c(8, 9, 6, 10), 11)),
  welch_case("zeros and ones", rates(c(1, 0, 1, 1, 0, 1, 1, 1, 0, 1), 1), rates(c(0, 0, 1, 0, 1, 0, 0), 1)),
  welch_case("unlike sizes", rates(c(3, 14), c(10, 15)), rates(c(1, 2, 3, 5, 4, 6, 2, 1, 7), c(9, 8, 11, 7)[c(1:4, 1:4, 1)]))
)

# --- one-way analysis of variance, Kruskal-Wallis --------------------------------------------

groups_case <- function(name, groups) {
  y <- unlist(lapply(groups, value))
  g <- factor(rep(seq_along(groups), sapply(groups, function(r) length(r$k))))
  a <- summary(aov(y ~ g))[[1]]
  type2 <- Anova(lm(y ~ g), type = 2)
  h <- kruskal.test(y, g)
  list(name = name, input = groups, f = a[["F value"]][1], f_type2 = type2[["F value"]][1],
       df = a[["Df"]], p = a[["Pr(>F)"]][1], eta2 = a[["Sum Sq"]][1] / sum(a[["Sum Sq"]]),
       h = num(h$statistic), h_df = num(h$parameter), h_p = h$p.value,
       epsilon2 = num(h$statistic) / (length(y) - 1))
}

groups <- list(
  groups_case("three unequal groups", list(rates(c(6, 5, 7, 4, 8), 11), rates(c(8, 9, 6, 10, 9, 7, 8), 11),
                                           rates(c(3, 5, 6), 11))),
  groups_case("zeros and ones", list(rates(c(0, 1, 1, 0, 1, 1), 1), rates(c(0, 0, 0, 1), 1),
                                     rates(c(1, 1, 1, 0, 1), 1), rates(c(0, 1), 1))),
  groups_case("two groups, unlike fractions", list(rates(c(1, 2, 3, 4), c(2, 3, 9, 6)), rates(c(3, 7, 1, 5, 2), c(4, 8, 3, 6, 3))))
)

# --- two-way analysis of variance, type II ----------------------------------------------------

two_way_case <- function(name, r, a, b) {
  y <- r$k / r$n
  table <- Anova(lm(y ~ factor(a) * factor(b)), type = 2)
  ss <- table[["Sum Sq"]]
  list(name = name, input = c(r, list(a = a, b = b)), f = table[["F value"]][1:3],
       df = table[["Df"]], p = table[["Pr(>F)"]][1:3], partial_eta2 = ss[1:3] / (ss[1:3] + ss[4]))
}

two_way <- list(
  two_way_case("unbalanced 2 x 3", rates(c(6, 5, 7, 4, 8, 6, 9, 7, 10, 5, 8, 6, 3, 9, 2, 7), 11),
               c("f", "m", "f", "m", "f", "f", "m", "f", "m", "f", "m", "m", "f", "f", "m", "f"),
               c("x", "x", "y", "y", "z", "z", "z", "x", "x", "y", "y", "z", "x", "y", "y", "x")),
  two_way_case("unbalanced 2 x 2, zeros and ones",
               rates(c(1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0), 1),
               c("a", "a", "a", "b", "b", "b", "a", "b", "a", "b", "a", "b", "a"),
               c("1", "2", "1", "2", "1", "1", "2", "2", "1", "2", "1", "1", "2"))
)

# --- proportions -----------------------------------------------------------------------------

wilson_limits <- function(k, n, level = 0.95)
  suppressWarnings(num(prop.test(k, n, correct = FALSE, conf.level = level)$conf.int))

proportions_case <- function(k1, n1, k2, n2) {
  test <- suppressWarnings(prop.test(c(k1, k2), c(n1, n2), correct = FALSE))
  p1 <- k1 / n1; p2 <- k2 / n2
  w1 <- wilson_limits(k1, n1); w2 <- wilson_limits(k2, n2)
  list(input = list(k1 = k1, n1 = n1, k2 = k2, n2 = n2), chi2 = num(test$statistic), p = test$p.value,
       newcombe = c(p1 - p2 - sqrt((p1 - w1[1])^2 + (w2[2] - p2)^2),
                    p1 - p2 + sqrt((w1[2] - p1)^2 + (p2 - w2[1])^2)),
       mean_interval = c((p1 + p2) / 2 - sqrt((p1 - w1[1])^2 + (p2 - w2[1])^2) / 2,
                         (p1 + p2) / 2 + sqrt((w1[2] - p1)^2 + (w2[2] - p2)^2) / 2))
}

proportions <- list(proportions_case(381, 691, 445, 725), proportions_case(3, 11, 9, 14),
                    proportions_case(0, 8, 5, 9), proportions_case(20, 20, 17, 20))

wilson_case <- function(k, n, level)
  list(input = list(k = k, n = n, level = level), limits = wilson_limits(k, n, level))

wilson <- list(wilson_case(381, 691, 0.95), wilson_case(3, 11, 0.95), wilson_case(0, 8, 0.95),
               wilson_case(20, 20, 0.95), wilson_case(7, 15, 0.9), wilson_case(1, 2, 0.99))

# --- adjusted p-values -----------------------------------------------------------------------

adjust_case <- function(p, size)
  list(input = list(p = p, family_size = size), bonferroni = p.adjust(p, "bonferroni", n = size),
       holm = p.adjust(p, "holm", n = size), fdr_bh = p.adjust(p, "BH", n = size))

adjust <- list(adjust_case(c(0.04, 0.001, 0.2, 0.03, 0.001, 0.9), 6),
               adjust_case(c(0.04, 0.001, 0.2, 0.03), 15),
               adjust_case(c(0.012, 0.011, 0.5, 0.0004, 0.0004), 12))

# --- Pearson correlation ---------------------------------------------------------------------

pearson_case <- function(name, x, y) {
  test <- cor.test(x, y)
  list(name = name, input = list(x = x, y = y), r = num(test$estimate), p = test$p.value,
       df = num(test$parameter), limits = num(test$conf.int))
}

pearson <- list(
  # Fig 8B of Zhang et al. (2025): CIDEr and the published mean detectabilities of eight models.
  pearson_case("CIDEr", c(138.5, 145.3, 133.3, 113.08, 92.3, 81.3, 124.3, 109.8),
               c(0.545, 0.535, 0.52, 0.635, 0.595, 0.54, 0.73, 0.565)),
  pearson_case("four pairs", c(42, 43.9, 39.7, 33.53), c(0.545, 0.535, 0.52, 0.635))
)

# --- sizes of effects ------------------------------------------------------------------------

z95 <- qnorm(0.975)
fisher <- function(r, se) tanh(atanh(r) + c(-1, 1) * z95 * se / (1 - r^2))

# Noncentralities for which a statistic would be its own upper and lower limit.
noncentral <- function(p_of) {
  find <- function(tail) if (p_of(0) <= tail) 0 else
    uniroot(function(nc) p_of(nc) - tail, c(0, 1e4), tol = 1e-12)$root
  c(find(0.975), find(0.025))
}
eta_case <- function(f, df, df_error) {
  nc <- noncentral(function(nc) pf(f, df, df_error, ncp = nc))
  list(input = list(f = f, df = df, df_error = df_error), limits = nc / (nc + df + df_error + 1))
}
chi2_case <- function(chi2, df, largest) {
  nc <- noncentral(function(nc) pchisq(chi2, df, ncp = nc))
  list(input = list(chi2 = chi2, df = df, largest = largest), limits = pmin(nc / largest, 1))
}
paired_case <- function(d) {
  d <- round(d, 12)
  used <- d[d != 0]
  n <- length(used)
  u <- outer(used, used, function(a, b) (sign(a + b) + 1) / 2)
  share <- (rowSums(u) - diag(u)) / (n - 1)
  ranks <- rank(abs(used))
  r <- sum(ranks * sign(used)) / sum(ranks)
  list(input = d, effect = r, limits = fisher(r, 4 * sd(share) / sqrt(n)))
}
roc_case <- function(a, b) {
  curve <- suppressMessages(roc(rep(c(1, 0), c(length(a$k), length(b$k))), c(value(a), value(b)),
                                direction = "<", quiet = TRUE))
  r <- 2 * as.numeric(auc(curve)) - 1
  list(input = list(a = a, b = b), effect = r, limits = fisher(r, 2 * sqrt(var(curve))))
}
hedges_case <- function(a, b) {
  x <- a$k / a$n; y <- b$k / b$n; n1 <- length(x); n2 <- length(y)
  s <- sqrt(((n1 - 1) * var(x) + (n2 - 1) * var(y)) / (n1 + n2 - 2))
  g <- (1 - 3 / (4 * (n1 + n2) - 9)) * (mean(x) - mean(y)) / s
  list(input = list(a = a, b = b), effect = g,
       limits = g + c(-1, 1) * z95 * sqrt((n1 + n2) / (n1 * n2) + g^2 / (2 * (n1 + n2))))
}
mean_case <- function(x) list(input = x, effect = mean(x), limits = num(t.test(x)$conf.int))

effect_sizes <- list(
  eta = list(eta_case(8.9676, 1, 719), eta_case(0.3926, 2, 719), eta_case(4.2, 3, 20)),
  chi2 = list(chi2_case(20.8945, 2, 384), chi2_case(0.969, 2, 130), chi2_case(31.03, 3, 237)),
  paired = list(paired_case(c(6, 5, 7, 4, 8, 6, 9, 7, 10, 5, 8, 6) / 11 - 0.5),
                paired_case(c(5, 7, 3, 8, 6, 4, 9, 8, 7, 6, 8) / 10 - 0.5)),
  roc = list(roc_case(rates(c(3, 8, 11, 2, 7), c(7, 17, 23, 19, 13)), rates(c(9, 5, 12, 20), c(11, 6, 29, 31))),
             roc_case(rates(c(6, 5, 7, 7, 4, 8, 6, 6, 3), 11), rates(c(7, 8, 6, 9, 9, 10, 7), 11))),
  hedges = list(hedges_case(rates(c(6, 5, 7, 4, 8, 6, 9), 11), rates(c(8, 9, 6, 10), 11)),
                hedges_case(rates(c(1, 0, 1, 1, 0, 1, 1, 1, 0, 1), 1), rates(c(0, 0, 1, 0, 1, 0, 0), 1))),
  mean = list(mean_case(c(0.1, -0.2, 0.05, 0.3, 0)))
)

# --- paired differences ----------------------------------------------------------------------

paired_wilcoxon_case <- function(name, a, b) {
  d <- round(a$k / a$n - b$k / b$n, 12)
  test <- suppressWarnings(wilcox.test(d, correct = FALSE, exact = FALSE))
  signed <- wilcoxsign_test(d ~ rep(0, length(d)), zero.method = "Wilcoxon", distribution = "asymptotic")
  list(name = name, input = list(a = a, b = b), z = num(statistic(signed, type = "standardized")),
       p = test$p.value)
}
paired_wilcoxon <- list(
  paired_wilcoxon_case("ties and zeros", rates(c(6, 5, 7, 4, 8, 6, 9, 7, 5), 11), rates(c(5, 5, 9, 3, 6, 7, 6, 4, 5), 11)),
  paired_wilcoxon_case("unlike fractions", rates(c(1, 2, 3, 4, 2, 5, 3), c(2, 3, 9, 6, 4, 10, 5)),
                       rates(c(2, 1, 3, 4, 7, 1, 2), c(6, 4, 4, 8, 10, 3, 9)))
)

# --- proportions of several groups, one proportion -------------------------------------------

chi_square_case <- function(name, k, n) {
  test <- suppressWarnings(prop.test(k, n, correct = FALSE))
  list(name = name, input = list(k = k, n = n), chi2 = num(test$statistic), df = num(test$parameter),
       p = test$p.value)
}
chi_square <- list(chi_square_case("three agents", c(145, 130, 170), c(240, 251, 234)),
                   chi_square_case("two small groups", c(3, 9), c(11, 14)))

binomial_case <- function(k, n, null) {
  test <- binom.test(k, n, null)
  list(input = list(k = k, n = n, null = null), p = test$p.value, limits = num(test$conf.int))
}
binomial_tests <- list(binomial_case(32, 47, 0.5), binomial_case(40, 47, 0.5), binomial_case(3, 3, 0.5),
                 binomial_case(10, 10, 0.5), binomial_case(2, 9, 0.3), binomial_case(0, 6, 0.2))

# --- Spearman correlation --------------------------------------------------------------------

spearman_case <- function(name, x, y, exact) {
  test <- suppressWarnings(cor.test(x, y, method = "spearman", exact = exact))
  list(name = name, input = list(x = x, y = y), rho = num(test$estimate), p = test$p.value)
}
spearman <- list(
  spearman_case("eight agents, exact", c(138.5, 145.3, 133.3, 113.08, 92.3, 81.3, 124.3, 109.8),
                c(0.545, 0.535, 0.52, 0.635, 0.595, 0.54, 0.73, 0.565), TRUE),
  spearman_case("four agents, exact", c(42, 43.9, 39.7, 33.53), c(0.545, 0.535, 0.52, 0.635), TRUE),
  spearman_case("ties", c(1, 2, 2, 3, 5, 4, 7, 6), c(2, 1, 3, 3, 6, 4, 5, 8), FALSE),
  spearman_case("eleven pairs", c(3, 1, 4, 15, 9, 2, 6, 5, 35, 8, 97), c(2, 7, 1, 8, 28, 18, 4, 5, 9, 0, 45), FALSE)
)

# --- trend over ordered groups ----------------------------------------------------------------

# Jonckheere and Terpstra's J and its variance with ties (Hollander and Wolfe 1999, equation 6.19), beside
# Kendall's z of values and places of groups.
jonckheere_case <- function(name, groups) {
  place <- rep(seq_along(groups), lengths(groups)); value <- unlist(groups)
  j <- 0
  for (a in seq_along(groups)) for (b in seq_along(groups)) if (a < b)
    j <- j + sum(outer(groups[[a]], groups[[b]], "<") + outer(groups[[a]], groups[[b]], "==") / 2)
  n <- length(value); m <- lengths(groups); t <- table(value)
  expected <- (n^2 - sum(m^2)) / 4
  f <- function(k) k * (k - 1) * (2 * k + 5)
  g <- function(k) k * (k - 1) * (k - 2)
  h <- function(k) k * (k - 1)
  variance <- (f(n) - sum(f(m)) - sum(f(t))) / 72 + sum(g(m)) * sum(g(t)) / (36 * g(n)) +
    sum(h(m)) * sum(h(t)) / (8 * h(n))
  z <- (j - expected) / sqrt(variance)
  kendall <- suppressWarnings(cor.test(place, value, method = "kendall", exact = FALSE, continuity = FALSE))
  list(name = name, input = groups, z = z, p = 2 * pnorm(-abs(z)), z_kendall = num(kendall$statistic),
       p_kendall = kendall$p.value, tau = num(kendall$estimate))
}
jonckheere <- list(
  # Hollander and Wolfe (1999), example 6.2: knowledge of results and number of pieces made.
  jonckheere_case("knowledge of results", list(c(40, 35, 38, 43, 44, 41), c(38, 40, 47, 44, 40, 42),
                                               c(48, 40, 45, 43, 46, 44))),
  jonckheere_case("four groups of unequal size, falling", list(c(0.9, 1.2, 0.4, 0.9), c(0.3, 0.9, 0.4),
                                                               c(0, 0.4), c(0, -0.5, 0.3, 0, 0.2)))
)

# --- lines through judges' rates, binomial regression ----------------------------------------

slopes_case <- function(name, x, k, n) {
  y <- k / n
  line <- function(i, weights) {
    own <- n[i, ] > 0
    coef(lm(y[i, own] ~ x[own], weights = if (weights) n[i, own]))
  }
  fitted <- function(weights) t(sapply(seq_len(nrow(k)), line, weights = weights))
  list(name = name, input = list(x = x, k = k, n = n), alike = fitted(FALSE), weighted = fitted(TRUE))
}
slopes <- list(
  slopes_case("four judges, a missing cell", c(3, 6, 9, 12),
              matrix(c(1, 2, 0, 2, 2, 1, 1, 0, 0, 3, 1, 2, 1, 1, 2, 0), 4, byrow = TRUE),
              matrix(c(2, 3, 1, 2, 2, 2, 1, 4, 1, 3, 2, 2, 3, 1, 2, 0), 4, byrow = TRUE))
)

regression_case <- function(name, x, right) {
  # right: judges x levels of 0 and 1.
  k <- colSums(right); n <- rep(nrow(right), length(x))
  plain <- summary(glm(cbind(k, n - k) ~ x, family = binomial))$coefficients[2, ]
  long <- data.frame(y = as.vector(right), x = rep(x, each = nrow(right)),
                     judge = rep(seq_len(nrow(right)), length(x)))
  model <- glm(y ~ x, family = binomial, data = long)
  robust <- sqrt(vcovCL(model, cluster = long$judge, type = "HC1")[2, 2])
  list(name = name, input = list(x = x, right = right), slope = num(plain[1]), se = num(plain[2]),
       z = num(plain[3]), p = num(plain[4]), se_clustered = robust)
}
set.seed(1)
judge <- rnorm(20)
regression <- list(
  # The online test: 32, 32, 36 and 40 of 47 right after 1, 2, 4 and 8 exchanges.
  regression_case("online test, order of conversations made up", c(1, 2, 4, 8),
                  sapply(c(32, 32, 36, 40), function(k) as.numeric(seq_len(47) <= k))),
  regression_case("twenty judges", c(1, 2, 3, 5), sapply(c(1, 2, 3, 5), function(x)
    as.numeric(runif(20) < plogis(0.2 * x + judge))))
)

# --- agreement -------------------------------------------------------------------------------

# The formulas of kappam.fleiss in the package irr, which is not in Debian.
kappa_case <- function(name, table) {
  n <- nrow(table); m <- sum(table[1, ])
  agree <- mean((rowSums(table^2) - m) / (m * (m - 1)))
  p <- colSums(table) / (n * m); q <- 1 - p
  chance <- sum(p^2)
  kappa <- (agree - chance) / (1 - chance)
  variance <- 2 / (sum(p * q)^2 * (n * m * (m - 1))) * (sum(p * q)^2 - sum(p * q * (q - p)))
  z <- kappa / sqrt(variance)
  list(name = name, input = table, kappa = kappa, z = z, p = 2 * (1 - pnorm(abs(z))))
}
kappa <- list(
  # Fleiss (1971): six psychiatrists, ten patients.
  kappa_case("ten patients", matrix(c(0, 0, 0, 6, 0, 0, 3, 0, 0, 3, 0, 1, 4, 0, 1, 0, 0, 0, 0, 6, 0, 3, 0, 3, 0,
                                      2, 0, 4, 0, 0, 0, 0, 4, 0, 2, 2, 0, 3, 1, 0, 2, 0, 0, 4, 0, 0, 0, 2, 4, 0), 10, byrow = TRUE)),
  kappa_case("three answers", matrix(c(3, 0, 0, 2, 1, 0, 0, 3, 0, 1, 1, 1, 0, 0, 3, 0, 2, 1), 6, byrow = TRUE))
)

reference <- list(
  made_by = list(R = R.version.string, coin = as.character(packageVersion("coin")),
                 car = as.character(packageVersion("car")),
                 jsonlite = as.character(packageVersion("jsonlite")),
                 pROC = as.character(packageVersion("pROC")),
                 sandwich = as.character(packageVersion("sandwich"))),
  wilcoxon = wilcoxon, friedman = friedman, mann_whitney = mann_whitney, welch = welch,
  groups = groups, two_way = two_way, proportions = proportions, wilson = wilson, adjust = adjust,
  pearson = pearson, effects = effect_sizes, paired_wilcoxon = paired_wilcoxon, chi_square = chi_square,
  binomial = binomial_tests, spearman = spearman, slopes = slopes, regression = regression, kappa = kappa,
  jonckheere = jonckheere
)
write_json(reference, "tests/oracle/reference.json", auto_unbox = TRUE, digits = NA, pretty = 1)
