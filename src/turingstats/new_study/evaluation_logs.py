"""Recognize evaluation logs of Inspect, as its function `samples_df` tabulates them."""

from typing import Any

from turingstats.core.yaml_models import make_list
from turingstats.new_study.vocabulary import NAMES, strip_signs

ALWAYS = {"sample_id", "eval_id", "id", "epoch", "input", "target"}
"""Columns that every table of samples has."""
BESIDE = ("_answer", "_explanation", "_metadata")
"""Endings of the columns beside the value of a score."""


def name_sample_columns(header: list[str], named: dict[str, Any]) -> dict[str, Any]:
    """Name the columns of a table of samples: the model judges, and its only score says whether it was right.

    What the user has `named` is left to them; empty for any other table.
    """
    if not set(header) >= ALWAYS:
        return {}
    scores = [name for name in header if name.startswith("score_")]
    values = [name for name in scores if not name.endswith(BESIDE)]
    answers = [name for name in scores if name.endswith("_answer")]
    authors = [
        name
        for name in header
        if name.startswith("metadata_")
        and strip_signs(name.removeprefix("metadata_")) in NAMES["agent"].split()
    ]
    guessed = {"detector": ["model"], "stimulus": ["id"], "agent": authors, "verdict": answers}
    # Several verdicts of one judge, not a condition of them.
    guessed["trial"] = ["epoch"]
    guessed |= {} if answers else {"right": values}
    same = {"detector": {"judge"}, "verdict": {"right", "chosen"}, "right": {"verdict", "chosen"}}
    used = {column for part in named.values() if part is not None for column in make_list(part)}
    return {
        what: columns[0]
        for what, columns in guessed.items()
        if len(columns) == 1
        and columns[0] in set(header) - used
        and not ({what} | same.get(what, set())) & set(named)
    }
