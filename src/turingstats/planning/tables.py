"""Tables and sentences of a plan: what was assumed, which designs do, and the methods in words."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

import turingstats
from turingstats.config.planning import Plan
from turingstats.core.labels import join_with_and
from turingstats.planning.assumptions import GROUPS, Assumptions
from turingstats.stats.power.draws import SIDES
from turingstats.stats.power.simulation import QUESTIONS

SPREAD_NAMES = {
    "judge": "judges, in saying human",
    "judge:made_by": "judges, separately for people's and machines' responses",
    "stimulus": "stimuli",
    "stimulus:made_by": "stimuli, separately for people's and machines' responses",
}


def mark_cheapest(power: pd.DataFrame, designs: pd.DataFrame) -> pd.DataFrame:
    """Mark the cheapest design of each question in the table of all designs."""
    keys = ["question", "judges", "trials"]
    chosen = designs.loc[designs["found"], keys].astype({"judges": float, "trials": float})
    cheapest = set(chosen.itertuples(index=False, name=None))
    rows = power[keys].itertuples(index=False, name=None)
    return power.assign(cheapest=[tuple(row) in cheapest for row in rows])


def list_assumptions(plan: Plan, assumed: Assumptions, options: dict[str, Any]) -> pd.DataFrame:
    """List what a plan assumes, one row per number: quantity, value, source."""
    origin = f"model {assumed.model}" if assumed.model else "stated"

    def name_source(key: str) -> str:
        return "stated" if key in assumed.stated else origin

    about = "mean rating, from 0 to 1" if assumed.rated else "share judged human"
    rows: list[tuple[str, Any, str]] = [
        (f"{about}: {name}", mean, name_source(f"rates.{side}"))
        for side, name, mean in zip(SIDES, assumed.names, assumed.means, strict=True)
        if mean == mean
    ]
    for group, spread, error in zip(GROUPS, assumed.spreads, assumed.spread_errors, strict=True):
        source = name_source(f"spreads.{group}")
        source += f", standard error {error:.2g}: drawn anew for each study" if error else ""
        rows.append((f"standard deviation (log odds): {SPREAD_NAMES[group]}", spread, source))
    stimuli = "stated" if plan.stimuli else origin
    rows.append(("stimuli", assumed.stimuli or "each judge sees other ones", stimuli))
    settings = {
        "share of trials with people's responses": plan.people_share,
        "agents that share the other trials": assumed.agents,
        "share of unsure verdicts": plan.unsure,
        "cost per judge": plan.cost_per_judge,
        "cost per trial": plan.cost_per_trial,
        "power asked for": plan.power,
        "level of each test": round((1 - options["confidence"]) / plan.tests, 10),
        "margin of equivalence": options["margin"],
        "widest interval of detectability": plan.width,
        "widest interval of d'": plan.d_prime_width,
        "simulated studies per design": plan.simulations,
        "seed": options["seed"],
    }
    rows += [(name, value, "configuration") for name, value in settings.items()]
    rows += [("not simulated", text, origin) for text in assumed.left_out]
    return pd.DataFrame(rows, columns=["quantity", "value", "source"])


def format_power(row: Mapping[str, Any]) -> str:
    """Format a simulated power with its interval."""
    return f"{row['power']:.2f} ({row['power_low']:.2f} to {row['power_high']:.2f})"


def describe_answer(row: Mapping[str, Any], plan: Plan) -> str:
    """Say which design is the cheapest for a question, or what would do if none does."""
    if row["found"]:
        return (
            f"{format_judges(row, plan)} judges with {row['trials']:,.0f} trials each, power "
            f"{format_power(row)}, cost {row['cost']:,.10g}."
        )
    none = f"no design here reaches a power of {plan.power:g}."
    if QUESTIONS[row["question"]].goal == "difference":
        none += f" The expected difference is {abs(row['difference']):.3f}."
        if row["difference"] == 0:
            return f"{none} There is nothing to detect."
    return f"{none} {describe_need(row)}"


def format_judges(row: Mapping[str, Any], plan: Plan) -> str:
    """Format the judges of a design; fewer than the fewest that were tried may do as well."""
    fewest = row["judges"] == min(plan.judges)
    return f"{row['judges']:,.0f}{' or fewer' if fewest else ''}"


def describe_need(row: Mapping[str, Any]) -> str:
    """Say how many judges, or stimuli, would have the power that no design of the grid has."""
    stimuli = f"{row['stimuli']:,.0f} stimuli"
    if np.isfinite(row["needed_judges"]):
        text = (
            f"With {row['trials']:,.0f} trials each, about {row['needed_judges']:,.0f} judges "
            "would be needed"
        )
        if row["needed_power"] == row["needed_power"]:
            low, high = row["needed_low"], row["needed_high"]
            text += f" (simulated power {row['needed_power']:.2f} ({low:.2f} to {high:.2f}))"
        return f"{text}."
    if np.isfinite(row["needed_stimuli"]):
        return (
            f"More judges alone would not suffice, since all of them see the same {stimuli}; with the "
            f"largest number of judges here, about {row['needed_stimuli']:,.0f} stimuli would."
        )
    return f"More judges alone, or more than {stimuli} alone, would not suffice: try more of both."


def write_methods(
    plan: Plan,
    assumed: Assumptions,
    designs: pd.DataFrame,
    analyses: pd.DataFrame,
    options: dict[str, Any],
) -> str:
    """Write the planning of the study as a paragraph for its methods section."""
    people, agent, other = assumed.means
    shares = [f"{people:.3f} for people", f"{agent:.3f} for {assumed.names[1]}"]
    shares += [f"{other:.3f} for {assumed.names[2]}"] if other == other else []
    spreads = [
        f"{spread:.2f} ({SPREAD_NAMES[group]})"
        for group, spread in zip(GROUPS, assumed.spreads, strict=True)
        if spread
    ]
    origin = f"the mixed model {assumed.formula} fitted to {assumed.based_on} of an earlier study"
    stated = (
        f" ({', '.join(assumed.stated)} stated instead)" if assumed.model and assumed.stated else ""
    )
    drawn = ", each drawn for every study from its estimate and standard error"
    drawn = drawn if any(assumed.spread_errors) else ""
    alpha = (1 - options["confidence"]) / plan.tests
    shown = "stimuli that differ from judge to judge"
    if assumed.stimuli is not None:
        shown = f"{assumed.stimuli:,} stimuli, of which each judge sees a random part"
    text = (
        f"Power was simulated before data were collected ({plan.simulations:,} studies per design, "
        f"turingstats {turingstats.__version__}, seed {options['seed']}). "
        f"{'Ratings' if assumed.rated else 'Verdicts'} were drawn from "
        f"{origin if assumed.model else 'a mixed model with stated values'}{stated}. Expected "
        f"{'mean ratings, from 0 to 1,' if assumed.rated else 'shares judged human'} were "
        f"{join_with_and(shares)}; standard deviations on the logit scale were "
        f"{join_with_and(spreads) or '0'}{drawn}. There were {shown}; {plan.people_share:.0%} of trials "
        f"showed people's responses, the others those of {assumed.agents} agent{'s' * (assumed.agents > 1)}."
    )
    text += f" {plan.unsure:.0%} of verdicts were unsure." if plan.unsure else ""
    text += (
        " Each simulated study was analyzed with the t test for errors over judges and stimuli (two-way "
        f"clustered, Satterthwaite) at {alpha:.3g}"
    )
    if not assumed.rated:
        text += f", two one-sided t tests with a margin of {options['margin']:g}, and "
        text += f"{options['confidence']:.0%} intervals"
    text += "."
    for row in designs.to_dict("records"):
        label = row["question_label"]
        if not label.startswith(assumed.names[1]):
            label = label[:1].lower() + label[1:]
        is_width = QUESTIONS[row["question"]].goal == "width"
        shown = f"of an {label}" if is_width else f"of showing that {label}"
        if row["found"]:
            text += (
                f" With {format_judges(row, plan)} judges and {row['trials']:,.0f} trials each, the "
                f"probability {shown} is {format_power(row)}."
            )
        else:
            text += f" No design considered has a probability of {plan.power:g} {shown}."
    return text + describe_interim_analyses(analyses)


def describe_interim_analyses(analyses: pd.DataFrame) -> str:
    """Describe interim analyses for the methods section; empty if there is only the final one."""
    analyses = analyses[analyses["kind"] == "spending_obrien_fleming"]
    if analyses.empty or analyses["judges"].isna().any():
        return ""
    judges = join_with_and(f"{n:,.0f}" for n in analyses["judges"])
    levels = join_with_and(f"{p:.5f}" for p in analyses["nominal_p"])
    last = analyses.iloc[-1]
    return (
        f" The data are tested {len(analyses)} times, after {judges} judges, and the study stops if p is "
        f"below {levels} (spending function of Lan and DeMets like O'Brien\N{EN DASH}Fleming, two-sided); "
        f"simulated studies without a difference stopped in {last['simulated_null']:.1%} "
        f"({last['null_low']:.1%} to {last['null_high']:.1%}) of cases."
    )
