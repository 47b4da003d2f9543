"""Tables of a study of similarity ratings: alignments, agreement, tests and sizes, in both readings.

| | published | recommended |
| --- | --- | --- |
| pairs rated in both orders | one order: the earlier item first | mean of both |
| p of an alignment | Student's t over pairs | Mantel: items relabelled |
| correction | Bonferroni over all pairs of systems | maximum over all pairs of systems |
| error of an alignment | none | jackknife over items and over the raters of both systems |
| within against between categories | rank sum, models as independent | signed rank, each model with itself |
| ICC | all ratings, identical items included | pairs of different items, mean of both orders |
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy
from scipy.stats import mannwhitneyu, rankdata, wilcoxon

from turingstats.config.ratings_study import PAIRS
from turingstats.data.schema import TESTS
from turingstats.ratings import raw_ratings as ratings_of
from turingstats.stats import similarity
from turingstats.stats.resampling import generator

ALIGNMENT = (
    "alignment_id study task system_a system_b pairs reading value n se ci_low ci_high p p_adjusted "
    "correction family_size method"
).split()
AGREEMENT = (
    "agreement_id study task system quantity reading value n n_raters ci_low ci_high method"
).split()
INDIVIDUALS = "individual_id study task system participant with rater reading value n".split()
SIZES = "size_id study task system quantity value".split()


@dataclass(frozen=True)
class Compared:
    """The systems of a task in one reading, as vectors of pairs.

    Attributes
    ----------
    task, reading : str
    names : list of str
        Systems at hand, those of sweeps last.
    family : int
        How many of them are compared all with all.
    raters : dict of str to array, shape (participants, pairs)
        Of systems with raters.
    participants : dict of str to list of str
    grids : dict of str to array
        Every rating, for the published agreement.
    groups : array, shape (systems, pairs)
        Mean of the raters, or what an embedding says.
    categories : array of int, shape (items,)
    labels : list of str
        Names of the items.
    """

    task: str
    reading: str
    names: list
    family: int
    raters: dict
    participants: dict
    grids: dict
    groups: np.ndarray
    categories: np.ndarray
    labels: list

    @property
    def n_items(self):
        """Number of items."""
        return len(self.categories)

    def place(self, system):
        """Row of a system in `groups`."""
        return self.names.index(system)

    def where(self, pairs):
        """Which pairs are of one category (within), of two (between), or all."""
        rows, columns = similarity.triangle(self.n_items)
        same = self.categories[rows] == self.categories[columns]
        return {"all": np.ones_like(same), "within": same, "between": ~same}[pairs]

    @property
    def kinds(self):
        """Kinds of pairs to look at: without categories, all pairs alone."""
        return PAIRS if self.where("between").sum() >= 3 <= self.where("within").sum() else ["all"]


def compared(study, task, reading, found, distances, items):
    """The systems of a task in one reading.

    Parameters
    ----------
    study : RatingsStudy
    task, reading : str
    found : dict of str to Rated
    distances : pandas.DataFrame
    items : pandas.DataFrame

    Returns
    -------
    Compared
    """
    members = np.flatnonzero(items[task])
    found = ratings_of.of_task(found, members, reading)
    embedded = ratings_of.embedded(distances, members, items)
    names = [name for name in study.systems_of(task) if name in found or name in embedded]
    raters, grids, groups = {}, {}, []
    for name in names:
        if name in found:
            raters[name] = ratings_of.vectors(found[name], members, reading)
            groups.append(similarity.mean_of(raters[name]))
            if not found[name].mirrored:
                grids[name] = ratings_of.all_ratings(found[name], members)
        else:
            groups.append(ratings_of.of_embedding(distances, name, members, items))
    own = items.iloc[members]
    return Compared(
        task,
        reading,
        names,
        sum(name in study.tasks[task].systems for name in names),
        raters,
        {name: found[name].participants for name in raters},
        grids,
        np.array(groups) if groups else np.empty((0, len(similarity.triangle(len(members))[0]))),
        np.unique(own["category"].astype(str), return_inverse=True)[1],
        list(own["item"].astype(str)),
    )


# --- alignment of groups -----------------------------------------------------------------------


def alignments(study, systems, options):
    """Alignment of all systems with each other, and with the references by kind of pair.

    Parameters
    ----------
    study : RatingsStudy
    systems : Compared
    options : dict
        seed, n_permutation, confidence.

    Returns
    -------
    list of dict
        Rows with columns `ALIGNMENT`.
    """
    every = np.arange(len(systems.names))
    family = every[: systems.family]
    comparisons = systems.family * (systems.family - 1) // 2
    rows = []
    references = [r for r in study.tasks[systems.task].references if r in systems.names]
    recommended = systems.reading == "recommended"
    errors = {}
    if recommended:
        errors = {pairs: standard_errors(systems, pairs) for pairs in systems.kinds}
    # All with all.
    rho, n = similarity.spearman(systems.groups[family])
    if len(family) < 2:
        p = adjusted = np.full(rho.shape, np.nan)
    elif recommended:
        p, adjusted = similarity.mantel(
            systems.groups[family],
            systems.n_items,
            options["n_permutation"],
            generator(options["seed"], f"{study.study}.{systems.task}.mantel"),
        )
    else:
        p = similarity.p_of_rho(rho, n)
        adjusted = np.minimum(p * comparisons, 1)
    for a in family:
        for b in family[a + 1 :]:
            cell = {"value": rho[a, b], "n": n[a, b], "p": p[a, b], "p_adjusted": adjusted[a, b]}
            error = errors["all"][a, b] if recommended else np.nan
            rows.append(entry(study, systems, a, b, "all", cell, error, comparisons, options))
    # Sweeps with the references, and all systems by kind of pair.
    for reference in references:
        at = systems.place(reference)
        for pairs in systems.kinds:
            where = systems.where(pairs)
            others = every[systems.family :] if pairs == "all" else every[every != at]
            if len(others) == 0:
                continue
            cut = np.where(where, systems.groups, np.nan)
            rho, n = (table[0] for table in similarity.spearman(cut[at], cut))
            if recommended:
                chosen = np.append(at, others)
                # Relabelled within categories, so that a pair within one stays such.
                p, adjusted = similarity.mantel(
                    systems.groups[chosen],
                    systems.n_items,
                    options["n_permutation"],
                    generator(options["seed"], f"{study.study}.{systems.task}.{reference}.{pairs}"),
                    categories=None if pairs == "all" else systems.categories,
                    where=where,
                    reference=0,
                )
                p, adjusted = (spread_to(values, chosen, len(every)) for values in (p, adjusted))
                size = len(others)
            else:
                p = similarity.p_of_rho(rho, n)
                adjusted, size = np.minimum(p * comparisons, 1), comparisons
            for b in others:
                cell = {"value": rho[b], "n": n[b], "p": p[b], "p_adjusted": adjusted[b]}
                error = errors[pairs][at, b] if recommended else np.nan
                rows.append(entry(study, systems, at, b, pairs, cell, error, size, options))
    return rows


def spread_to(values, places, size):
    """Values at their places of a longer vector."""
    whole = np.full(size, np.nan)
    whole[places] = values
    return whole


def entry(study, systems, a, b, pairs, cell, error, family_size, options):
    """A row of the table of alignments."""
    published = systems.reading == "published"
    one, other = systems.names[a], systems.names[b]
    low, high = similarity.interval_of_rho(cell["value"], error, options["confidence"])
    within = "" if pairs == "all" else " within categories"
    return cell | {
        "alignment_id": f"{systems.task}.{one}.{other}.{pairs}",
        "study": study.study,
        "task": systems.task,
        "system_a": one,
        "system_b": other,
        "pairs": pairs,
        "reading": systems.reading,
        "se": error,
        "ci_low": float(low),
        "ci_high": float(high),
        "correction": "bonferroni" if published else "maximum",
        "family_size": family_size,
        "method": "Spearman; t with n - 2 degrees of freedom"
        if published
        else f"Spearman; Mantel, {options['n_permutation']} relabellings{within}; jackknife over "
        "items and raters",
    }


def standard_errors(systems, pairs):
    """Standard errors of all alignments: items and the raters of both systems were sampled.

    Returns
    -------
    array, shape (systems, systems)
        Root of the summed jackknife variances.
    """
    where, n_items = systems.where(pairs), systems.n_items
    groups = similarity.Ranked(systems.groups)
    items = [
        similarity.spearman(groups.on(where & similarity.without_item(n_items, item)))[0]
        for item in range(n_items)
    ]
    variance = similarity.jackknife(items) ** 2
    groups = groups.on(where)
    for at, name in enumerate(systems.names):
        raters = systems.raters.get(name)
        if raters is None or len(raters) < 2:
            continue
        left_out = similarity.Ranked(
            [similarity.mean_of(np.delete(raters, k, axis=0)) for k in range(len(raters))]
        )
        own = similarity.jackknife(similarity.spearman(left_out.on(where), groups)[0]) ** 2
        variance[at] += own
        variance[:, at] += own
    return np.sqrt(variance)


# --- agreement and individuals -----------------------------------------------------------------


def agreement(study, systems, options):
    """Agreement within each system, noise ceilings, and alignment of single raters.

    Returns
    -------
    rows : list of dict
        Columns `AGREEMENT`.
    singles : list of dict
        Columns `INDIVIDUALS`: every pair of raters of one system, and every rater with every person of
        the reference.
    """
    rows, singles = [], []

    def add(system, quantity, value, n, n_raters, method, low=np.nan, high=np.nan):
        rows.append(
            {
                "agreement_id": f"{systems.task}.{system}.{quantity}",
                "study": study.study,
                "task": systems.task,
                "system": system,
                "quantity": quantity,
                "reading": systems.reading,
                "value": value,
                "n": n,
                "n_raters": n_raters,
                "ci_low": low,
                "ci_high": high,
                "method": method,
            }
        )

    references = [name for name in study.tasks[systems.task].references if name in systems.raters]
    for name, raters in systems.raters.items():
        k = len(raters)
        whole = systems.reading == "published" and name in systems.grids
        icc, low, high, n = similarity.icc_agreement(
            (systems.grids[name] if whole else raters).T, options["confidence"]
        )
        what = "every ordered pair, identical items too" if whole else "pairs of different items"
        method = f"ICC(A,1), two-way, absolute agreement, one rater; {what} that all rated"
        add(name, "icc", icc, n, k, method, low, high)
        if k > 1:
            rho, common = similarity.spearman(raters)
            upper = np.triu_indices(k, 1)
            singles += single_rows(
                study, systems, name, name, rho, common, zip(*upper, strict=True)
            )
            rhos = rho[upper]
            for quantity in ("min", "median", "mean", "max"):
                value = getattr(np, f"nan{quantity}")(rhos)
                method = f"Spearman, {quantity} over pairs of raters"
                add(name, f"intersubject_{quantity}", value, len(rhos), k, method)
        for reference in references:
            if name == reference:
                continue
            people = systems.raters[reference]
            rho, common = similarity.spearman(raters, people)
            everyone = np.ndindex(rho.shape)
            singles += single_rows(study, systems, name, reference, rho, common, everyone)
            for quantity in ("min", "median", "mean", "max"):
                value = getattr(np, f"nan{quantity}")(rho)
                method = f"Spearman, {quantity} over a rater and a rater of {reference}"
                add(name, f"individual_{quantity}.{reference}", value, rho.size, k, method)
    for reference in references:
        people = systems.raters[reference]
        k = len(people)
        low, high = similarity.noise_ceiling(people)
        method = "Nili et al. 2014: mean alignment of a rater with the mean ranks of"
        add(reference, "ceiling_lower", low, k, k, f"{method} the others")
        add(reference, "ceiling_upper", high, k, k, f"{method} all")
        if k > 1:
            mean = np.nanmean(similarity.spearman(people)[0][np.triu_indices(k, 1)])
            value = np.sqrt(max(similarity.reliability_of_mean(mean, k), 0))
            method = "root of the Spearman-Brown reliability of the mean of all raters"
            add(reference, "ceiling_of_group", value, k, k, method)
        rho = similarity.spearman(systems.groups, people)[0]
        for name, values in zip(systems.names, rho, strict=True):
            if name != reference:
                method = f"Spearman of the system's mean with each rater of {reference}, mean"
                add(name, f"with_single.{reference}", values.mean(), k, k, method)
    return rows, singles


def single_rows(study, systems, name, other, rho, n, places):
    """Rows of the table of individuals."""
    one, two = systems.participants[name], systems.participants[other]
    return [
        {
            "individual_id": f"{systems.task}.{name}.{one[a]}.{other}.{two[b]}",
            "study": study.study,
            "task": systems.task,
            "system": name,
            "participant": one[a],
            "with": other,
            "rater": two[b],
            "reading": systems.reading,
            "value": rho[a, b],
            "n": n[a, b],
        }
        for a, b in places
    ]


# --- declared tests ----------------------------------------------------------------------------


def declared_tests(study, table):
    """The declared tests on alignments.

    Parameters
    ----------
    study : RatingsStudy
    table : pandas.DataFrame
        Columns `ALIGNMENT`.

    Returns
    -------
    pandas.DataFrame
        Columns `TESTS` but data.
    """

    rows = []
    for reading in study.readings:
        own = table[table["reading"] == reading]
        values = dict(zip(own["alignment_id"], own["value"], strict=True))
        for test in study.tests:
            first, second = (observations(sample, values) for sample in (test.first, test.second))
            paired = test.paired and reading == "recommended"
            kept = ~np.isnan(first), ~np.isnan(second)
            if paired:
                kept = (kept[0] & kept[1],) * 2
            lost = len(first) + len(second) - kept[0].sum() - kept[1].sum()
            first, second = first[kept[0]], second[kept[1]]
            outcome = signed_rank(first - second) if paired else rank_sum(first, second)
            rows.append(
                {
                    "test_id": test.id,
                    "study": study.study,
                    "task": test.first.task,
                    "groups": f"{test.first.pairs} {test.first.task}; {test.second.pairs} "
                    f"{test.second.task}",
                    "reading": reading,
                    "unit": "system",
                    "n1": len(first),
                    "n2": len(second),
                    "p_adjusted": outcome["p"],
                    "correction": "none",
                    "family_size": 1,
                    "dropped": f"{lost} alignments not at hand" if lost else "",
                    "note": test.note,
                }
                | outcome
            )
    return pd.DataFrame(rows, columns=[column for column in TESTS if column != "data"])


def observations(sample, values):
    """Alignments of a sample; NaN where a system is not at hand."""
    found = []
    for system, reference in sample.pairs_of_systems():
        names = (f"{reference}.{system}", f"{system}.{reference}")
        keys = [f"{sample.task}.{name}.{sample.pairs}" for name in names]
        found.append(next((values[key] for key in keys if key in values), np.nan))
    return np.array(found)


def rank_sum(first, second):
    """Wilcoxon rank-sum test: W of R's wilcox.test, which is U of the first sample.

    Exact without ties, else the normal approximation with continuity correction, as R chooses for
    fewer than 50 values. The effect is the share of pairs in which the first sample's is larger.
    """

    name = "wilcoxon_ranksum"
    if min(len(first), len(second)) == 0:
        return {"test": name, "statistic_name": "W", "statistic": np.nan, "p": np.nan}
    ties = len(np.unique([*first, *second])) < len(first) + len(second)
    method = "asymptotic" if ties or max(len(first), len(second)) >= 50 else "exact"
    result = mannwhitneyu(first, second, method=method, use_continuity=True)
    return {
        "test": name,
        "statistic_name": "W",
        "statistic": result.statistic,
        "p": result.pvalue,
        "effect_name": "P(first > second)",
        "effect": result.statistic / (len(first) * len(second)),
        "method": f"scipy {scipy.__version__} mannwhitneyu(method={method!r}, two-sided)",
    }


def signed_rank(differences):
    """Wilcoxon signed-rank test: V of R's wilcox.test(paired = TRUE), the sum of positive ranks.

    Exact without ties and zeros, else the normal approximation with continuity correction. The effect
    is the rank-biserial correlation.
    """

    name = "wilcoxon_signed_rank"
    differences = np.round(differences, 12)
    kept = differences[differences != 0]
    if len(kept) == 0:
        return {"test": name, "statistic_name": "V", "statistic": np.nan, "p": np.nan}
    exact = len(kept) == len(differences) == len(np.unique(np.abs(kept))) and len(kept) < 50
    method = "exact" if exact else "asymptotic"
    ranks = rankdata(np.abs(kept))
    positive = ranks[kept > 0].sum()
    return {
        "test": name,
        "statistic_name": "V",
        "statistic": positive,
        "p": wilcoxon(kept, method=method, correction=True).pvalue,
        "effect_name": "rank-biserial correlation",
        "effect": 2 * positive / ranks.sum() - 1,
        "method": f"scipy {scipy.__version__} wilcoxon(method={method!r}, two-sided)",
    }


# --- sizes -------------------------------------------------------------------------------------


def sizes(study, every, found, items):
    """How many items, systems, raters and trials there are.

    Parameters
    ----------
    study : RatingsStudy
    every : dict of str to Compared
        By task.
    found : dict of str to Rated
    items : pandas.DataFrame

    Returns
    -------
    pandas.DataFrame
        Columns `SIZES`; ids such as words.all.n_items, words.human.n_raters. Trials are those of two
        items of the task; those of people who rated none of them count too, but not for a rater.
    """

    rows = []

    def add(task, system, quantity, value):
        name = f"{task}.{system}.{quantity}"
        rows.append(
            dict(zip(SIZES, (name, study.study, task, system, quantity, value), strict=True))
        )

    for task, systems in every.items():
        members = np.flatnonzero(items[task])
        n_pairs = systems.n_items * (systems.n_items - 1) // 2
        add(task, "all", "n_items", systems.n_items)
        add(task, "all", "n_pairs", n_pairs)
        add(task, "all", "n_categories", len(np.unique(systems.categories)))
        add(task, "all", "n_pairs_within", systems.where("within").sum())
        add(task, "all", "n_systems", systems.family)
        add(task, "all", "n_comparisons", systems.family * (systems.family - 1) // 2)
        asked = [s for s in systems.names if study.systems[s].kind == "llm"]
        add(task, "all", "n_models", len({study.systems[s].model or s for s in asked}))
        for name, raters in systems.raters.items():
            add(task, name, "n_raters", len(raters))
            shown, rated = (
                table[:, members][:, :, members].sum(axis=(1, 2))
                for table in (found[name].shown, found[name].rated)
            )
            own = np.isin(found[name].participants, systems.participants[name])
            add(task, name, "n_trials", shown.sum())
            add(task, name, "n_trials_per_rater", shown[own].sum() / len(raters))
            add(task, name, "n_not_rated", shown.sum() - rated.sum())
            pairs = (~np.isnan(raters)).sum(axis=1).max()
            add(task, name, "n_pairs_per_rater", pairs)
    return pd.DataFrame(rows, columns=SIZES)


def analyse(study, items, found, distances, options):
    """All tables of a study.

    Parameters
    ----------
    study : RatingsStudy
    items : pandas.DataFrame
    found : dict of str to Rated
    distances : pandas.DataFrame
    options : dict
        seed, n_permutation, confidence.

    Returns
    -------
    dict of str to pandas.DataFrame
        alignment, agreement, individuals, tests, sizes.
    """

    aligned, agreed, singles = [], [], []
    for reading in study.readings:
        every = {
            task: compared(study, task, reading, found, distances, items) for task in study.tasks
        }
        for systems in every.values():
            aligned += alignments(study, systems, options)
            own, individual = agreement(study, systems, options)
            agreed += own
            singles += individual
    alignment = pd.DataFrame(aligned, columns=ALIGNMENT)
    return {
        "alignment": alignment,
        "agreement": pd.DataFrame(agreed, columns=AGREEMENT),
        "individuals": pd.DataFrame(singles, columns=INDIVIDUALS),
        "tests": declared_tests(study, alignment),
        "sizes": sizes(study, every, found, items),
    }
