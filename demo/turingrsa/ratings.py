"""Generate pairwise similarity ratings with the published alignments and agreement as targets.

Each system has a latent similarity for every pair of items: a step between pairs within and between
categories, plus a part that is normal within each of the two kinds of pairs. The correlations of these
parts between systems, and the steps, are chosen so that the rank correlation of the systems' means is
the published one, where one is printed (``alignments.csv``); the rest is filled in from `FAMILY` and made a
proper correlation matrix. Raters add their own noise, half of it shared by both orders of a pair, of the
size that gives the agreement in ``design.csv``. Ratings are the latent values on a scale from 0 to 100,
skewed toward low ratings, in steps of 2 (people) or 5 (models).

Refusals follow the paper's account: content filters for some items and names with GPT-4o, answers that
are not a number, words that some open models would not rate.
"""

from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import union_categoricals
from scipy.special import ndtr

from turingstats.stats.resampling import make_generator
from turingstats.stats.similarity import icc_agreement, index_pairs

SURNAMES = "Garcia Jeanbaptiste Kim Nguyen Olson Rodriguez Smalls Snyder".split()
HONORIFICS = "Dr. Mr. Ms.".split()
FEW_SURNAMES, FEW_HONORIFICS = "Garcia Nguyen Olson Smalls".split(), "Mr. Ms.".split()
# Correlations of systems for which no value is printed: two runs of one model on the same material, models on
# the same material, one model on different material, anything else.
FAMILY = (0.94, 0.70, 0.60, 0.40)
STEP = {"human": 1.4, "spose": 1.8}
# Exponent applied to the uniform scale: the larger, the more ratings near 0. By model; images and
# descriptions get more low ratings.
SKEW = {"gpt35": 1.5, "gpt4": 3.0, "gpt4o": 2.6, "gpt4omini": 2.2, "gemma": 1.4, "gemma2": 2.4}
SKEW |= {"llama2": 1.0, "llama2u": 0.9, "mistral": 1.7, "bert": 0.6, "albert": 0.5, "ada": 0.8}
USUAL_SKEW, MORE_FOR_IMAGES = 2.0, 1.2
LARGEST = 0.985  # correlation of latent parts
FILTERED = {"items": ("pineapple", "woman", "cow"), "names": ("Kim", "Nguyen", "Jeanbaptiste")}
UNWILLING = {"items": ("gun", "woman"), "systems": ("gemma", "llama2", "llama2u")}


def generate_files(tables: dict[str, pd.DataFrame], seed: int) -> dict[str, pd.DataFrame]:
    """Generate ratings and distances as docs/ratings.md has them.

    `design` has system, items (its task), participants (missing: distances) and icc.
    """
    numbers = ["participants", "icc"]
    design = tables["design"].assign(**tables["design"][numbers].apply(pd.to_numeric))
    alignments = tables["alignments"].astype({"rho": float})
    items = tables["items"]
    latent = generate_latents(design, alignments, items, seed)
    ratings, distances = [], []
    for row in design.itertuples():
        members = np.flatnonzero([row.items in text.split() for text in items["sets"]])
        similar = latent[row.system][np.ix_(members, members)]
        names = items["item"].to_numpy()[members]
        if np.isnan(row.participants):
            rows, columns = index_pairs(len(members))
            distance = 1 - scale_latents(similar[rows, columns], row.system) / 100
            pairs = {"item_a": names[rows], "item_b": names[columns]}
            distances.append(
                pd.DataFrame({"system": row.system, **pairs, "distance": distance.round(6)})
            )
        else:
            rng = make_generator(seed, f"ratings.{row.system}")
            ratings.append(simulate_ratings(row, similar, names, rng))
    return {
        "ratings.parquet": join_tables(ratings),
        "distances.parquet": pd.concat(distances, ignore_index=True),
        "items.csv": items[["item", "category", "sets"]],
    }


