"""Words per message of machines, relative to the people whose dialogues they were paired with.

In a choice between a person's and a machine's dialogue, both are responses to the same stimulus: the pair.
A message is one response. The difference is between two means over messages; its interval resamples
pairs, because the messages of a dialogue are not independent of each other.
"""

from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.rows import tabulate
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study
from turingstats.data.counts import find_levels
from turingstats.stats import resampling


def measure_message_lengths(
    judgments: pd.DataFrame, responses: pd.DataFrame, study: Study, config: AnalysisSettings
) -> pd.DataFrame:
    """Measure the messages of tasks that are choices, by condition.

    The judgments give the levels of the conditions at which each stimulus was judged. Stimuli without
    messages from both sides are left out.
    """
    tables = []
    for task, described in study.tasks.items():
        task_responses = responses[responses["task"] == task]
        if not described.choice or task_responses.empty:
            continue
        sums = sum_messages(task_responses)
        judged = judgments[judgments["task"] == task]
        for condition in (None, *described.conditions):
            level = "all" if condition is None else find_levels(judged, condition)
            levels = judged.assign(group=level)[["stimulus", "agent", "group"]]
            levels = levels.astype("string").dropna().drop_duplicates()
            messages = levels.merge(sums, on=["stimulus", "agent"])
            for (group, agent), part in messages.groupby(["group", "agent"], sort=False):
                name = f"{task}.{group}.{agent}"
                shared = {
                    "task": task,
                    "group_by": condition or "all",
                    "group": group,
                    "agent": agent,
                }
                tables.append(shared | compare_lengths(part, name, config))
    return tabulate(tables, "lengths", study=study.study)


def sum_messages(responses: pd.DataFrame) -> pd.DataFrame:
    """Count messages and words of the machine and of the person in each stimulus that has both."""
    words = responses["response"].str.split().str.len()
    counted = (
        responses.assign(words=words, n=1)
        .astype({"stimulus": "string", "agent": "string"})
        .groupby(["stimulus", "agent"])[["n", "words"]]
        .sum()
        .reset_index()
    )
    people = counted["agent"] == "human"
    return counted[~people].merge(
        counted[people].drop(columns="agent"), on="stimulus", suffixes=("", "_human")
    )


def compare_lengths(part: pd.DataFrame, name: str, config: AnalysisSettings) -> dict[str, Any]:
    """Compare means over messages: their difference and its bootstrap over stimuli."""
    counts = part[["words", "n", "words_human", "n_human"]].to_numpy(int)

    def difference(totals: np.ndarray) -> np.ndarray:
        return totals[..., 0] / totals[..., 1] - totals[..., 2] / totals[..., 3]

    total = counts.sum(axis=0)
    generator = resampling.make_generator(config["seed"], f"lengths {name}")
    draws = resampling.bootstrap_totals(counts, config["n_bootstrap"], generator)
    se, low, high = (
        part.item() for part in resampling.summarize_draws(difference(draws), config["confidence"])
    )
    enough = len(part) > 1
    return {
        "n_stimuli": len(part),
        "n_messages": total[1],
        "n_messages_human": total[3],
        "words": total[0] / total[1],
        "words_human": total[2] / total[3],
        "difference": difference(total),
        "se": se if enough else np.nan,
        "ci_low": low if enough else np.nan,
        "ci_high": high if enough else np.nan,
        "method": f"words between blanks, mean over messages; bootstrap of {len(part)} stimuli, "
        f"{config['n_bootstrap']} draws, percentile",
    }
