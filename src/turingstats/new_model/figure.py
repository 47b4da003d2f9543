"""A new model's detectability next to the paper's models, one chart per judge."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.core.labels import format_with_noun
from turingstats.figures import hover
from turingstats.figures.pages import (
    BODY,
    LINE,
    MARGIN,
    PAGE,
    SMALL,
    add_inset,
    flag_generated_data,
    is_generated,
    list_records,
    make_page,
    measure_text,
    wrap_text,
    write_lines,
)
from turingstats.figures.palette import BLUE, GREY, INK, PALE

ROW = 4.6  # height of an agent's row, mm
ACROSS = 4  # charts per row
APART = 6  # between them, mm


def draw(data: pd.DataFrame) -> Figure:
    """Draw detectabilities with their intervals, the new model in front."""
    agents = order_agents(data)
    judges = list(data["judge"].unique())
    rows = [judges[start : start + ACROSS] for start in range(0, len(judges), ACROSS)]
    labels = data.drop_duplicates("agent").set_index("agent")["agent_label"]
    left = MARGIN + max(measure_text(labels[a], BODY, "semibold") for a in agents) + 3
    wide = (PAGE - left - MARGIN - APART * (ACROSS - 1)) / ACROSS
    generated = is_generated(data)
    titles = {
        judge: wrap_text(part["judge_label"].iloc[0], wide)
        for judge, part in data.groupby("judge", sort=False)
    }
    sources = {
        judge: wrap_text(part["judge_source"].fillna("").iloc[0], wide, SMALL)
        for judge, part in data.groupby("judge", sort=False)
    }
    heads = [
        max(len(titles[judge]) * LINE[BODY] + len(sources[judge]) * LINE[SMALL] for judge in row)
        + 1.5
        for row in rows
    ]
    tall = len(agents) * ROW
    foot = wrap_text(explain_figure(data), PAGE - 2 * MARGIN, SMALL)
    top = MARGIN + (7 if generated else 0)
    height = top + sum(heads) + len(rows) * (tall + 12) + len(foot) * LINE[SMALL] + MARGIN
    canvas = make_page(PAGE, height)
    limits = find_limits(data)
    for row, head in zip(rows, heads, strict=True):
        for number, agent in enumerate(agents):
            new = bool(data.loc[data["agent"] == agent, "submitted"].iloc[0])
            style: dict[str, Any] = {"weight": "semibold", "color": BLUE} if new else {}
            y = top + head + (number + 0.5) * ROW + 0.9
            write_lines(canvas, left - 2, y, labels[agent], ha="right", **style)
        for index, judge in enumerate(row):
            x = left + index * (wide + APART)
            write_lines(canvas, x, top + 2.6, titles[judge], weight="semibold")
            under = top + 2.3 + len(titles[judge]) * LINE[BODY]
            write_lines(canvas, x, under, sources[judge], SMALL, color=GREY)
            part = data[data["judge"] == judge]
            draw_chart(canvas, part, agents, (x, top + head, wide, tall), limits)
        top += head + tall + 12
    write_lines(canvas, MARGIN, top, foot, SMALL, color=GREY)
    if generated:
        flag_generated_data(canvas)
    return canvas.figure


def draw_chart(
    canvas: Axes,
    rows: pd.DataFrame,
    agents: list[str],
    box: tuple[float, float, float, float],
    limits: tuple[float, float],
) -> None:
    """Draw one judge's detectabilities, one row per agent."""
    axes = add_inset(canvas, *box)
    axes.set(xlim=limits, ylim=(len(agents) - 0.5, -0.5))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    ticks = [n / 10 for n in range(round(10 * limits[0]), round(10 * limits[1]) + 1)]
    axes.set_xticks(ticks[:: 1 if len(ticks) <= 6 else 2])
    axes.tick_params(labelsize=SMALL)
    axes.set_xlabel("Detectability", labelpad=1.5, size=SMALL)
    axes.axvline(0.5, color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
    for number in range(len(agents)):
        axes.axhline(number, color=PALE, linewidth=0.3, zorder=0)
    for row in list_records(rows):
        y, color = agents.index(row["agent"]), BLUE if row["submitted"] else INK
        marker = "D" if row["submitted"] else "o"
        axes.plot([row["ci_low"], row["ci_high"]], [y, y], color=color, linewidth=1, zorder=2)
        (mark,) = axes.plot(
            row["value"], y, marker, color=color, markersize=3.4, zorder=3, clip_on=False
        )
        hover.title_mark(mark, describe_score(row))
    shown = set(rows["agent"])
    for number, agent in enumerate(agents):
        if agent not in shown:
            style: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "pad": 1}
            axes.text(
                limits[1],
                number,
                "not judged",
                size=SMALL,
                color=GREY,
                ha="right",
                va="center",
                bbox=style,
            )


def describe_score(row: dict[str, Any]) -> str:
    """Describe a detectability exactly."""
    interval = "no interval"
    if row["ci_low"] == row["ci_low"]:
        interval = f"interval {row['ci_low']:.4f} to {row['ci_high']:.4f}"
    counted = ""
    if row["n_machine"] == row["n_machine"]:
        counted = f"; n = {row['n_machine']:,.0f} verdicts on the model"
    whose = f"{row['agent_label']}, {row['judge_label']}"
    return f"{whose}: detectability {row['value']:.4f} ({interval}){counted}"


def order_agents(data: pd.DataFrame) -> list[str]:
    """Order agents: the new model, those that machines judged, the others; by mean detectability."""
    machine = data[data["judge_kind"] != "human"].groupby("agent")["value"].mean()
    mean = machine.combine_first(data.groupby("agent")["value"].mean())
    new = data.groupby("agent")["submitted"].first()
    return sorted(mean.index, key=lambda a: (not new[a], a not in machine.index, mean[a], a))


def find_limits(data: pd.DataFrame) -> tuple[float, float]:
    """Return the ends of the scale: tenths that include all intervals and chance."""
    ends = data[["value", "ci_low", "ci_high"]]
    low = min(0.4, int(10 * max(0, ends.min().min())) / 10)
    high = max(0.8, -(-10 * min(1, ends.max().max()) // 1) / 10)
    return low, high


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    first = data.iloc[0]
    new = data[data["submitted"]]
    sentences = [
        f"{first['reading'].capitalize()} reading, {first['data']}. Detectability: mean of the shares "
        "of human-made and machine-made items classified correctly; 0.5 (dashed): indistinguishable. "
        "Lines: intervals, over stimuli for machine judges and over judges and stimuli for people; none "
        "for a judge whose stimuli are not known.",
    ]
    if new["n_stimuli"].notna().any():
        n = format_with_noun(new["n_stimuli"].max(), "stimulus", "stimuli")
        sentences.append(f"The new model (blue diamonds) was judged on up to {n}.")
    if len(set(data["judge"]) - set(new["judge"])):
        sentences.append("Judges without a blue diamond have not seen the new model.")
    return " ".join(sentences)
