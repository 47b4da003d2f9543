"""Similarity statistics against R: stats, psych, vegan (similarity_reference.json), rsatoolbox."""

import numpy as np
import pytest
from project import read_reference
from scipy.stats import norm

from turingstats.stats import similarity
from turingstats.stats.hypothesis import ranks

REFERENCE = read_reference("similarity_reference")
VECTORS = np.array(REFERENCE["vectors"], dtype=float)
ITEMS = REFERENCE["items"]


def test_rank_correlations_and_their_p_are_those_of_cor_test():
    rho, n = similarity.spearman(VECTORS)
    p = similarity.compute_rho_p(rho, n)
    for row in REFERENCE["spearman"]:
        at = row["i"], row["j"]
        assert rho[at] == pytest.approx(row["rho"], abs=1e-12)
        assert p[at] == pytest.approx(row["p"], rel=1e-9)
    assert n[0, 2] == VECTORS.shape[1] - 3
    few = np.array([[1, 2, 4, np.nan], [1, 3, 2, 5]])
    assert similarity.spearman(few)[0][0, 1] == pytest.approx(0.5)
    assert np.isnan(similarity.spearman(few[:, 1:])[0][0, 1])


def test_mantel_test_is_that_of_vegan():
    complete = np.delete(VECTORS, 2, axis=0)
    place = {0: 0, 1: 1, 3: 2}
    p, adjusted = similarity.mantel(complete, ITEMS, 20_000, np.random.default_rng(1))
    rho = similarity.spearman(complete)[0]
    for row in REFERENCE["mantel"]:
        at = place[row["i"]], place[row["j"]]
        assert rho[at] == pytest.approx(row["rho"], abs=1e-9)
        # Monte Carlo on both sides.
        error = 4 * np.sqrt(row["p_two_sided"] * (1 - row["p_two_sided"]) / 20_000) + 1e-4
        assert p[at] == pytest.approx(row["p_two_sided"], abs=error)
        assert adjusted[at] >= p[at]
    against_first, _ = similarity.mantel(
        complete, ITEMS, 20_000, np.random.default_rng(2), reference=0
    )
    assert against_first[2] == pytest.approx(p[0, 2], abs=0.02)
    # However three items are relabeled, their pairs correlate by 0.5 or more: every draw counts, once.
    three = np.array([[1, 2, 3], [2, 1, 3.0]])
    for found in similarity.mantel(three, 3, 150, np.random.default_rng(3)):
        np.testing.assert_array_equal(found, [[np.nan, 1], [1, np.nan]])


def test_icc_is_that_of_psych():
    raters = np.array(REFERENCE["raters"]).T
    value, low, high, n = found = similarity.icc_agreement(raters)
    # A pair that one rater lacks is left out.
    incomplete = np.vstack([raters, np.full(raters.shape[1], 50.0)])
    incomplete[-1, 0] = np.nan
    assert similarity.icc_agreement(incomplete) == found
    # The unit of a scale does not matter.
    assert similarity.icc_agreement(raters / 1000) == pytest.approx(found)
    # Raters who differ by one point throughout have no error, from which an interval would follow.
    value_apart, *limits, _ = similarity.icc_agreement(np.array([[1, 2], [2, 3], [3, 4], [5, 6.0]]))
    assert value_apart == pytest.approx(35 / 41) and np.isnan(limits).all()
    assert n == len(REFERENCE["raters"][0])
    assert value == pytest.approx(REFERENCE["icc"]["value"], abs=1e-10)
    assert low == pytest.approx(REFERENCE["icc"]["low"], abs=1e-10)
    assert high == pytest.approx(REFERENCE["icc"]["high"], abs=1e-10)


def test_rank_sum_and_signed_rank_are_those_of_wilcox_test():
    for name in ("ranksum", "ranksum_ties"):
        expected = REFERENCE[name]
        found = ranks.rank_sum(np.array(expected["x"]), np.array(expected["y"]))
        assert found.statistic == expected["W"]
        assert found.p == pytest.approx(expected["p"], rel=1e-9)
        assert found.effect == expected["W"] / (len(expected["x"]) * len(expected["y"]))
    expected = REFERENCE["signed"]
    found = ranks.signed_rank(np.array(expected["x"]) - np.array(expected["y"]))
    assert found.statistic == expected["V"]
    assert ranks.signed_rank(np.array([1.0, 2, -3])).statistic == 3
    assert found.p == pytest.approx(expected["p"], rel=1e-9)
    # Ties and zeros: a normal distribution with their variance, with correction for continuity.
    for values, v, variance in (([1, 1, 2, -3, 4], 11, 54.5 / 4), ([0, 1, 2, 3], 6, 14 / 4)):
        found = ranks.signed_rank(np.array(values, float))
        n = np.count_nonzero(values)
        z = (v - n * (n + 1) / 4 - 0.5) / np.sqrt(variance)
        assert (found.statistic, found.p) == (v, pytest.approx(2 * norm.sf(z)))
        assert found.effect == pytest.approx(4 * v / (n * (n + 1)) - 1)


def test_noise_ceiling_is_that_of_rsatoolbox():
    # boot_noise_ceiling(RDMs(100 - raters), method="spearman") of rsatoolbox 0.3.2.
    expected = (0.604148807947687, 0.7325984325694859)
    raters = np.array(REFERENCE["raters"])
    assert similarity.noise_ceiling(raters) == pytest.approx(expected)
    # Of two, each is the other one's group.
    both = similarity.spearman(raters[0], raters[1])[0]
    assert similarity.noise_ceiling(raters[:2])[0] == pytest.approx(both)
