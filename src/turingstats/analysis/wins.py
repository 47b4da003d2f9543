"""Win rates: of two agents whose responses to one stimulus a judge saw, which one was judged human."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from turingstats.analysis.breakdowns import estimate_share
from turingstats.analysis.responses import GAMES, READING, UNNAMED, select_named, split_cohorts
from turingstats.config.study import Study
from turingstats.stats.multiplicity import add_holm_correction

NAN = float("nan")
COLUMNS = [
    "win_id", "study", "task", "cohort", "judge_kind", "agent", "other", "share", "ci_low",
    "ci_high", "wins", "losses", "ties", "n_pairs", "n_judges", "judges_for", "judges_against", "p",
    "p_adjusted", "correction", "family_size", "unit", "method", "note", "reading",
]  # fmt: skip


def count_wins(verdicts: pd.DataFrame, study: Study, level: float) -> pd.DataFrame:
    """Count how often each agent was judged human where another, on the same stimulus, was judged a machine.

    One row per cohort and pair of agents, people among them. n_pairs: pairs of verdicts of one judge on
    one stimulus; in `wins` of them only `agent` was judged human, in `losses` only `other`, in `ties`
    both or neither. share is wins / (wins + losses). A cohort in which no judge saw two agents' responses
    to a stimulus has one row with a note.
    """
    rows = []
    for keys, part in split_cohorts(verdicts, study):
        task, cohort = keys["task"], keys["cohort"]
        decided = part[part["verdict"].isin(["human", "machine"])]
        if decided.empty:
            continue
        agents = ["human", *study.tasks[task].agents]
        order = [agent for agent in agents if (decided["agent"] == agent).any()]
        named = select_named(decided)
        compared = compare_agents(named, order, keys["judge_kind"] == "human", level)
        if not compared:
            note = "not computed: no judge saw two agents' responses to the same stimulus"
            without = GAMES if study.tasks[task].design == "three_party" else UNNAMED
            note = without if named.empty else note
            compared = [{"agent": "", "other": "", "n_pairs": 0, "unit": "", "note": note}]
        for row in compared:
            identity = ".".join(filter(None, (task, cohort, row["agent"], row["other"])))
            rows.append({"win_id": identity} | keys | {"reading": READING} | row)
    return pd.DataFrame(rows, columns=COLUMNS)


def compare_agents(
    decided: pd.DataFrame, agents: list[str], people: bool, level: float
) -> list[dict[str, Any]]:
    """Compare each pair of agents that occurs on a stimulus; `people`: whether the judges are people."""
    seen = decided[["stimulus", "agent"]].drop_duplicates()
    several = seen.loc[seen["stimulus"].duplicated(), "stimulus"].unique()
    first = decided[decided["stimulus"].isin(list(several))]
    first = first.drop_duplicates(["judge", "stimulus", "agent"]).astype(
        dict.fromkeys(["judge", "stimulus", "agent"], object)
    )
    called = (
        first.assign(human=(first["verdict"] == "human").astype(float))
        .set_index(["judge", "stimulus", "agent"])["human"]
        .unstack()
    )
    rows = []
    for agent, other in itertools.combinations([a for a in agents if a in called], 2):
        pairs = called[[agent, other]].dropna()
        if len(pairs):
            ahead = (pairs[agent] - pairs[other]).to_numpy()
            judges = pairs.index.get_level_values("judge").to_numpy(str)
            rows.append(
                {"agent": agent, "other": other} | describe_wins(ahead, judges, people, level)
            )
    add_holm_correction(rows)
    return rows


def describe_wins(
    ahead: np.ndarray, judges: np.ndarray, people: bool, level: float
) -> dict[str, float]:
    """Describe pairs of verdicts by who was ahead (-1, 0 or 1).

    Judges who are people are a sample: a judge counts once in the sign test.
    """
    wins, losses = int((ahead > 0).sum()), int((ahead < 0).sum())
    for_agent, against = wins, losses
    if people:
        net = pd.Series(ahead).groupby(judges).sum()
        for_agent, against = int((net > 0).sum()), int((net < 0).sum())
    sided = ahead != 0
    share = estimate_share(ahead[sided] > 0, judges[sided], level)
    note = "" if wins + losses else "not defined: every pair is a tie"
    tested = for_agent + against
    return {
        "share": share["value"],
        "ci_low": share["ci_low"],
        "ci_high": share["ci_high"],
        "wins": wins,
        "losses": losses,
        "ties": int((~sided).sum()),
        "n_pairs": len(ahead),
        "n_judges": len(np.unique(judges)),
        "judges_for": for_agent if people else NAN,
        "judges_against": against if people else NAN,
        "p": float(binomtest(for_agent, tested).pvalue) if tested else NAN,
        "unit": "judge" if people else "pair of verdicts",
        "method": f"exact sign test over {'judges' if people else 'pairs'} with a difference; "
        f"share of pairs with a difference: {share['method']}",
        "note": note,
    }
