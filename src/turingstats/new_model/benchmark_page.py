"""The page about a new model: its figure, scores, findings, and the stimuli that could not be matched."""

from pathlib import Path

import pandas as pd
from markupsafe import Markup

import turingstats
from turingstats.core.labels import format_p
from turingstats.core.templating import make_environment
from turingstats.figures import pages
from turingstats.new_model import figure
from turingstats.new_model.verdicts import COHORT

LISTED = 12
"""Maximum number of stimuli that the page names."""
COPIED = 0.9
"""Minimum share of responses that are another agent's for the page to ask whether it is the same."""


def describe_findings(scores: pd.DataFrame, name: str) -> list[str]:
    """Say what the scores show about the new model, in one sentence per judge."""
    sentences = []
    for label, part in scores.groupby("judge_label", sort=False):
        new = part[part["submitted"]]
        if new.empty:
            continue
        row = new.iloc[0]
        others = part[~part["submitted"]]
        below = int((others["value"] < row["value"]).sum())
        side = "is not distinguishable from chance"
        if row["ci_low"] > 0.5:
            side = "is above chance"
        elif row["ci_high"] < 0.5:
            side = "is below chance"
        sentence = (
            f"{label}: detectability {row['value']:.3f} ({row['ci_low']:.3f} to "
            f"{row['ci_high']:.3f}), which {side}"
        )
        if len(others):
            sentence += (
                f"; {below} of {len(others)} other models are harder to distinguish from people than "
                f"{name}"
            )
        sentences.append(f"{sentence}.")
    return sentences


def render_benchmark(
    template: Path,
    scores: pd.DataFrame,
    differences: pd.DataFrame,
    matching: pd.DataFrame,
    absent: dict[str, str],
    about: dict[str, str],
) -> str:
    """Render the page about a new model, with the figure in it, from the results of one reading."""
    picture, agents = "", []
    if len(scores):
        about_file = pages.describe_file(scores, "Scores of the new model")
        picture = pages.draw_svg(figure.draw(scores), 300, about_file)
        parts = dict(list(scores.groupby("agent")))
        agents = [
            {row["judge"]: row for row in parts[agent].to_dict("records")}
            for agent in figure.order_agents(scores)
        ]
    lost = {
        "missing": matching[matching["note"] == "no response"],
        "unknown": matching[matching["note"].str.startswith("unknown")],
    }
    matched = matching[matching["matched"].astype(bool)]
    same = matched["same_as"].str.split(", ").explode().value_counts()
    template = Path(template)
    environment = make_environment(template.parent, trim=False)
    return environment.get_template(template.name).render(
        **about,
        generated=about["data"] == "generated data",
        version=turingstats.__version__,
        picture=Markup(picture),
        judges=scores.drop_duplicates("judge").fillna({"judge_source": ""}).to_dict("records"),
        agents=agents,
        cohort=COHORT,
        findings=describe_findings(scores, about["name"]),
        absent=absent,
        differences=[
            row | {"p_text": format_p(row["p_adjusted"])} for row in differences.to_dict("records")
        ],
        has_responses=bool(len(matching)),
        n_matched=len(matched),
        copied={agent: n for agent, n in same.items() if agent and n >= COPIED * len(matched)},
        n_known=int((~matching["note"].str.startswith("unknown")).sum()),
        **{f"n_{what}": len(rows) for what, rows in lost.items()},
        **{what: list(rows["stimulus"][:LISTED]) for what, rows in lost.items()},
    )
