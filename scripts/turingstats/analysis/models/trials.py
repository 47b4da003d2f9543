"""The trials that a model is fitted to, with the columns used in formulas."""

import numpy as np
import pandas as pd

from turingstats.data import counts as counting
from turingstats.stats.resampling import make_generator


def prepare_model_trials(model, judgments, groups, study, people=None):
    """Prepare the rows that a model is fitted to, with the columns used in formulas.

    Parameters
    ----------
    model : VerdictModel
    judgments : pandas.DataFrame
        From `turingstats.data.cleaning.mark_exclusions`.
    groups : pandas.DataFrame
        From `turingstats.data.counts.assign_groups`.
    study : Study
    people : dict of str to str, optional
        From `turingstats.data.counts.map_judges_to_people`: a person is one judge in all cohorts of the
        model.

    Returns
    -------
    pandas.DataFrame
        Columns of the judgments, and said_machine, said_human, correct (0 or 1), made_by (human,
        machine), log_exchanges (to base 2), the groups of the judge (such as gender), and for ordered
        variables the rank of the group, from 0, as <name>_rank. Verdicts "unsure" are left out.
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
    units = counting.map_judges_to_units(judge.unique(), people or {})
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
    present = set(table["agent"].astype(str).unique())
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


def sample_judges(trials, most, seed, model_id):
    """Draw judges at random, with all their verdicts, where a model would have more verdicts than it may.

    Parameters
    ----------
    trials : pandas.DataFrame
        From `prepare_model_trials`.
    most : int
        Number of verdicts.
    seed : int
    model_id : str

    Returns
    -------
    trials : pandas.DataFrame
    note : str
        What was drawn; empty if nothing had to be left out.
    """
    if len(trials) <= most:
        return trials, ""
    verdicts = trials["judge"].cat.remove_unused_categories().value_counts(sort=False)
    order = make_generator(seed, f"{model_id}.judges").permutation(len(verdicts))
    within = int((verdicts.to_numpy()[order].cumsum() <= most).sum())
    drawn = verdicts.index[np.sort(order[: max(within, 1)])]
    sample = trials[trials["judge"].isin(drawn)].reset_index(drop=True)
    sample["judge"] = sample["judge"].cat.remove_unused_categories()
    note = (
        f"fitted to a random sample of {len(drawn):,} of {len(verdicts):,} judges, with {len(sample):,} of "
        f"{len(trials):,} verdicts"
    )
    return sample, note
