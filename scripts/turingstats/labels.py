"""Names of tests, and the threshold of the marks, as figures and captions give them."""

THRESHOLD = 0.05
"""Corrected p below which figures mark a difference."""

TESTS = {
    "binomial": "exact binomial test",
    "anova_one_way": "one-way analysis of variance",
    "friedman": "Friedman test",
    "jonckheere": "Jonckheere\N{EN DASH}Terpstra test",
    "kruskal": "Kruskal\N{EN DASH}Wallis test",
    "linear_regression": "linear regression",
    "mann_whitney": "Mann\N{EN DASH}Whitney test",
    "pearson": "Pearson correlation",
    "permutation": "permutation test",
    "spearman": "Spearman correlation",
    "welch_t": "Welch's t test",
    "welch_t_random": "Welch's t test against random values",
    "wilcoxon": "Wilcoxon signed-rank test",
    "wilcoxon_ranksum": "Wilcoxon rank-sum test",
}
