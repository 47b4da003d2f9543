"""The declared models of a study: verdicts of single trials, with judges and stimuli as random.

A study file declares them under `models:` (`turingstats.config.study.VerdictModel`). The response is usually
`said_machine`: the verdict was "machine". On the logit scale the effect of an agent, compared with
people, is then how well judges tell it from people (0 is chance), and the intercept how readily they say
machine. Random terms `(1 | judge) + (1 | judge:made_by) + (1 | stimulus:made_by)` let judges differ in
both, and let the responses to one stimulus look more or less like a machine's.

Models use the trials of the recommended reading. `counterparts` sets each published test beside the same
question asked of a model.
"""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import norm

from turingstats.core import files, parallel
from turingstats.data import counts as counting
from turingstats.data.schema import MODELS, RANDOM_EFFECTS, WHAT_CHANGES
from turingstats.stats import mixed_models as mixed

NAN = float("nan")


def trials_of(model, judgments, groups, study, people=None):
    """Rows that a model is fitted to, with the columns that formulas name.

    Parameters
    ----------
    model : VerdictModel
    judgments : pandas.DataFrame
        From `turingstats.data.cleaning.clean`.
    groups : pandas.DataFrame
        From `turingstats.data.counts.groups_of`.
    study : Study
    people : dict of str to str, optional
        From `turingstats.data.counts.people_of`: a person is one judge in all cohorts of the model.

    Returns
    -------
    pandas.DataFrame
        Columns of the judgments, and said_machine, said_human, correct (0 or 1), made_by (human,
        machine), log_exchanges (to base 2), the groups of the judge (such as gender), and of
        ordered variables as <name>_rank the place of the group, from 0. Verdicts "unsure" are left out.
    """

    task = study.tasks[model.task]
    parts = []
    kept = judgments[(judgments["task"] == model.task) & judgments["kept_recommended"]]
    for name in model.cohorts:
        cohort = task.cohorts[name]
        own = kept["cohort"].isin(cohort.pools or (name,))
        parts.append(kept[own & kept["agent"].isin(["human", *cohort.agents])].assign(cohort=name))
    table = pd.concat(parts, ignore_index=True)
    table = table[table["verdict"].isin(["human", "machine"])].reset_index(drop=True)
    said = table["verdict"].to_numpy(str) == "machine"
    truth = table["truth"].to_numpy(str)
    members = groups[groups["reading"] == "recommended"]
    by_group = {
        name: own.set_index("judge")["group"]
        for name, own in members.groupby("group_by", sort=False)
    }
    judge = table["judge"].astype(str)
    units = counting.units_of(judge.unique(), people or {})
    columns = {
        "judge": judge.map(units).astype("category"),
        "said_machine": said.astype(float),
        "said_human": 1.0 - said,
        "correct": (said == (truth == "machine")).astype(float),
        "made_by": truth,
        **{name: judge.map(of) for name, of in by_group.items()},
    }
    if "exchanges" in table:
        # A step of 1 doubles the length.
        columns["log_exchanges"] = np.log2(table["exchanges"].astype(float))
    table = table.drop(columns=[c for c in columns if c in table]).assign(**columns)
    # People come first: agents are compared with them.
    present = set(table["agent"].astype(str))
    order = ["human", *(a for a in task.agents if a in present)]
    order += sorted(present - set(order))
    table["agent"] = pd.Categorical(table["agent"].astype(str), order)
    table["cohort"] = pd.Categorical(table["cohort"].astype(str), list(model.cohorts))
    for name, described in study.demographics.items():
        if name in table:
            table[name] = pd.Categorical(table[name], list(described))
    for name, kind in task.columns.items():
        if kind == "number":
            table[name] = pd.to_numeric(table[name].astype(object))
    if "position" in table and table["position"].notna().all():
        table["position"] = table["position"].astype(float)
    for name in study.ordered:
        if name in table:
            rank = {group: float(place) for place, group in enumerate(study.demographics[name])}
            table[f"{name}_rank"] = table[name].astype(object).map(rank).astype(float)
    for column, levels in model.only.items():
        table = table[table[column].astype(str).isin(levels)]
        table[column] = pd.Categorical(table[column].astype(str), list(levels))
    return table.reset_index(drop=True)


