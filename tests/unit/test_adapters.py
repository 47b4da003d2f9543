"""Adapters of users' tables: which formats there are, and faults that lead to the file."""

import pandas as pd
import pytest
from project import read_study

from turingstats.config import raw_files
from turingstats.core.errors import ConfigError, InputError
from turingstats.data import adapters, schema


def test_an_unknown_format_is_named_with_those_there_are(tmp_path):
    file = raw_files.RawFile(path="a.csv", format="spreadsheet", task="color")
    with pytest.raises(ConfigError, match=r"(?s)'spreadsheet'.*response_table, verdict_table"):
        adapters.read_file(file, tmp_path, None)


def test_a_fault_of_the_contract_names_the_raw_file(monkeypatch, tmp_path):
    """Whatever an adapter lets through, the message leads to the record."""
    study = read_study("jones2024")
    row = {
        "study": "jones2024",
        "task": "online",
        "cohort": "players",
        "judge": "online.players.w001",
    }
    row |= {"judge_kind": "human", "trial": 7, "phase": "exam", "agent": "human", "truth": "human"}
    table = pd.DataFrame([row | {"verdict": "human"}]).reindex(columns=list(schema.JUDGMENTS))
    monkeypatch.setattr(adapters, "list_study_columns", lambda study: ([], []))
    monkeypatch.setattr(adapters, "read_file", lambda *arguments: {"judgments": table})
    file = raw_files.RawFile(path="games.csv", format="verdict_table", task="online")
    with pytest.raises(
        InputError,
        match=r"(?s)games\.csv.*row: +judge online\.players\.w001, trial 7.*phase.*'exam'",
    ):
        adapters.read_raw_files([file], tmp_path, study)
