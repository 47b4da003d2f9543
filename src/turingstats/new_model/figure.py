"""A new model's detectability next to the paper's models, one chart per judge."""

import pandas as pd
from matplotlib.figure import Figure

from turingstats.core.labels import format_with_noun
from turingstats.figures.pages import list_records
from turingstats.figures.palette import BLUE, INK, Style
from turingstats.figures.rows import (
    Chart,
    Mark,
    Row,
    RowTable,
    draw_row_page,
    find_tenths,
    list_tenths,
)

ACROSS = 4  # charts side by side
NEW, OTHER = Style(BLUE, "D"), Style(INK, "o")


def draw(data: pd.DataFrame) -> Figure:
    """Draw detectabilities with their intervals, the new model in front."""
    judges = list(data["judge"].unique())
    parts = [judges[start : start + ACROSS] for start in range(0, len(judges), ACROSS)]
    tables = [arrange_judges(data, part) for part in parts]
    return draw_row_page(data, explain_figure(data), *tables)


def arrange_judges(data: pd.DataFrame, judges: list[str]) -> RowTable:
    """Arrange the charts of some judges side by side, with a row per agent."""
    low, high = find_tenths(data[["value", "ci_low", "ci_high"]])
    limits = (max(0, min(0.4, low)), min(1, max(0.8, high)))
    ticks = list_tenths(*limits, 1 if limits[1] - limits[0] <= 0.5 else 2)
    labels = data.drop_duplicates("judge").set_index("judge")["judge_label"]
    charts = [Chart(limits, 0.5, "Detectability", labels[judge], ticks=ticks) for judge in judges]
    rows = []
    for agent in order_agents(data):
        of_agent = data[data["agent"] == agent]
        marks = [
            Mark(
                row["value"], (row["ci_low"], row["ci_high"]), NEW if row["submitted"] else OTHER,
                chart=judges.index(row["judge"]),
            )
            for row in list_records(of_agent[of_agent["judge"].isin(judges)])
        ]  # fmt: skip
        first = of_agent.iloc[0]
        rows.append(Row(first["agent_label"], marks, color=BLUE if first["submitted"] else INK))
    return RowTable(rows, charts)


def order_agents(data: pd.DataFrame) -> list[str]:
    """Order agents: the new model, those that machines judged, the others; by mean detectability."""
    machine = data[data["judge_kind"] != "human"].groupby("agent")["value"].mean()
    mean = machine.combine_first(data.groupby("agent")["value"].mean())
    new = data.groupby("agent")["submitted"].first()
    return sorted(mean.index, key=lambda a: (not new[a], a not in machine.index, mean[a], a))


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    first = data.iloc[0]
    new = data[data["submitted"]]
    sentences = [
        f"{first['reading'].capitalize()} reading, {first['data']}. Detectability: mean of the shares "
        "of human-made and machine-made items classified correctly; 0.5 (dashed): indistinguishable. "
        "Lines: intervals, over stimuli for machine judges and over judges and stimuli for people; none "
        "for a judge whose stimuli are not known; no mark where a judge did not judge a model."
    ]
    if new["n_stimuli"].notna().any():
        n = format_with_noun(new["n_stimuli"].max(), "stimulus", "stimuli")
        sentences.append(f"The new model (blue diamonds) was judged on up to {n}.")
    if len(set(data["judge"]) - set(new["judge"])):
        sentences.append("Judges without a blue diamond have not seen the new model.")
    return " ".join(sentences)