def join_tables(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Concatenate tables, with text columns as categories."""
    columns = {}
    for name in parts[0]:
        own = [part[name] for part in parts]
        if isinstance(own[0].dtype, pd.CategoricalDtype):
            columns[name] = union_categoricals(own, sort_categories=True)
        else:
            columns[name] = np.concatenate([column.to_numpy() for column in own])
    return pd.DataFrame(columns)


# --- latent similarities -----------------------------------------------------------------------


def generate_latents(
    design: pd.DataFrame, alignments: pd.DataFrame, items: pd.DataFrame, seed: int
) -> dict[str, np.ndarray]:
    """Draw latent similarities (items x items, standardized) of all systems with the printed correlations."""
    names = list(design["system"])
    rows, columns = index_pairs(len(items))
    category = items["category"].to_numpy()
    within = category[rows] == category[columns]
    common = items["sets"].str.contains("objects").to_numpy()
    shared = common[rows] & common[columns]
    share = np.array([within.mean(), 1 - within.mean()])
    targets, steps = find_latent_correlations(design, alignments, share)
    rng = make_generator(seed, "ratings.latent")
    values = np.full((len(names), len(rows)), np.nan)
    for kind, here in enumerate((within, ~within)):
        factor = np.linalg.cholesky(targets[kind])
        # Exact in each part, so that the correlations hold on the common items as well as on all.
        for part in (here & shared, here & ~shared):
            values[:, part] = factor @ draw_uncorrelated_values(len(names), part.sum(), rng)
        values[:, here] += steps[:, None] * (share[1] if kind == 0 else -share[0])
    values /= np.sqrt(1 + share.prod() * steps**2)[:, None]
    found = {}
    for name, vector in zip(names, values, strict=True):
        matrix = np.full((len(items), len(items)), 5.0)
        matrix[rows, columns] = matrix[columns, rows] = vector
        found[name] = matrix
    return found


def draw_uncorrelated_values(systems: int, pairs: int, rng: np.random.Generator) -> np.ndarray:
    """Draw normal values with mean 0, variance 1 and no correlation in the sample itself."""
    drawn = rng.standard_normal((pairs, systems))
    drawn -= drawn.mean(axis=0)
    left, _, right = np.linalg.svd(drawn, full_matrices=False)
    return np.sqrt(pairs) * (left @ right).T


def find_latent_correlations(
    design: pd.DataFrame, alignments: pd.DataFrame, share: np.ndarray
) -> tuple[list[np.ndarray], np.ndarray]:
    """Find correlations (systems x systems) within and between categories, and the step of each system."""
    names = list(design["system"])
    place = {name: number for number, name in enumerate(names)}
    # The mean of a few raters correlates less than the latent value.
    k, icc = design["participants"].to_numpy(), design["icc"].to_numpy()
    reliable = np.where(np.isnan(k), 1, k * icc / (1 + (k - 1) * icc))
    printed, bound = {"all": {}, "within": {}, "between": {}}, set()
    people = {place["human"], place["spose"]}
    # If the text and a table print values for different sets of items, that of the text is used.
    for row in alignments.sort_values("task", kind="stable").itertuples():
        a, b = place[row.system_a], place[row.system_b]
        pearson = 2 * np.sin(np.pi * row.rho / 6) / np.sqrt(reliable[a] * reliable[b])
        printed[row.pairs].setdefault((min(a, b), max(a, b)), pearson)
        if row.pairs == "all" and (row.task == "objects" or people & {a, b}):
            bound.add((min(a, b), max(a, b)))
    whole = np.array([[assume_correlation(a, b) for b in names] for a in names])
    for (a, b), value in printed["all"].items():
        whole[a, b] = whole[b, a] = value
    product = share.prod()
    steps = np.array([STEP.get(name, 1.2) for name in names])
    for name in names:
        if name not in STEP:
            steps[place[name]] = find_step(place[name], place, whole, printed, share, steps)
    scale = np.sqrt(1 + product * steps**2)
    # The part of a correlation that the steps do not make; the same in both kinds of pairs.
    left = whole * np.outer(scale, scale) - product * np.outer(steps, steps)
    targets = []
    for kind in ("within", "between"):
        # Values in the text are fixed; the table's correlations of two models are starting values.
        fixed = {key: left[key] for key in bound} | printed[kind]
        matrix = left.copy()
        for (a, b), value in fixed.items():
            matrix[a, b] = matrix[b, a] = value
        targets.append(repair_correlations(np.clip(matrix, -LARGEST, LARGEST), fixed))
    return targets, steps


def find_step(
    at: int,
    place: dict[str, int],
    whole: np.ndarray,
    printed: dict[str, dict[tuple[int, int], float]],
    share: np.ndarray,
    steps: np.ndarray,
) -> float:
    """Find the step of a system that gives its correlation with its reference over all pairs."""
    options = [place["human"], place["spose"]]
    for reference in options[::-1]:
        key = (min(at, reference), max(at, reference))
        if key in printed["within"]:
            parts = share @ [printed[kind][key] for kind in ("within", "between")]
            grid = np.linspace(-1, 4, 501)
            product = share.prod()
            scale = np.sqrt((1 + product * steps[reference] ** 2) * (1 + product * grid**2))
            reached = (parts + product * steps[reference] * grid) / scale
            return grid[np.abs(reached - whole[key]).argmin()]
    # Systems with almost no alignment have almost no step.
    best = max(whole[at, reference] for reference in options)
    return 1.2 * np.clip(best, 0.05, 0.9) / 0.6


def assume_correlation(one: str, other: str) -> float:
    """Choose the correlation of two systems for which none is printed, by their names."""
    if one == other:
        return 1.0
    models = one.split("_")[0], other.split("_")[0]
    material = [
        "_".join(part for part in name.split("_")[1:] if part in ("carlson", "things", "desc"))
        for name in (one, other)
    ]
    if "albert" in (one, other):
        return 0.0
    if {"bert", "ada", "glove"} & {one, other} or "alexnet" in models:
        return 0.3
    same_model, same_material = models[0] == models[1], material[0] == material[1]
    if same_model and same_material:
        return FAMILY[0]
    if same_material:
        return FAMILY[1]
    return FAMILY[2] if same_model else FAMILY[3]


def repair_correlations(matrix: np.ndarray, fixed: dict[tuple[int, int], float]) -> np.ndarray:
    """Find a positive definite correlation matrix near a matrix, keeping printed entries where possible.

    Alternating projections (Higham 2002, IMA Journal of Numerical Analysis 22: 329-343), with the printed
    entries restored in each round.
    """
    rows, columns = np.array(list(fixed)).T
    kept = np.clip(list(fixed.values()), -LARGEST, LARGEST)
    for _ in range(300):
        matrix[rows, columns] = matrix[columns, rows] = kept
        np.fill_diagonal(matrix, 1)
        values, axes = np.linalg.eigh(matrix)
        matrix = (axes * np.maximum(values, 1e-4)) @ axes.T
    scale = np.sqrt(np.diag(matrix))
    return matrix / np.outer(scale, scale)


# --- ratings -----------------------------------------------------------------------------------


def scale_latents(latent: np.ndarray, system: str) -> np.ndarray:
    """Map latent values to a scale from 0 to 100 on which low values are common."""
    seen = "carlson" in system or "things" in system
    power = SKEW.get(system.split("_")[0], USUAL_SKEW) + MORE_FOR_IMAGES * seen
    return 100 * ndtr(latent) ** power


def simulate_ratings(
    row: Any, similar: np.ndarray, names: np.ndarray, rng: np.random.Generator
) -> pd.DataFrame:
    """Draw every trial of every participant of one system, a row of the design."""
    n, k = len(names), int(row.participants)
    human = row.system == "human"
    people = name_participants(row.system, k)
    # Participants differ in how much individual noise they add, people more than models.
    spread = np.geomspace(0.65, 1.3, k) if human else np.geomspace(0.9, 1.1, k)
    if human:  # the fifth the least
        spread = np.roll(spread, 4)
    lasting = np.triu(rng.standard_normal((k, n, n)), 1)
    lasting += lasting.transpose(0, 2, 1)
    noise = (lasting + rng.standard_normal((k, n, n))) / np.sqrt(2) * spread[:, None, None]
    if human:
        noise = lasting * spread[:, None, None]
    shift = rng.standard_normal(k)[:, None, None]
    step = 2 if human else 5

    def draw_ratings(size):
        latent = similar + size * (noise + 0.3 * shift)
        return step * np.round(scale_latents(latent / np.sqrt(1 + size**2), row.system) / step)

    rows, columns = index_pairs(n)

    def measure_agreement(size):
        drawn = draw_ratings(size)
        cells = drawn[:, rows, columns] if human else drawn.reshape(k, -1)
        return icc_agreement(cells.T)[0]

    low, high = 0.02, 4.0
    for _ in range(9):
        middle = np.sqrt(low * high)
        low, high = (middle, high) if measure_agreement(middle) > row.icc else (low, middle)
    drawn = draw_ratings(np.sqrt(low * high))
    if human:  # each pair in one order, the same for all
        swap = rng.random(len(rows)) < 0.5
        a, b = np.where(swap, columns, rows), np.where(swap, rows, columns)
    else:
        a, b = (grid.ravel() for grid in np.indices((n, n)))
    values = drawn[:, a, b].ravel()
    status = draw_statuses(row.system, people, names, a, b, rng)
    values[status > 0] = np.nan
    category = pd.Categorical.from_codes
    return pd.DataFrame(
        {
            "system": category(np.zeros(len(values), dtype=int), [row.system]),
            "participant": category(np.repeat(np.arange(k), len(a)), people),
            "item_a": category(np.tile(a, k), names),
            "item_b": category(np.tile(b, k), names),
            "rating": values,
            "status": category(status, ["ok", "refused", "filtered"]),
        }
    )


def name_participants(system: str, number: int) -> list[str]:
    """Name participants: people by number, models by the name they were given or by run."""
    if system == "human":
        return [f"S{place}" for place in range(1, number + 1)]
    if system.endswith("_rep"):
        return [f"run {place:02d}" for place in range(1, number + 1)]
    few = number == len(FEW_SURNAMES) * len(FEW_HONORIFICS)
    surnames, honorifics = (FEW_SURNAMES, FEW_HONORIFICS) if few else (SURNAMES, HONORIFICS)
    return [f"{title} {name}" for name in surnames for title in honorifics]


def draw_statuses(
    system: str,
    people: list[str],
    names: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Draw 0 for a trial with a rating, 1 for one that the model refused, 2 for one that was filtered."""
    chance = rng.random((len(people), len(a)))
    status = np.zeros(chance.shape, dtype=int)
    if system == "human":
        return status.ravel()
    status[chance < 0.003] = 1
    if system in UNWILLING["systems"]:
        hard = np.isin(names, UNWILLING["items"])
        status[:, hard[a] | hard[b]] = chance[:, hard[a] | hard[b]] < 0.2
    if system in ("gpt4o", "gpt4omini"):
        named = [person.split()[-1] in FILTERED["names"] for person in people]
        caught = np.isin(names, FILTERED["items"])
        at = np.ix_(named, caught[a] | caught[b])
        status[at] = np.where(chance[at] < 0.1, 2, status[at])
    return status.ravel()
