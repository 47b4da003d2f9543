"""Trials in the JSON files of the study: what a record says of the response and of the verdict."""

from pathlib import Path

from turingstats.core.errors import InputError
from turingstats.data import schema
from turingstats.data.adapters import records


def trials(file, folder):
    """Yield the trials of a dictionary of them.

    Yields
    ------
    row : str
        The trial's key.
    record, data : dict
        The whole record, and its `trialData`.
    where : dict
        Path and row, for errors.
    """
    path = Path(folder) / file.path
    for row, record in records.load(file, folder).items():
        where = {"path": path, "row": row}
        yield row, record, records.field(record, "trialData", **where), where


def response_of(data, agents, *, path, row):
    """Who made the response of a trial, checked against the stated ground truth.

    Returns
    -------
    agent, truth : str
    """
    truth = records.one_of(
        records.field(data, "groundtruth", path=path, row=row),
        ("human", "machine"),
        path=path,
        row=row,
        column="groundtruth",
    )
    raw = records.field(data, "machine_groundtruth", path=path, row=row)
    agent = agents[
        records.one_of(raw, list(agents), path=path, row=row, column="machine_groundtruth")
    ]
    if (agent == "human") != (truth == "human"):
        raise InputError(
            path,
            f"the ground truth is {truth} but the agent is {agent}",
            row=row,
            column="machine_groundtruth",
            value=raw,
            remedy="correct the record",
        )
    return agent, truth


def verdict_of(data, *, path, row):
    """What the response of a trial was judged to be: human or machine."""
    value = records.field(data, "response_speaker", path=path, row=row)
    return records.one_of(value, schema.TRUTHS, path=path, row=row, column="response_speaker")