def run(judgments, groups, study, config, workers=1, people=None):
    """Fit every declared model.

    Parameters
    ----------
    judgments, groups : pandas.DataFrame
    study : Study
    config : dict
        confidence, second_opinion.
    workers : int
        Processes at a time; it changes the time taken, never the result.
    people : dict of str to str, optional
        From `turingstats.data.counts.people_of`.

    Returns
    -------
    models, random_effects : pandas.DataFrame
        Columns of `turingstats.data.schema.MODELS` and `RANDOM_EFFECTS`, but `data`.
    fits : dict of str to Fit
        By id of the model.
    """

    tables = ((m, trials_of(m, judgments, groups, study, people)) for m in study.models)
    arguments = [(model, table, study, config) for model, table in tables if len(table)]
    if config["second_opinion"]:
        import gpboost  # noqa: F401, once for all processes
    made = parallel.each(
        fitted_model, arguments, workers, lambda each: len(each[1]) * (1 + len(each[0].reduced))
    )
    rows, random, fits = [], [], {}
    for (model, *_), (fitted, own_rows, own_random) in zip(arguments, made, strict=True):
        fits[model.id] = fitted
        rows += own_rows
        random += own_random
    return (
        pd.DataFrame(rows).reindex(columns=[c for c in MODELS if c != "data"]),
        pd.DataFrame(random).reindex(columns=[c for c in RANDOM_EFFECTS if c != "data"]),
        fits,
    )


def fitted_model(model, table, study, config):
    """Fit one model; its fit, and its rows of both tables of `run`."""
    fitted = mixed.fit(table, model.formula, model.quadrature, model.cluster)
    place = {
        "model_id": model.id,
        "study": study.study,
        "task": model.task,
        "cohort": " + ".join(model.cohorts),
        "reading": "recommended",
    }
    rows = [place | row for row in described(model, fitted, table, config)]
    random = [place | row for row in effects_of(fitted, config["confidence"])]
    return fitted, rows, random


def described(model, fitted, table, config):
    """Rows of models.csv of one fit: coefficients first, then what follows from them.

    Yields
    ------
    dict
        kind (coefficient, probability, detectability, sd, correlation, likelihood ratio, not fitted),
        term and numbers; see `turingstats.data.schema.MODELS`.
    """
    level = config["confidence"]
    opinion = None
    if config["second_opinion"] and fitted.usable and fitted.components:
        opinion = mixed.second_opinion(fitted)
    common = {
        "loglik": fitted.loglik,
        "n": fitted.trials,
        "n_judges": table["judge"].nunique(),
        "groups": "; ".join(f"{name} {size}" for name, size in fitted.groups.items()),
        "dropped": fitted.dropped,
        "engine": fitted.method.split(",")[0],
        "second_loglik": opinion.loglik if opinion else NAN,
        "second_engine": opinion.method.split(",")[0] if opinion else "",
        "converged": fitted.converged,
        "singular": fitted.singular,
        "notes": "; ".join(fitted.notes),
        "formula": fitted.formula,
        "method": fitted.method,
    }
    if not fitted.usable:
        yield common | {"kind": "not fitted", "term": ""}
    for i, (name, found) in enumerate(
        zip(fitted.names, mixed.estimates(fitted, level) if fitted.names else (), strict=True)
    ):
        row = {"kind": "coefficient", "term": name} | numbers(found)
        with np.errstate(over="ignore"):  # separation: bounds beyond all numbers
            row |= {
                "odds_ratio": np.exp(found.estimate),
                "or_low": np.exp(found.low),
                "or_high": np.exp(found.high),
            }
        if opinion is not None:
            row |= {
                "second_estimate": opinion.estimate[i],
                "second_se": opinion.se[i],
                "second_difference": opinion.estimate[i] - found.estimate,
            }
        yield common | row
    for part in fitted.components:
        row = {"kind": "correlation" if part.other else "sd", "group": part.group}
        row |= {"term": f"{part.effect}, {part.other}" if part.other else part.effect}
        row |= {"estimate": part.value, "se": part.se}
        if opinion is not None and (part.group, part.effect) in opinion.sd and not part.other:
            other = opinion.sd[part.group, part.effect]
            row |= {"second_estimate": other, "second_difference": other - part.value}
        yield common | row
    if fitted.usable:
        for row in probabilities(fitted, level):
            yield common | row
    for name, formula in model.reduced.items():
        if not fitted.usable:
            continue
        reduced = mixed.fit(table, formula, fitted.nodes or None, model.cluster, errors=False)
        if (reduced.n, reduced.nodes) != (fitted.n, fitted.nodes):
            row = {
                "notes": f"rows or approximation differ: {reduced.n} rows, {reduced.nodes} nodes"
            }
        else:
            tested = mixed.likelihood_ratio(fitted, reduced)
            row = {"estimate": tested.chi2, "df": tested.df, "p": tested.p}
        yield common | {"kind": "likelihood ratio", "term": f"{name}: against {formula}"} | row


