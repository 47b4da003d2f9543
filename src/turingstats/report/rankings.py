"""Sentences on the first screen of a report about which agents judges prefer."""

from typing import Any

from turingstats.core.labels import join_with_or
from turingstats.report.cells import parse_number

Rows = list[dict[str, str]]
FEW = 4
"""Agents that a sentence names one by one."""


def describe_rankings(strengths: Rows, places: Rows, study: dict[str, Any]) -> list[str]:
    """Say which agent ranks first, where people rank, and whether the place of an option mattered."""
    sentences = []
    for key in dict.fromkeys((row["task"], row["cohort"]) for row in strengths):
        ranked, unranked = [], []
        for row in strengths:
            if (row["task"], row["cohort"]) == key:
                (ranked if row["rank"] else unranked).append(row)
        where = f"{study['tasks'][key[0]]}, {study['cohorts'][key[0]][key[1]]}: "
        parts = [describe_rank(row, len(ranked), study["agents"]) for row in ranked[:1]]
        parts += [
            describe_rank(row, len(ranked), study["agents"])
            for row in ranked[1:]
            if row["agent"] == "human"
        ]
        sentences.append(where + "; ".join(parts or ["no two agents can be compared"]) + ".")
        sentences += [f"{study['agents'][row['agent']]}: {row['note']}." for row in unranked]
        sentences += [describe_place(row) for row in places if (row["task"], row["cohort"]) == key]
    return [sentence for sentence in sentences if sentence]


def describe_rank(row: dict[str, str], number: int, labels: dict[str, str]) -> str:
    """Describe the rank of an agent, and from whom it is not told apart."""
    rank, low, high = (
        f"{parse_number(row[name]):.0f}" for name in ("rank", "rank_low", "rank_high")
    )
    interval = f" ({low} to {high})" if low != high else ""
    sentence = f"{labels[row['agent']]} ranks {rank}{interval} of {number}"
    alike = [labels[name] for name in row["not_told_apart"].split(", ") if name]
    if not alike:
        return f"{sentence}, told apart from all others"
    named = join_with_or(alike) if len(alike) <= FEW else f"{len(alike)} other agents"
    return f"{sentence} and is not told apart from {named}"


def describe_place(row: dict[str, str]) -> str:
    """Describe how often the option shown first was chosen, if that differs from one half."""
    p = parse_number(row["p"])
    if p is None or p >= 0.05:
        return ""
    share, more = parse_number(row["first_wins"]), parse_number(row["value"]) > 0
    place = "first" if more else "last"
    chosen = f"{share if more else 1 - share:.0%}"
    return f"The option shown {place} was chosen more often ({chosen}); the strengths account for this."
