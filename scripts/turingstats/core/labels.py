"""Names and words of tests, and the threshold of the marks, as figures and captions give them."""

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


def either(words):
    """Words joined by "or"."""
    words = list(words)
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def joined(words):
    """Words joined by "and"."""
    words = list(words)
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def family_of(sizes):
    """How many tests were corrected together, in words; `sizes` of several families in any order."""
    sizes = sorted({int(size) for size in sizes})
    return f"family of {either(map(str, sizes))} {'test' if sizes == [1] else 'tests'}"


def span_text(value, low, high):
    """A number with its interval, such as "0.43 (0.10 to 0.68)"; what is not known is said so."""
    if value != value:
        return "not defined"
    # Added to 0, a rounded number is never -0.
    shown, low, high = (f"{round(number, 2) + 0.0:.2f}" for number in (value, low, high))
    return shown if low == "nan" else f"{shown} ({low} to {high})"