def numbers(found):
    """Columns of a Wald test."""
    return {
        "estimate": found.estimate,
        "se": found.se,
        "z": found.z,
        "p": found.p,
        "ci_low": found.low,
        "ci_high": found.high,
    }


def factors_of(fitted):
    """Factors among the fixed effects of a fit."""
    table = fitted.data.table
    names = mixed.columns_of("y ~ " + fitted.data.fixed)
    return [n for n in names if n in table and hasattr(table[n], "cat")]


def probabilities(fitted, level):
    """Average marginal probabilities of every level of every factor, and detectability of agents.

    Yields
    ------
    dict
        The test of a detectability is that of its log odds ratio against 0.
    """
    for factor in factors_of(fitted):
        found = {}
        for (name,), rows in mixed.cells(fitted, [factor]).items():
            value, se, low, high, gradient = mixed.marginal(fitted, *rows, level)
            found[name] = value, gradient, np.average(rows[0], axis=0, weights=rows[2])
            row = {"kind": "probability", "group": factor, "term": name}
            yield row | {"estimate": value, "se": se, "ci_low": low, "ci_high": high}
        if (
            factor in ("agent", "made_by")
            and fitted.data.response == "said_machine"
            and "human" in found
        ):
            people = found.pop("human")
            for name, machine in found.items():
                value = (machine[0] + 1 - people[0]) / 2
                gradient = (machine[1] - people[1]) / 2
                se = float(np.sqrt(gradient @ fitted.covariance @ gradient))
                low, high = mixed.logit_interval(value, se, level)
                tested = mixed.contrast(fitted, machine[2] - people[2], level)
                row = {"kind": "detectability", "group": factor, "term": name, "estimate": value}
                row |= {"se": se, "ci_low": low, "ci_high": high, "z": tested.z, "p": tested.p}
                yield row


