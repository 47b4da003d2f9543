"""The page on a planned study: what was assumed, which designs do, and the methods in words."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import turingstats
from turingstats.core.labels import format_with_interval, join_with_and
from turingstats.core.templating import PAGES, make_environment
from turingstats.planning.assumptions import GROUPS, Assumptions
from turingstats.report.captions import SHOWN, measure_size
from turingstats.report.cells import shorten_number
from turingstats.stats.power.draws import SIDES
from turingstats.stats.power.simulation import QUESTIONS

SPREAD_NAMES = {
    "judge": "judges, in saying human",
    "judge:made_by": "judges, separately for people's and machines' responses",
    "stimulus": "stimuli",
    "stimulus:made_by": "stimuli, separately for people's and machines' responses",
}


def list_assumptions(assumed: Assumptions) -> pd.DataFrame:
    """List what a plan assumes, one row per number: quantity, value, source."""
    plan, goals = assumed.plan, assumed.goals
    origin = f"model {assumed.model}" if assumed.model else "stated"

    def name_source(key: str) -> str:
        return "stated" if key in assumed.stated else origin

    about = "mean rating, from 0 to 1" if plan.ratings else "share judged human"
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
        "level of each test": goals.alpha,
        "margin of equivalence": goals.margin,
        "widest interval of detectability": plan.width,
        "widest interval of d'": plan.d_prime_width,
        "simulated studies per design": plan.simulations,
        "seed": assumed.seed,
    }
    rows += [(name, value, "configuration") for name, value in settings.items()]
    rows += [("not simulated", text, origin) for text in assumed.left_out]
    return pd.DataFrame(rows, columns=["quantity", "value", "source"])


def describe_designs(designs: pd.DataFrame, assumed: Assumptions) -> list[dict[str, Any]]:
    """Describe the answer to each question in words, beside its row of `grid.find_cheapest`."""
    power, described = assumed.plan.power, []
    for row in designs.to_dict("records"):
        label, goal = row["question_label"], QUESTIONS[row["question"]].goal
        if not label.startswith(assumed.names[1]):
            label = label[:1].lower() + label[1:]
        row |= {
            # Fewer judges may do as well.
            "fewest": row["judges"] == min(assumed.plan.judges),
            "power_text": format_with_interval(row["power"], row["power_low"], row["power_high"]),
            "shown": f"of an {label}" if goal == "width" else f"of showing that {label}",
        }
        words = fill_in("plan_answer.txt", row=row, goal=goal, power=power, infinity=np.inf)
        described.append(row | {"text": words})
    return described


def fill_in(template: str, **context: Any) -> str:
    """Fill in a template of sentences, in one line."""
    text = make_environment(PAGES, escape=False).get_template(template).render(context)
    return " ".join(text.split())


def write_methods(assumed: Assumptions, described: list[dict[str, Any]]) -> str:
    """Write the planning of the study as a paragraph for its methods section."""
    spreads = [
        f"{spread:.2f} ({SPREAD_NAMES[group]})"
        for group, spread in zip(GROUPS, assumed.spreads, strict=True)
        if spread
    ]
    shares = [
        f"{mean:.3f} for {name}"
        for mean, name in zip(assumed.means, assumed.names, strict=True)
        if mean == mean
    ]
    return fill_in(
        "plan_methods.txt",
        plan=assumed.plan,
        assumed=assumed,
        version=turingstats.__version__,
        shares=join_with_and(shares),
        spreads=join_with_and(spreads),
        drawn=any(assumed.spread_errors),
        designs=described,
    )


def build_context(
    study: dict[str, Any],
    assumed: Assumptions,
    power: pd.DataFrame,
    described: list[dict[str, Any]],
    pictures: Iterable[str | Path],
    about: dict[str, Any],
) -> dict[str, Any]:
    """Collect what plan.html shows; `study` is `StudyPlan.reported`, `about` title and caption."""
    paths = {path.suffix[1:]: path for path in map(Path, pictures)}
    picture = next((paths[format] for format in SHOWN if format in paths), None)
    rows = list_assumptions(assumed).to_dict("records")
    for row in rows:
        shorten = "{:.0f}".format if row["quantity"] == "seed" else shorten_number
        row["value"] = shorten(row["value"])
    return {
        "study": study,
        "home": any((path.parents[1] / "report/index.html").exists() for path in paths.values()),
        "plan": assumed.plan,
        "data": assumed.data,
        "version": turingstats.__version__,
        "answers": described,
        "about": about,
        "picture": picture and picture.name,
        "size": picture and measure_size(picture),
        "links": {format: path.name for format, path in paths.items()} | {"csv": "power.csv"},
        "grids": [rows.to_dict("records") for _, rows in power.groupby("question", sort=False)],
        "assumptions": rows,
        "methods": write_methods(assumed, described),
    }
