"""Source data of the figures and tables of models, signal detection and equivalence.

Numbers are selected from the results and labeled, nothing is computed; drawing is in
`turingstats.figures.standalone`, one module per figure.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.headline_cohorts import list_headline_cohorts
from turingstats.config.study import Study
from turingstats.core.labels import format_p, name_test


def add_labels(table: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Add the labels of task, cohort and agent."""
    tasks = [study.tasks[name] for name in table["task"]]
    cohorts = zip(tasks, table["cohort"], strict=True)
    table = table.assign(
        task_label=[task.label for task in tasks],
        cohort_label=[
            " + ".join(task.cohorts[part].label for part in name.split(" + "))
            for task, name in cohorts
        ],
    )
    if "agent" in table:
        labels = {name: agent.label for name, agent in study.agents.items()}
        table["agent_label"] = [{"all": "All models", **labels}[name] for name in table["agent"]]
    return table


def find_main_models(study: Study, judged: pd.DataFrame) -> set[str]:
    """Find for each task the model that compares agents with people, if possible in its headline cohort."""
    headlines = {
        (task, cohort) for task, (cohort, *_) in list_headline_cohorts(study, judged).items()
    }
    agents = [model for model in study.models if model.id.endswith(".agents")]
    # The last model of a task stays.
    agents.sort(key=lambda model: (model.task, model.cohorts[0]) in headlines)
    return set({model.task: model.id for model in agents}.values())


def select_forest(
    models: pd.DataFrame, estimates: pd.DataFrame, judged: pd.DataFrame, study: Study
) -> pd.DataFrame:
    """Select the detectability of each agent from the mixed model (with its p) and from pooled trials."""
    shown = models[
        (models["kind"] == "detectability")
        & models["model_id"].isin(find_main_models(study, judged))
    ]
    mixed = shown.rename(columns={"term": "agent", "estimate": "value"}).assign(
        source="mixed model", outcome=shown["formula"].str.split("~").str[0].str.strip()
    )
    pooled = estimates[
        (estimates["reading"] == "recommended")
        & (estimates["group_by"] == "all")
        & (estimates["quantity"] == "detectability")
    ].assign(source="pooled trials")
    keys = ["task", "cohort", "agent"]
    pooled = mixed[keys].merge(pooled, on=keys)
    table = pd.concat([mixed, pooled], ignore_index=True)
    columns = "outcome source value ci_low ci_high p n n_judges groups converged singular notes"
    return add_labels(table.reindex(columns=[*keys, *columns.split()]), study)


GROUPS = {
    "bias": ("judge",),
    "sensitivity": ("judge:made_by",),
    "ability": ("judge",),
    "stimulus bias": ("stimulus",),
    # The latter in choices.
    "difficulty": ("stimulus:made_by", "stimulus"),
}
"""Groups of random effects whose spread is that of an effect of judges or stimuli."""


def select_abilities(
    random_effects: pd.DataFrame, models: pd.DataFrame, judged: pd.DataFrame, study: Study
) -> pd.DataFrame:
    """Select random effects of judges and stimuli of the models that compare agents.

    Those of judges are bias and sensitivity, or in choices ability; those of stimuli are difficulty, or
    bias if the model does not distinguish who made the response. rank 1 is the lowest; sd is that of the
    effect in the population of judges or stimuli.
    """
    main = find_main_models(study, judged)
    effects = random_effects[random_effects["model_id"].isin(main)]
    outcome = models.groupby("model_id")["formula"].first().str.split("~").str[0].str.strip()
    plain = effects["effect"].eq("(Intercept)") & effects["model_id"].map(outcome).eq(
        "said_machine"
    )
    named = {"judge": "bias", "stimulus": "stimulus bias"}
    shown = effects.assign(effect=effects["group"].map(named).where(plain, effects["effect"]))
    shown = shown[shown["effect"].isin(GROUPS)].copy()
    by = shown.groupby(["task", "effect"], sort=False)["value"]
    shown["rank"] = by.rank(method="first").astype(int)
    shown["of"] = by.transform("size")
    sd = models[models["kind"] == "sd"].set_index(["model_id", "group"])["estimate"]
    # A sensitivity is the difference of two independent effects of equal variance.
    shown["sd"] = [
        next((sd[model, group] for group in GROUPS[effect] if (model, group) in sd.index), math.nan)
        * (2**0.5 if effect == "sensitivity" else 1)
        for model, effect in zip(shown["model_id"], shown["effect"], strict=True)
    ]
    columns = [
        "task", "cohort", "effect", "name", "value", "se", "ci_low", "ci_high", "rank", "of", "sd",
    ]  # fmt: skip
    return add_labels(shown.rename(columns={"level": "name"})[columns], study)