def effects_of(fitted, level):
    """Conditional modes of random effects, and of judges what they say of their ability.

    Yields
    ------
    dict
        group, level, effect, value, se, ci_low, ci_high. From `judge:made_by` follows the effect
        "sensitivity" of a judge, that of machines' responses minus that of people's; from
        `stimulus:made_by` the effect "difficulty" of a stimulus, towards the wrong verdict.
    """

    half = norm.isf((1 - level) / 2)

    def row(group, name, effect, value, se):
        limits = {"ci_low": value - half * se, "ci_high": value + half * se}
        return {"group": group, "level": name, "effect": effect, "value": value, "se": se} | limits

    for random in fitted.random:
        for i, name in enumerate(random.levels):
            for j, effect in enumerate(random.effects):
                value, se = float(random.values[i, j]), float(random.errors[i, j])
                yield row(random.group, name, effect, value, se)
        if random.group == "judge:made_by":
            place = {name: i for i, name in enumerate(random.levels)}
            for judge in dict.fromkeys(name.rsplit(":", 1)[0] for name in random.levels):
                pair = [place.get(f"{judge}:{side}") for side in ("machine", "human")]
                if None not in pair:
                    value = float(random.values[pair[0], 0] - random.values[pair[1], 0])
                    se = float(np.hypot(*random.errors[pair, 0]))
                    yield row("judge", judge, "sensitivity", value, se)
        if random.group == "stimulus:made_by":
            for i, name in enumerate(random.levels):
                sign = 1 if name.endswith(":human") else -1
                value, se = sign * float(random.values[i, 0]), float(random.errors[i, 0])
                yield row("stimulus", name, "difficulty", value, se)


# --- what changes ------------------------------------------------------------------------------


class Asked(NamedTuple):
    """What of a fitted model answers the questions of published tests.

    Attributes
    ----------
    estimate : array, shape (coefficients,)
    covariance : array, shape (coefficients, coefficients)
    notes : tuple of str
    predictors : dict
        From `predictors_of`, by the column of the groups that are compared (None: there are none).
    """

    estimate: np.ndarray
    covariance: np.ndarray
    notes: tuple[str, ...]
    predictors: dict


def keep_asked(study, fits):
    """Keep of each fit what `counterparts` needs.

    Parameters
    ----------
    study : Study
    fits : dict of str to Fit

    Returns
    -------
    dict of str to Asked
        By id of the model.
    """
    comparisons = {c.id: c for c in study.comparisons}
    kept = {}
    for model in study.models:
        if model.id in fits:
            fitted = fits[model.id]
            asked = [comparisons[i] for i in model.counterpart_of if i in comparisons]
            columns = dict.fromkeys(map(compared_by, asked))
            predictors = {column: predictors_of(column, fitted) for column in columns}
            kept[model.id] = Asked(fitted.estimate, fitted.covariance, fitted.notes, predictors)
    return kept


def compared_by(comparison):
    """Column of the groups that a comparison is of; None where there are none."""
    return "cohort" if len(comparison.cohorts) > 1 else comparison.by


def write_asked(asked, path):
    """Write what `keep_asked` keeps as JSON, with numbers in their shortest exact form."""
    content = {
        name: {
            "estimate": own.estimate.tolist(),
            "covariance": own.covariance.tolist(),
            "notes": list(own.notes),
            "predictors": [
                [
                    column,
                    found and [[list(levels), row.tolist()] for levels, row in found.items()],
                ]
                for column, found in own.predictors.items()
            ],
        }
        for name, own in asked.items()
    }
    files.write_text(json.dumps(content, indent=1) + "\n", path)


def read_asked(path):
    """Read what `write_asked` wrote."""
    return {
        name: Asked(
            np.array(own["estimate"]),
            np.array(own["covariance"]),
            tuple(own["notes"]),
            {
                column: found and {tuple(levels): np.array(row) for levels, row in found}
                for column, found in own["predictors"]
            },
        )
        for name, own in json.loads(Path(path).read_text()).items()
    }


