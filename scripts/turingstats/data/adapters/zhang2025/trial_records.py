"""Trials in the JSON files of the study: what a record says about the response and the verdict."""

from pathlib import Path

from turingstats.core.errors import InputError
from turingstats.data import schema
from turingstats.data.adapters import records


def iterate_trials(file, folder):
    """Iterate over the trials of a dictionary.

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
    for row, record in records.load_records(file, folder).items():
        where = {"path": path, "row": row}
        yield row, record, records.require_field(record, "trialData", **where), where


def find_agent_and_truth(data, agents, *, path, row):
    """Find who made the response of a trial, and check it against the stated ground truth.

    Returns
    -------
    agent, truth : str
    """
    truth = records.require_allowed_value(
        records.require_field(data, "groundtruth", path=path, row=row),
        ("human", "machine"),
        path=path,
        row=row,
        column="groundtruth",
    )
    raw = records.require_field(data, "machine_groundtruth", path=path, row=row)
    agent = agents[
        records.require_allowed_value(
            raw, list(agents), path=path, row=row, column="machine_groundtruth"
        )
    ]
    if (agent == "human") != (truth == "human"):
        raise InputError(
            path,
            f"the ground truth is {truth} but the agent is {agent}",
            row=row,
            column="machine_groundtruth",
            value=raw,
            fix="correct the record",
        )
    return agent, truth


def read_verdict(data, *, path, row):
    """Read what the response of a trial was judged to be: human or machine."""
    value = records.require_field(data, "response_speaker", path=path, row=row)
    return records.require_allowed_value(
        value, schema.TRUTHS, path=path, row=row, column="response_speaker"
    )
