"""Table of ratings given beside the verdict: means by agent, and correlation with the verdict."""

import pandas as pd

from turingstats.config.study import Study
from turingstats.core.labels import format_with_interval
from turingstats.tables.rating_summary import format_row, name_agent

CORRELATIONS = {
    "within_judges": "r with the verdict human, within judges",
    "within_stimuli": "r with the verdict human, within stimuli",
}


def tabulate_scales(table: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Tabulate scales: one row per cohort or machine judge and scale, with cells as text."""
    rows = []
    filled = table.fillna({"judge": ""})
    for (task, cohort, judge, scale), own in filled.groupby(
        ["task", "cohort", "judge", "scale"], sort=False
    ):
        label = study.tasks[task].cohorts[cohort].label
        row = {"Task": study.tasks[task].label} if len(study.tasks) > 1 else {}
        row |= {"Judges": f"{label}: {judge}" if judge else label, "Scale": scale.replace("_", " ")}
        row["n"] = f"{own['n'].max():,.0f}"
        for _, mean in own[own["quantity"] == "mean"].iterrows():
            shown = format_with_interval(mean["value"], mean["ci_low"], mean["ci_high"])
            row[f"Mean, {name_agent(mean['agent'], study)}"] = shown
        for _, difference in own[own["quantity"] == "difference"].head(1).iterrows():
            heading = f"{name_agent(difference['agent'], study)} minus people"
            row[heading] = format_row(pd.DataFrame([difference]))
        for quantity, heading in CORRELATIONS.items():
            row[heading] = format_row(own[own["quantity"] == quantity])
        rows.append(row)
    shown = pd.DataFrame(rows).fillna("")
    return shown[[name for name in shown if (shown[name] != "").any()]]