def counterparts(study, fits, tests, level):
    """Set every published test beside the same question asked of a mixed model.

    Parameters
    ----------
    study : Study
        Its models name the comparisons they answer (`counterpart_of`).
    fits : dict of str to Asked
    tests : pandas.DataFrame
        Columns of `turingstats.data.schema.TESTS`.
    level : float

    Returns
    -------
    pandas.DataFrame
        Columns of `turingstats.data.schema.WHAT_CHANGES` but `data`; one row per published test. log_odds is
        that of one contrast. Where no model answers, `change` is "no counterpart", and the notes say why.
    """

    comparisons = {c.id: c for c in study.comparisons}
    rows = []
    if not any(model.counterpart_of for model in study.models):
        return pd.DataFrame(columns=[c for c in WHAT_CHANGES if c != "data"])
    for model in study.models:
        fitted = fits.get(model.id)
        if fitted is None:
            continue
        for identity in model.counterpart_of:
            comparison = comparisons.get(identity)
            if comparison is None:
                continue
            predictors = fitted.predictors[compared_by(comparison)]
            if predictors is None:
                continue
            own = tests["test_id"].eq(identity) | tests["test_id"].str.startswith(f"{identity}.")
            of_test = {
                reading: tests[own & tests["reading"].eq(reading)].set_index("test_id")
                for reading in ("published", "recommended")
            }
            for test_id, published in of_test["published"].iterrows():
                asked = question(comparison, test_id, published, predictors)
                if asked is None:
                    continue
                recommended = of_test["recommended"]
                other = recommended.loc[test_id] if test_id in recommended.index else None
                row = told(comparison, test_id, published, other) | {"model_id": model.id}
                rows.append(row | answer(fitted, asked, published["p"], 1 - level))
    rows += list(unanswered(study, tests, fits, {row["test_id"] for row in rows}))
    return pd.DataFrame(rows, columns=[c for c in WHAT_CHANGES if c != "data"])


def told(comparison, test_id, published, other):
    """Columns of `counterparts` that come from the tests; `other` is the recommended one, if any."""
    return {
        "test_id": test_id,
        "task": comparison.task,
        "cohort": published["cohort"],
        "quantity": comparison.quantity,
        "groups": published["groups"],
        "test": published["test"],
        "unit": published["unit"],
        "published_statistic": published["statistic"],
        "published_p": published["p"],
        "recommended_test": "" if other is None else other["test"],
        "recommended_p": NAN if other is None else other["p"],
    }


def unanswered(study, tests, fits, answered):
    """Rows of `counterparts` of the published tests that no model answers, each with the reason."""
    of_reading = {name: own.set_index("test_id") for name, own in tests.groupby("reading")}
    recommended = of_reading.get("recommended", tests.iloc[:0].set_index("test_id"))
    # The longest id that a test's starts with is that of its comparison.
    by_length = sorted(study.comparisons, key=lambda c: -len(c.id))
    for test_id, published in of_reading.get("published", recommended.iloc[:0]).iterrows():
        comparison = next((c for c in by_length if f"{test_id}.".startswith(f"{c.id}.")), None)
        if test_id in answered or comparison is None:
            continue
        other = recommended.loc[test_id] if test_id in recommended.index else None
        why = reason(study, comparison, published, fits)
        row = told(comparison, test_id, published, other)
        yield row | {"mixed_p": NAN, "change": "no counterpart", "notes": why}


def reason(study, comparison, published, fits):
    """Why no model asks what a published test asked."""
    task = study.tasks[comparison.task]
    kinds = {task.cohorts[name].judge_kind for name in comparison.cohorts}
    if not comparison.cohorts:
        return "a test of responses, not of verdicts"
    if comparison.score:
        return "its unit is the agent: a few agents, whose scores are no verdicts"
    if kinds != {"human"}:
        return "a machine judge is a single judge; others like it cannot be inferred from it"
    if published["test"] == "anova_two_way":
        return "its main effects depend on how unequal groups are weighed; the model has the interaction"
    asked = [m for m in study.models if comparison.id in m.counterpart_of and m.id in fits]
    if any(comparison.id in m.counterpart_of for m in study.models):
        if not asked:
            return "no trials for its model"
        if "agent" not in asked[0].formula:
            return (
                f"{asked[0].id} takes the agents together, since one agent has few trials a group"
            )
        return f"{asked[0].id} has no such group"
    if published["test"] in ("slopes", "residuals", "binomial_regression"):
        return f"a trend over {comparison.by}, which no model of the study has"
    if comparison.by:
        return f"no model of the study has {comparison.by}"
    return "no model of the study asks this"


