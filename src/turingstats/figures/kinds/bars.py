"""Panel of detectability by agent and group, with tests against chance and between groups."""

import pandas as pd

from turingstats.config.study import Study
from turingstats.config.study.panels import BarsPanel
from turingstats.core.labels import find_alpha, format_with_noun
from turingstats.core.yaml_models import Reading
from turingstats.figures.kinds.base import PanelKind, Results, Rows, RowsKind, Scales
from turingstats.figures.pages import SMALL, find_bar_ends, list_records
from turingstats.figures.palette import find_style
from turingstats.figures.picking import (
    describe_agent,
    name_level,
    pick_estimates,
    pick_test,
)
from turingstats.figures.rows import Chart, Mark, Row, RowTable, find_bounds, list_tenths


class Bars(RowsKind):
    """Detectability by agent and group."""

    kinds = ("bars",)

    def select(self, panel: BarsPanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select detectability by group and agent, with p against chance and between groups."""
        cohorts = study.tasks[panel.task].cohorts
        by = (not panel.cohorts and panel.by) or "all"
        labels = {
            name: cohorts[name].label if name in cohorts else name for name in panel.cohort_names
        }
        rows, absent = [], dict(labels)
        for agent in panel.agents:
            shared = describe_agent(agent, panel, study) | {"quantity": "detectability"}
            shared["group_by"] = "cohort" if by == "all" else by
            bars = []
            for cohort, label in labels.items():
                estimates = pick_estimates(results, panel, agent, "detectability", by, cohort)
                for level in [at for at in panel.levels or estimates if at in estimates]:
                    absent.pop(cohort, None)
                    group, test = label if by == "all" else level, level
                    keys = {"group": name_level(group, panel, study)}
                    if panel.cohorts:
                        test = cohort
                        keys |= {"cohort": cohort, "cohort_label": label}
                        keys["judge_kind"] = cohorts[cohort].judge_kind
                    test = f"{panel.chance_test}.{agent}" + f".{test}" * (test != "all")
                    bars.append(estimates[level] | shared | keys | pick_test(test, results))
            between = pick_test(f"{panel.group_test}.{agent}", results)
            if between and bars:
                del shared["quantity"]
                bars.append({"kind": "group test"} | shared | between)
            rows += bars
        if absent:
            lacking = [f"no data of {label}" for label in absent.values()]
            note = ", ".join([*filter(None, [panel.note.get(reading)]), *lacking])
            rows = [row | {"note": note} for row in rows]
        return rows

    def share_scales(self, data: pd.DataFrame) -> Scales:
        """Compute the scale, the same in all panels."""
        return {"limits": find_bounds(data[data["kind"] == "bars"], 0.4, 0.7)}

    def arrange(self, rows: pd.DataFrame, scales: Scales) -> RowTable:
        """Arrange a row per agent with a mark per group, and brackets where groups differ."""
        estimates, tests = rows[rows["kind"] == "bars"], rows[rows["kind"] == "group test"]
        alpha = find_alpha(rows["level"].iloc[0])
        differ = set(tests.loc[tests["p_adjusted"] < alpha, "agent"])
        lines, brackets = [], []
        for number, (agent, part) in enumerate(estimates.groupby("agent", sort=False)):
            marks = [
                Mark(
                    row["value"], find_bar_ends(row), find_style(row["role"]), [f"{row['n']:,.0f}"],
                    row["p_adjusted"] < alpha, name=f"{row['agent_label']}, {row['group']}",
                )
                for row in list_records(part)
            ]  # fmt: skip
            lines.append(Row(part["agent_label"].iloc[0], marks))
            brackets += [(number, number)] * (agent in differ)
        # The pooled agents include all trials of a group, a single agent does not.
        sizes = estimates.loc[estimates.groupby("group", sort=False)["n"].idxmax()]
        if (sizes["group_by"] != "cohort").all():
            # A group that lacks the first agent is in its place among the others.
            sizes = sizes.sort_values("role", kind="stable")
        key = [
            (
                f"{row['group']}: {format_with_noun(row['n_judges'], 'judge')}, "
                f"{format_with_noun(row['n'], 'verdict')}",
                find_style(row["role"]).marks,
            )
            for row in list_records(sizes)
        ]
        limits = scales["limits"]
        chart = Chart(limits, 0.5, "Detectability", heads=["verdicts"], ticks=list_tenths(*limits))
        return RowTable(lines, [chart], key, brackets=brackets, size=SMALL, row=2.8)


class GroupTests(PanelKind):
    """Tests between groups of judges, drawn into panels of bars and intervals."""

    kinds = ("group test",)
