"""Generate pairwise similarity ratings with the published alignments and agreement as targets.

Each system has a latent similarity for every pair of items: a step between pairs within and between
categories, plus a part that is normal within each of the two kinds of pairs. The steps, and the correlations
of these parts between systems, are chosen so that the rank correlation of the systems' means is the published
one (``alignments.csv``); correlations that are not printed complete a correlation matrix. Raters add noise,
half of it shared by both orders of a pair, of the size that gives the agreement in ``design.csv``. Ratings
are the ranks of these sums, from 0 to 100. Few ratings of models are refused, and none by people.
"""

import numpy as np
import pandas as pd
from scipy.special import ndtr

from turingstats.stats.resampling import make_generator

STEPS = {"human": 1.4, "spose": 1.8}
USUAL_STEP = 1.2
"""Step of people, and of systems without printed correlations within and between categories."""
USUAL = 0.4
"""Correlation of two systems that is not printed, before the matrix is completed."""
REFUSED = 0.003


def generate_files(tables: dict[str, pd.DataFrame], seed: int) -> dict[str, pd.DataFrame]:
    """Generate ratings and distances as docs/ratings.md has them."""
    rng = make_generator(seed, "ratings")
    design, items = tables["design"].set_index("system"), tables["items"]
    design = design.assign(**design[["participants", "icc"]].apply(pd.to_numeric))
    latents = draw_latents(rng, design, tables["alignments"], items)
    ratings, distances = [], []
    for system, latent in zip(design.index, latents, strict=True):
        own = design.loc[system]
        members = np.flatnonzero([own["items"] in sets.split() for sets in items["sets"]])
        rated = np.isfinite(own["participants"])
        # People saw each pair in one order, models in both, and identical items too.
        a, b = np.indices((len(members), len(members))).reshape(2, -1)
        if system == "human" or not rated:
            a, b = np.triu_indices(len(members), 1)
        a, b = members[a], members[b]
        pairs = {"system": pd.Categorical([system] * len(a), design.index)}
        pairs |= {f"item_{side}": name_items(items, of) for side, of in (("a", a), ("b", b))}
        if not rated:
            pairs["distance"] = (1 - ndtr(latent[a, b])).round(6)
            distances.append(pd.DataFrame(pairs))
            continue
        icc = own["icc"]
        if system != "human":
            # Identical items add 3 times their share to the variance of uniform ratings, without noise.
            icc -= 3 / len(members) * (1 - icc)
        for participant in range(int(own["participants"])):
            rating = draw_ratings(rng, latent, icc)[a, b]
            refused = (rng.random(len(a)) < REFUSED) & (system != "human")
            status = pd.Categorical.from_codes(refused.astype(int), ["ok", "refused"])
            named = {
                "participant": f"S{participant + 1}",
                "rating": np.where(refused, np.nan, rating),
            }
            ratings.append(pd.DataFrame(pairs | named | {"status": status}))
    return {
        "ratings.parquet": pd.concat(ratings, ignore_index=True),
        "distances.parquet": pd.concat(distances, ignore_index=True),
        "items.csv": items[["item", "category", "sets"]],
    }


def name_items(items: pd.DataFrame, numbers: np.ndarray) -> pd.Categorical:
    """Name items by their numbers."""
    return pd.Categorical.from_codes(numbers, items["item"])


def draw_ratings(rng: np.random.Generator, latent: np.ndarray, icc: float) -> np.ndarray:
    """Draw the ratings of one rater of all pairs of items, in steps of 5."""
    # Ranks of normal values with this correlation have the correlation icc.
    shared = 2 * np.sin(np.pi * icc / 6)
    lasting = np.triu(rng.standard_normal(latent.shape))
    lasting += np.triu(lasting, 1).T
    noise = (lasting + rng.standard_normal(latent.shape)) / np.sqrt(2)
    return 5 * np.round(20 * ndtr(np.sqrt(shared) * latent + np.sqrt(1 - shared) * noise))


