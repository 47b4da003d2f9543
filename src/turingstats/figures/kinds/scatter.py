"""Panel of agents' detectability against a score from the literature."""

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import ScatterPanel
from turingstats.core.labels import format_with_noun, state_p, use_minus_signs
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows, Scales
from turingstats.figures.look import find_bounds, find_series_style, make_key
from turingstats.figures.marks import draw_estimate, draw_key
from turingstats.figures.pages import LINE, SMALL, Place
from turingstats.figures.palette import GREY
from turingstats.figures.picking import describe_agent, pick_estimates, pick_test
from turingstats.figures.rows import DASHED, list_tenths

SCORES = {"bleu4": "BLEU-4", "cider": "CIDEr"}
SCATTER = 42  # height of a scatter's axes, mm


class Scatter(PanelKind):
    """Detectability of agents against a score."""

    kinds = ("scatter",)
    counts_judges = True

    def select(self, panel: ScatterPanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select detectability of agents, a score from the literature, and the declared correlation."""
        benchmarks = results["benchmarks"]
        if benchmarks is None:
            return []
        score = benchmarks[benchmarks["measure"] == panel.score].set_index("agent")["value"]
        rows = [
            row
            | describe_agent(agent, panel, study)
            | {"quantity": "detectability", "x": score[agent], "text": panel.score}
            for agent in panel.agents
            if agent in score.index
            for row in pick_estimates(results, panel, agent, "detectability").values()
        ]
        if rows and (row := results["test_of"].get(panel.test)):
            correlation = {"kind": "correlation", "value": row["statistic"], "n": row["n1"]}
            rows.append(correlation | pick_test(panel.test, results))
        return rows

    def share_scales(self, data: pd.DataFrame) -> Scales:
        """Compute the scale of detectability, the same in all panels."""
        return {"bounds": find_bounds(data[data["kind"] == "scatter"], 0.4, 0.7)}

    def draw(self, canvas: Axes, rows: pd.DataFrame, place: Place, scales: Scales) -> float:
        """Draw agents' detectability against a score."""
        left, top, width = place.left + 9, place.top + LINE[SMALL] + 1, place.width - 12
        shown = rows[rows["kind"] == "scatter"]
        axes = pages.add_inset(canvas, left, top, width, SCATTER)
        axes.margins(x=0.18)
        axes.set_ylim(*scales["bounds"])
        axes.set_yticks(list_tenths(*scales["bounds"]))
        score = shown["text"].iloc[0]
        axes.set_xlabel(SCORES.get(score, score), labelpad=1.5)
        axes.set_ylabel("Detectability", labelpad=2)
        axes.axhline(0.5, **DASHED)
        for row in pages.list_records(shown):
            (color, marker, _), ends = find_series_style(row), pages.find_bar_ends(row)
            draw_estimate(axes, row["x"], row["value"], ends, color, marker, tip=row["agent_label"])
        for row in pages.list_records(rows[rows["kind"] == "correlation"]):
            r = use_minus_signs(f"{row['value']:.3f}")
            text = f"r = {r}, {state_p(row['p'])}, {format_with_noun(row['n'], 'agent')}"
            pages.write_lines(canvas, left + width, top - 1.6, text, SMALL, ha="right", color=GREY)
        key = make_key(shown)
        return 1 + draw_key(canvas, key, left, top + SCATTER + 9, place.width)