def predictors_of(across, fitted):
    """Average predictors of each kind of response, in each of the groups of a column.

    Parameters
    ----------
    across : str or None
        Column of the groups that are compared; None where there are none.
    fitted : Fit

    Returns
    -------
    dict or None
        By (agent, group), or (agent,) without groups, coefficients' weights; agents are human, all and
        each agent. Empty where the model could not be fitted, None where it lacks the groups.
    """
    table = fitted.data.table
    if not fitted.usable:
        return {}
    side = "agent" if "agent" in table else "made_by"
    if side not in table or (across and across not in table):
        return None
    shares = table[side].value_counts()
    machines = [name for name in table[side].cat.categories if name != "human"]
    found = {
        levels: np.average(design, axis=0, weights=weights)
        for levels, (design, _, weights) in mixed.cells(
            fitted, [side] if across is None else [side, across]
        ).items()
    }
    for group in dict.fromkeys(levels[1:] for levels in list(found)):
        rows = [found[(name, *group)] for name in machines]
        found["all", *group] = np.average(rows, axis=0, weights=shares[machines])
    return found


def question(comparison, test_id, published, predictors):
    """Contrasts of a fit that ask what a test asked, or None where the model cannot.

    Returns
    -------
    array, shape (contrasts, coefficients)
        Each is 0 under the null hypothesis. A single one is positive above chance, or where the first
        group is higher.
    """
    if not predictors:
        return np.empty((0, 0))
    suffix = test_id.removeprefix(comparison.id).strip(".").split(".")
    agent = suffix[0] if suffix[0] in comparison.agents else comparison.agents[0]
    groups = [levels[1] for levels in predictors if levels[0] == "human" and len(levels) > 1]
    if (agent, *groups[:1]) not in predictors:
        return None

    def value(agent, *group):
        if comparison.quantity == "p_HH":
            return -predictors[("human", *group)]
        if comparison.quantity == "p_MM":
            return predictors[(agent, *group)]
        if comparison.quantity == "p_HM":
            return -predictors[(agent, *group)]
        return (predictors[(agent, *group)] - predictors[("human", *group)]) / 2

    if published["test"] == "friedman":
        values = [value(a) for a in comparison.agents if (a,) in predictors]
    elif comparison.against is not None:
        if groups and suffix[-1] not in groups:
            return None
        return value(agent, *(suffix[-1:] if groups else []))[None]
    else:
        wanted = comparison.groups or (
            comparison.cohorts if len(comparison.cohorts) > 1 else groups
        )
        values = [value(agent, group) for group in wanted if group in groups]
    if len(values) < 2:
        return None
    if len(values) == 2:
        return (values[0] - values[1])[None]
    return np.array([v - values[0] for v in values[1:]])


def answer(fitted, contrasts, published_p, alpha):
    """Columns of `counterparts` that come from the model."""
    notes = "; ".join(fitted.notes)
    if not len(contrasts):
        return {"mixed_p": NAN, "change": "model not fitted", "notes": notes}
    if len(contrasts) == 1:
        found = mixed.contrast(fitted, contrasts[0], 1 - alpha)
        row = {"mixed_statistic": "z", "mixed": found.z, "df": NAN, "mixed_p": found.p}
        row["log_odds"] = found.estimate
    else:
        statistic, df, p = mixed.joint(fitted, contrasts)
        row = {"mixed_statistic": "chi2", "mixed": statistic, "df": df, "mixed_p": p}
    return row | {"change": change(published_p, row["mixed_p"], alpha), "notes": notes}


def change(published_p, mixed_p, alpha):
    """What becomes of a published result (p values as they are, not adjusted for other tests)."""
    if not (np.isfinite(published_p) and np.isfinite(mixed_p)):
        return "not comparable"
    before, after = published_p < alpha, mixed_p < alpha
    if before == after:
        return "still significant" if after else "still not significant"
    return "becomes significant" if after else "no longer significant"
