"""Adapters of users' tables: which formats there are, and faults that lead to the file."""

import pytest

from turingstats.config import raw_files
from turingstats.core.errors import ConfigError
from turingstats.data import adapters


def test_an_unknown_format_is_named_with_those_there_are(tmp_path):
    file = raw_files.RawFile(path="a.csv", format="spreadsheet", task="color")
    with pytest.raises(ConfigError, match=r"(?s)'spreadsheet'.*response_table, verdict_table"):
        adapters.read_file(file, tmp_path, None)
