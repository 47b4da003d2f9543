"""The trials that a model is fitted to, with the columns used in formulas."""

import numpy as np
import pandas as pd

from turingstats.config.study import Study, VerdictModel
from turingstats.data import counts as counting
from turingstats.data.distinct_values import change_values, fill_column, sort_categories
from turingstats.stats.resampling import make_generator


def select_trials(
    model: VerdictModel,
    judgments: pd.DataFrame,
    groups: pd.DataFrame,
    study: Study,
    people: dict[str, str] | None = None,
) -> pd.DataFrame:
    """Select the rows that a model may be fitted to, before texts and numbers are made of them.

    With `people`, a person is one judge in all cohorts of the model. The columns are those of the
    judgments, made_by (human, machine) and the groups of the judge (such as gender), as categories.
    Verdicts "unsure" are left out.
    """
    task = study.tasks[model.task]
    kept = (judgments["task"] == model.task) & judgments["kept_recommended"]
    kept &= judgments["verdict"].isin(["human", "machine"])
    tables = []
    for name in model.cohorts:
        cohort = task.cohorts[name]
        of_cohort = kept & judgments["cohort"].isin(cohort.pools or (name,))
        of_cohort &= judgments["agent"].isin(["human", *cohort.agents])
        part = judgments[of_cohort]
        tables.append(part.assign(cohort=fill_column(name, part.index)))
    table = tables[0] if len(tables) == 1 else pd.concat(tables)
    table = table.reset_index(drop=True)
    judge = table["judge"].astype("category")
    units = counting.map_judges_to_units(judge.unique(), people or {})
    members = groups[groups["reading"] == "recommended"]
    of_judge = {
        name: of_cohort.set_index("judge")["group"].to_dict()
        for name, of_cohort in members.groupby("group_by", sort=False)
    }
    table = table.assign(
        judge=change_values(judge, units.get),
        made_by=table["truth"],
        **{name: change_values(judge, group_of.get) for name, group_of in of_judge.items()},
    )
    for column, levels in model.only.items():
        table = table[table[column].astype(str).isin(levels)]
    table = table.reset_index(drop=True)
    return table.assign(**sort_categories(table[["judge"]]))


def prepare_model_trials(model: VerdictModel, trials: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Prepare the columns used in formulas, for some of the rows of `select_trials`.

    They are said_machine, said_human and correct (0 or 1), log_exchanges (to base 2), and for ordered
    variables the rank of the group, from 0, as <name>_rank.
    """
    task = study.tasks[model.task]
    said_machine = trials["verdict"].to_numpy(str) == "machine"
    truth = trials["truth"].to_numpy(str)
    table = trials.assign(
        said_machine=said_machine.astype(float),
        said_human=1.0 - said_machine,
        correct=(said_machine == (truth == "machine")).astype(float),
        made_by=truth,
    )
    if "exchanges" in table:
        # A step of 1 doubles the length.
        table["log_exchanges"] = np.log2(table["exchanges"].astype(float))
    # People come first: agents are compared with them.
    present = set(table["agent"].astype(str).unique())
    order = ["human", *(a for a in task.agents if a in present)]
    order += sorted(present - set(order))
    table["agent"] = pd.Categorical(table["agent"].astype(str), order)
    table["cohort"] = pd.Categorical(table["cohort"].astype(str), list(model.cohorts))
    for name, described in study.demographics.items():
        if name in table:
            table[name] = pd.Categorical(table[name], list(described))
    for name in task.numbers:
        table[name] = pd.to_numeric(table[name].astype(object))
    if "position" in table and table["position"].notna().all():
        table["position"] = table["position"].astype(float)
    for name in study.ordered:
        if name in table:
            rank = {
                group: float(position) for position, group in enumerate(study.demographics[name])
            }
            table[f"{name}_rank"] = table[name].astype(object).map(rank).astype(float)
    for column, levels in model.only.items():
        table[column] = pd.Categorical(table[column].astype(str), list(levels))
    return table


def sample_judges(
    trials: pd.DataFrame, most: int, seed: int, name: str
) -> tuple[pd.DataFrame, str]:
    """Draw judges at random, with all their verdicts, of which there are `most`; the note says how many."""
    if len(trials) <= most:
        return trials, ""
    verdicts = (
        trials["judge"].astype("category").cat.remove_unused_categories().value_counts(sort=False)
    )
    order = make_generator(seed, f"{name}.judges").permutation(len(verdicts))
    within = int((verdicts.to_numpy()[order].cumsum() <= most).sum())
    drawn = verdicts.index[np.sort(order[: max(within, 1)])]
    sample = trials[trials["judge"].isin(drawn)].reset_index(drop=True)
    sample["judge"] = sample["judge"].astype("category").cat.remove_unused_categories()
    note = (
        f"fitted to a random sample of {len(drawn):,} of {len(verdicts):,} judges, with {len(sample):,} of "
        f"{len(trials):,} verdicts"
    )
    return sample, note
