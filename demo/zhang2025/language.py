"""Code shared by the generated files of the language tasks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from demo.zhang2025.model import Trial


def deal_trials(
    rng: np.random.Generator,
    places: Sequence[Sequence[int]],
    agents: Sequence[str],
    stimuli: Sequence[int],
) -> list[Trial]:
    """Return trials in order: each judge's places in the session, with agents assigned from one list.

    Parameters
    ----------
    rng : numpy.random.Generator
        Random numbers of the file.
    places : sequence of sequence of int
        For each judge the positions in the session that are in the file, ascending.
    agents : sequence of str
        One for each trial of the file, in order.
    stimuli : sequence of int
        Stimuli to choose from; no judge sees one twice.
    """
    trials = []
    for judge, own in enumerate(places):
        seen = rng.choice(stimuli, size=len(own), replace=False)
        for position, stimulus in zip(own, seen, strict=True):
            trials.append(Trial(judge, int(position), int(stimulus), agents[len(trials)]))
    return trials


def shuffle_agents(rng: np.random.Generator, counts: dict[str, int]) -> list[str]:
    """Return each key as often as its count says, in random order."""
    names = np.repeat(np.array(list(counts), dtype=object), list(counts.values()))
    return rng.permutation(names).tolist()


def number_records(records: Sequence[dict], prefix: str = "Trial_") -> dict[str, dict]:
    """Return records under ``Trial_1``, ``Trial_2`` and so on."""
    return {f"{prefix}{k}": record for k, record in enumerate(records, start=1)}
