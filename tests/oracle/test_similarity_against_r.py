"""Similarity statistics against R: stats, psych, vegan (similarity_reference.json), pingouin, rsatoolbox."""

import json
from pathlib import Path

import numpy as np
import pytest

from turingstats.stats import similarity
from turingstats.stats.hypothesis import wilcox

REFERENCE = json.loads(Path(__file__).with_name("similarity_reference.json").read_text())
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


def test_icc_is_that_of_psych():
    value, low, high, n = similarity.icc_agreement(np.array(REFERENCE["raters"]).T)
    assert n == len(REFERENCE["raters"][0])
    assert value == pytest.approx(REFERENCE["icc"]["value"], abs=1e-10)
    assert low == pytest.approx(REFERENCE["icc"]["low"], abs=1e-10)
    assert high == pytest.approx(REFERENCE["icc"]["high"], abs=1e-10)


def test_icc_is_that_of_pingouin():
    import pandas as pd

    pingouin = pytest.importorskip("pingouin")
    raters = np.array(REFERENCE["raters"])
    k, n = raters.shape
    table = pd.DataFrame(
        {
            "pair": np.tile(np.arange(n), k),
            "rater": np.repeat(np.arange(k), n),
            "rating": raters.ravel(),
        }
    )
    result = pingouin.intraclass_corr(table, targets="pair", raters="rater", ratings="rating")
    expected = result.loc[result["Type"].isin(["ICC2", "ICC(A,1)"]), "ICC"].item()
    assert similarity.icc_agreement(raters.T)[0] == pytest.approx(expected, abs=1e-9)


def test_rank_sum_is_that_of_wilcox_test():
    for name in ("ranksum", "ranksum_ties"):
        expected = REFERENCE[name]
        found = wilcox.rank_sum(np.array(expected["x"]), np.array(expected["y"]))
        assert found.statistic == expected["W"]
        assert found.p == pytest.approx(expected["p"], rel=1e-9)


def test_signed_rank_is_that_of_paired_wilcox_test():
    expected = REFERENCE["signed"]
    found = wilcox.signed_rank(np.array(expected["x"]) - np.array(expected["y"]))
    assert found.statistic == expected["V"]
    assert found.p == pytest.approx(expected["p"], rel=1e-9)


@pytest.mark.parametrize(("n1", "n2", "w", "p"), [(20, 20, 292, 0.0122), (8, 12, 75, 0.0387)])
def test_printed_w_and_p_belong_together(n1, n2, w, p):
    # The printed W and p of the paper fit these numbers of models.
    order = np.arange(n1 + n2, dtype=float)
    # Any samples with this W: move first values up one place at a time.
    first = list(order[:n1])
    second = list(order[n1:])
    total = 0
    for i in reversed(range(n1)):
        step = min(n2, w - total)
        first[i] = order[i] + step
        total += step
    taken = set(first)
    second = [value for value in order if value not in taken]
    found = wilcox.rank_sum(np.array(first), np.array(second))
    assert found.statistic == w
    assert found.p == pytest.approx(p, abs=6e-5)


def test_alignment_and_noise_ceiling_are_those_of_rsatoolbox():
    rsatoolbox = pytest.importorskip("rsatoolbox", reason="rsatoolbox is not installed")
    from rsatoolbox.inference import boot_noise_ceiling
    from rsatoolbox.rdm import RDMs, compare

    raters = np.array(REFERENCE["raters"])
    rdms = RDMs(100 - raters)
    assert compare(rdms, rdms, "spearman") == pytest.approx(
        similarity.spearman(raters)[0], abs=1e-9
    )
    lower, upper = boot_noise_ceiling(rdms, method="spearman")
    assert similarity.noise_ceiling(raters) == pytest.approx((lower, upper), abs=1e-9)
    assert rsatoolbox is not None