def draw_latents(
    rng: np.random.Generator, design: pd.DataFrame, alignments: pd.DataFrame, items: pd.DataFrame
) -> np.ndarray:
    """Draw latent similarities (systems x items x items, standardized), with the printed correlations."""
    rows, columns = np.triu_indices(len(items), 1)
    category = items["category"].to_numpy()
    within = category[rows] == category[columns]
    # The mean of a few raters correlates less than the latent value.
    k, icc = design["participants"], design["icc"]
    reliability = (k * icc / (1 + (k - 1) * icc)).fillna(1)
    # If the text and a table print values for different sets of items, that of the text is used.
    names = ["system_a", "system_b", "pairs"]
    printed = alignments.sort_values("task", kind="stable").drop_duplicates(names)
    pearson = 2 * np.sin(np.pi * printed["rho"].astype(float) / 6)
    for side in names[:2]:
        pearson /= np.sqrt(printed[side].map(reliability))
    printed = printed.assign(pearson=pearson).pivot(
        index=names[:2], columns="pairs", values="pearson"
    )
    share = np.array([within.mean(), 1 - within.mean()])
    steps = find_steps(printed.dropna(), design.index, share)
    # What the steps leave of a correlation over all pairs.
    spread = np.sqrt(1 + share.prod() * steps**2)
    one, other = (printed.index.get_level_values(side) for side in names[:2])
    left = printed["all"] * spread[one].to_numpy() * spread[other].to_numpy()
    left -= share.prod() * steps[one].to_numpy() * steps[other].to_numpy()
    latents = np.empty((len(design), *[len(items)] * 2))
    for kind, here in (("within", within), ("between", ~within)):
        target = complete_correlations(printed[kind], left, design.index)
        # Without any correlation in the sample itself.
        drawn = rng.standard_normal((here.sum(), len(design)))
        plain = np.linalg.qr(drawn - drawn.mean(axis=0))[0].T * np.sqrt(here.sum())
        values = np.linalg.cholesky(target) @ plain
        values += steps.to_numpy()[:, None] * (share[1] if kind == "within" else -share[0])
        values /= spread.to_numpy()[:, None]
        latents[:, rows[here], columns[here]] = latents[:, columns[here], rows[here]] = values
    # Identical items.
    diagonal = np.arange(len(items))
    latents[:, diagonal, diagonal] = 5
    return latents


def find_steps(printed: pd.DataFrame, names: pd.Index, share: np.ndarray) -> pd.Series:
    """Find the steps that, with correlations within and between, give those over all pairs."""
    steps = pd.Series(USUAL_STEP, names)
    steps.update(pd.Series(STEPS))
    options = np.linspace(0, 4, 401)
    for (people, system), row in printed.iterrows():
        parts = share @ row[["within", "between"]]
        reached = parts + share.prod() * STEPS[people] * options
        for step in (STEPS[people], options):
            reached = reached / np.sqrt(1 + share.prod() * step**2)
        steps[system] = options[np.abs(reached - row["all"]).argmin()]
    return steps


def complete_correlations(exact: pd.Series, about: pd.Series, names: pd.Index) -> np.ndarray:
    """Complete a correlation matrix of systems, from entries that are kept and others to start from.

    Kept entries, and those with people, are restored and the nearest positive matrix is taken in turn
    (Higham 2002, IMA Journal of Numerical Analysis 22: 329-343); functions of libraries keep no entries.
    """
    with_people = about.index.to_frame().isin(["human", "spose"]).any(axis=1)
    fixed, matrix = (
        half.unstack().reindex(index=names, columns=names).to_numpy()
        for half in (exact.fillna(about.where(with_people)), about)
    )
    fixed, matrix = (np.fmax(half, half.T).clip(-0.985, 0.985) for half in (fixed, matrix))
    matrix[np.isnan(matrix)] = USUAL
    for _ in range(300):
        matrix = np.where(np.isnan(fixed), matrix, fixed)
        np.fill_diagonal(matrix, 1)
        values, axes = np.linalg.eigh(matrix)
        matrix = (axes * values.clip(1e-4)) @ axes.T
    return matrix