def select_signal(estimates: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Select detectability, d' and criterion of every cohort, pooled over agents.

    The interval is over judges and stimuli, or else that of independent trials (`interval` says which).
    n_judges is missing if the source has no judge ids; trained says whether the judge is trained here; the
    role of people is always people.
    """
    pooled = estimates[
        (estimates["group_by"] == "all")
        & (estimates["agent"] == "all")
        & estimates["quantity"].isin(["detectability", "d_prime", "criterion"])
    ]
    shown = pooled[pooled["reading"] == "recommended"].copy()
    lacking = shown["ci_low"].isna()
    for side in ("low", "high"):
        shown[f"ci_{side}"] = shown[f"ci_{side}"].fillna(shown[f"wilson_{side}"])
    cohorts = [
        study.tasks[task].cohorts[cohort]
        for task, cohort in zip(shown["task"], shown["cohort"], strict=True)
    ]
    shown["n_judges"] = shown["n_judges"].mask([c.unnamed for c in cohorts]).astype("Int64")
    shown["trained"] = [c.trained is not None for c in cohorts]
    shown["role"] = ["people" if c.judge_kind == "human" else c.find_role() for c in cohorts]
    shown["interval"] = ("over " + shown["error_over"].astype(object)).mask(
        lacking, "of independent trials"
    )
    columns = [
        "task", "cohort", "judge_kind", "quantity", "value", "ci_low", "ci_high", "interval", "n",
        "n_judges", "trained", "role",
    ]  # fmt: skip
    order = {name: i for i, name in enumerate(study.tasks)}
    shown = shown[shown["value"].notna()].sort_values(
        "task", key=lambda s: s.map(order), kind="stable"
    )
    return add_labels(shown[columns].assign(agent="all"), study)


def select_equivalence(judged: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Select the comparisons of agents in each headline cohort, and of all agents together in others."""
    parts = [judged.iloc[:0]]
    for task, (first, *others) in list_headline_cohorts(study, judged).items():
        of_task = judged[judged["task"] == task]
        parts.append(put_agents_first(of_task[of_task["cohort"] == first]))
        # An agent that is the only one is the same as all.
        if (parts[-1]["agent"] != "all").groupby(parts[-1]["against"]).sum().max() == 1:
            parts[-1] = parts[-1][parts[-1]["agent"] == "all"]
        parts += [
            of_task[(of_task["cohort"] == other) & (of_task["agent"] == "all")] for other in others
        ]
    return add_labels(pd.concat(parts), study)


def put_agents_first(judged: pd.DataFrame) -> pd.DataFrame:
    """Put all agents of a cohort together after the single ones, of which they are no sample."""
    places = pd.factorize(judged["task"] + "." + judged["cohort"])[0]
    return judged.iloc[np.lexsort((judged["agent"] == "all", places))]


# --- tables ------------------------------------------------------------------------------------


def format_size(row: dict[str, Any]) -> str:
    """Format how large a study is: its judges, or its stimuli or trials if errors are over these alone."""
    if row["unit"] == "trials":
        return f"{row['n']:,.0f} trials"
    if row["unit"] == "stimuli":
        return f"{row['n_stimuli']:,.0f} stimuli"
    return f"{row['n_judges']:,.0f}"


def format_needed_size(row: dict[str, Any]) -> str:
    """Format how large a study must be to show equivalence: judges, or else stimuli, or times both."""
    for unit, noun in (("judges", ""), ("stimuli", " stimuli"), ("trials", " trials")):
        if math.isfinite(needed := row[f"{unit}_for_equivalence"]):
            return f"{needed:,.0f}{noun}"
    times = row["both_for_equivalence"]
    if math.isfinite(times):
        return f"{times:.1f} times both"
    return "never" if times == math.inf or row[f"{row['unit']}_for_equivalence"] == math.inf else ""


def describe_comparison(row: dict[str, Any], study: Study) -> str:
    """Describe a test by its groups, and by what is compared between them."""
    labels = {name: agent.label for name, agent in study.agents.items()}
    labels |= {name: one.label for name, one in study.tasks[row["task"]].cohorts.items()}
    labels |= {"0.5": "chance", "all": "all models", "": "all models"}
    groups, along, _ = str(row["groups"]).partition(" along ")
    named = [labels.get(part, part) for part in groups.split(" vs ")]
    described = "trend along exchanges" if along else " against ".join(named)
    if named[0] in ("school", "bachelor", "female", "male"):
        described += " judges"
    agent = labels[row["agent"]]
    whats = {
        "p_HH": "people judged human",
        "p_MM": f"{agent} judged machine",
        "detectability": f"detectability of {agent}",
    }
    return f"{described[:1].upper()}{described[1:]}: {whats.get(row['quantity'], 'responses judged human')}"


def tabulate_changes(changes: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Make the table that compares published tests with mixed models, with cells as text."""
    changes = changes.fillna({"recommended_test": "", "agent": ""})
    unanswered = changes["change"] == "no counterpart"
    return pd.DataFrame(
        {
            "Task": [study.tasks[name].label for name in changes["task"]],
            "What is compared": [
                describe_comparison(row, study) for row in changes.to_dict("records")
            ],
            "Published test": [
                f"{name_test(test)}, by {unit}"
                for test, unit in zip(changes["test"], changes["unit"], strict=True)
            ],
            "p": changes["published_p"].map(format_p),
            "Recommended test": [
                "the same" if recommended == published else name_test(recommended)
                for published, recommended in zip(
                    changes["test"], changes["recommended_test"], strict=True
                )
            ],
            "p, recommended": changes["recommended_p"].map(format_p),
            "p, judges and stimuli": changes["crossed_p"].map(format_p),
            "Change, judges and stimuli": state_changes(
                changes["crossed_change"], changes["crossed_moved_by"]
            ),
            "p, mixed model": changes["mixed_p"].map(format_p),
            "Change, mixed model": changes["notes"].where(
                unanswered, state_changes(changes["change"], changes["mixed_moved_by"])
            ),
        }
    )


def state_changes(changes: pd.Series, moved_by: pd.Series) -> list[str]:
    """State what becomes of tests, and through what."""
    return [
        f"{change}, through the {moved.replace(', ', ' and the ')}" if moved else change
        for change, moved in zip(changes.fillna(""), moved_by.fillna(""), strict=True)
    ]


def tabulate_equivalence(judged: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Make the table of equivalence by agent and task, with cells as text."""
    shown = add_labels(put_agents_first(judged[judged["judge_kind"] == "human"]), study)
    sized = shown.to_dict("records")
    return pd.DataFrame(
        {
            "Task": shown["task_label"],
            "Judges": shown["cohort_label"],
            "Agent": shown["agent_label"],
            "Against": shown["against"],
            "Judged human": shown["rate"].map("{:.2f}".format),
            "Difference": format_intervals(shown, ("difference", "ci_low", "ci_high"), "{:+.2f}"),
            "p, difference": shown["p_difference"].map(format_p),
            "p, equivalence": shown["p_equivalence"].map(format_p),
            "Smallest margin": shown["smallest_margin"].map("{:.2f}".format),
            "Conclusion": [
                ": ".join(filter(None, parts))
                for parts in zip(shown["conclusion"], shown["direction"].fillna(""), strict=True)
            ],
            "Judges now": [format_size(row) for row in sized],
            "Judges to show equivalence": [format_needed_size(row) for row in sized],
        }
    )


OUTCOMES = {
    "said_machine": "judged machine",
    "said_human": "judged human",
    "correct": "judged right",
}


def tabulate_contrasts(contrasts: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Make the table of contrasts in the mixed models, with cells as text."""
    shown = add_labels(contrasts, study)
    labels = {("agent", name): agent.label for name, agent in study.agents.items()}
    for task in study.tasks.values():
        labels |= {("cohort", name): cohort.label for name, cohort in task.cohorts.items()}
    names = {
        side: [
            labels.get((factor, name), str(name))
            for factor, name in zip(shown["factor"], shown[side], strict=True)
        ]
        for side in ("first", "second")
    }
    return pd.DataFrame(
        {
            "Task": shown["task_label"],
            "Judges": shown["cohort_label"],
            "Model": shown["model_id"],
            "Outcome": shown["outcome"].map(OUTCOMES),
            "First": names["first"],
            "Second": names["second"],
            "Odds ratio": format_intervals(shown, ("odds_ratio", "or_low", "or_high"), "{:.2f}"),
            "Difference of probability": format_intervals(
                shown, [f"probability_{part}" for part in ("difference", "low", "high")], "{:+.2f}"
            ),
            "p": shown["p"].map(format_p),
            "p, Holm": shown["p_adjusted"].map(format_p),
        }
    )


def format_intervals(table: pd.DataFrame, columns: Sequence[str], form: str) -> list[str]:
    """Format a number with its interval in each row of a table."""
    return [
        f"{form.format(value)} ({form.format(low)} to {form.format(high)})"
        for value, low, high in zip(*(table[name] for name in columns), strict=True)
    ]
