"""Small raw files of every format of the main paper, whose content is made up (`raw_samples.json`).

A sample is a raw file with the files that are read with it, as trees: a JSON file as it is parsed, a table as
a list of rows whose JSON cells are parsed.
"""

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path

from project import read_study

from converters.zhang2025 import raw_files, reading

STUDY = read_study("zhang2025")
CELL = "datastring"
"""Column of a table whose cells are JSON."""


@dataclass
class Sample:
    """A raw file; `trees` holds the content of the file and its companions by path."""

    file: raw_files.RawFile
    trees: dict

    @property
    def name(self):
        """Format and kind of record, as a name of a test."""
        return f"{self.file.format}-{self.file.task}-{self.file.cohort or 'all'}"

    @property
    def is_table(self):
        return self.file.path.endswith(".csv")

    def write(self, folder, content=None, path=None):
        """Write all files; `content`, text or bytes, takes the place of the one at `path`."""
        for own, tree in self.trees.items():
            target = folder / own
            target.parent.mkdir(parents=True, exist_ok=True)
            given = format_tree(own, tree)
            if content is not None and own == (path or self.file.path):
                given = content
            target.write_bytes(given if isinstance(given, bytes) else given.encode())

    def read(self, folder):
        return reading.read_file(self.file, folder, STUDY)


def format_tree(path, tree):
    if path.endswith(".json"):
        return json.dumps(tree)
    text = io.StringIO()
    table = csv.DictWriter(text, list(tree[0]), lineterminator="\n", extrasaction="ignore")
    table.writeheader()
    for row in tree:
        cell = row.get(CELL, "")
        table.writerow(row | ({CELL: cell if isinstance(cell, str) else json.dumps(cell)}))
    return text.getvalue()


def list_samples():
    """List the samples, one for every format and for every kind of record that a format has."""
    listed = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return [Sample(raw_files.RawFile(**sample["file"]), sample["trees"]) for sample in listed]
