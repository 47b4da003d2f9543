"""Small raw files of every format of the studies, cut from the generated ones.

A sample is a raw file with the files that are read with it, as trees: a JSON file as it is parsed, a table as
a list of rows whose JSON cells are parsed. `list_samples` makes one for every format and kind of record.
"""

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from project import read_study

from demo.zhang2025 import attention, caption, color, conversation, object, word
from turingstats.config import raw_files
from turingstats.data import adapters
from turingstats.data.adapters.zhang2025 import word_trials

ROOT = Path(__file__).parents[2]
STUDY = read_study("zhang2025")
SOURCES = raw_files.load_sources(ROOT / "data/sources/zhang2025.yaml")
TASKS = {
    "attention": attention,
    "caption": caption,
    "color": color,
    "conversation": conversation,
    "object": object,
    "word": word,
}
KEPT = 3
"""Records of a sample, and parts of each."""
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
        return f"{self.file.format.rpartition('.')[2]}-{self.file.task}-{self.file.cohort or 'all'}"

    @property
    def is_table(self):
        """Whether the file is a table."""
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
        """Read the sample with the adapter of its format."""
        return adapters.load_adapter(self.file).read(self.file, folder, STUDY)


def format_tree(path, tree):
    """Format the tree of a file as text."""
    if path.endswith(".json"):
        return json.dumps(tree)
    text = io.StringIO()
    table = csv.DictWriter(text, list(tree[0]), lineterminator="\n", extrasaction="ignore")
    table.writeheader()
    for row in tree:
        cell = row.get(CELL, "")
        table.writerow(row | ({CELL: cell if isinstance(cell, str) else json.dumps(cell)}))
    return text.getvalue()


def parse_tree(path, content):
    """Parse the content of a file to a tree."""
    if path.endswith(".json"):
        # A copy of which no part is shared.
        return json.loads(content if isinstance(content, str) else json.dumps(content))
    rows = list(csv.DictReader(io.StringIO(content)))
    return [
        {name: json.loads(cell) if name == CELL and cell else cell for name, cell in row.items()}
        for row in rows
    ]


def list_samples():
    """List a sample for every format, and for every kind of record that a format has."""
    samples, seen = [], set()
    published = [
        pd.read_csv(ROOT / f"data/published/zhang2025/{name}.csv", dtype=str, keep_default_na=False)
        for name in ("design", "demographics")
    ]
    for task, module in TASKS.items():
        tables = [table[table["task"] == task] for table in published]
        made = module.generate_files(*tables, 1)
        for file in SOURCES.files:
            if file.task != task or file.path not in made or file.format == "companion":
                continue
            tree = cut_tree(parse_tree(file.path, made[file.path]), file)
            kind = file.format, file.cohort == word_trials.UNFILTERED, sign_tree(tree)
            if kind in seen:
                continue
            seen.add(kind)
            sample = Sample(file, {file.path: tree})
            if file.format == "zhang2025.word_trials" and file.cohort == word_trials.UNFILTERED:
                sample.trees |= cut_companions(made, tree)
            samples.append(sample)
    return samples


def cut_tree(tree, file):
    """Cut a tree to a few records with a few parts each."""
    if isinstance(tree, list):
        if CELL not in tree[0]:
            return tree[:4]
        begun = [row for row in tree if not row[CELL]][:1]
        done = [row for row in tree if row[CELL]][:2]
        for row in done:
            data = row[CELL]["data"]
            trials = [entry for entry in data if entry["trialdata"]["phase"] == "TEST"][:KEPT]
            others = [entry for entry in data if entry["trialdata"]["phase"] != "TEST"]
            row[CELL]["data"] = [*others[:1], *trials, *others[1:]]
            row[CELL]["questiondata"].pop("total_trials", None)
        return [*done, *begun]
    if file.key is not None:
        return {file.key: cut_records(tree[file.key])}
    return cut_records(tree)


def cut_records(tree):
    """Cut the records of a JSON file."""
    if "datastring" in tree:
        for judge in tree["datastring"]:
            judge["data"] = judge["data"][:KEPT]
        return {"datastring": tree["datastring"][:2]}
    if all("datastring" in part for part in tree.values()):
        return {name: cut_records(part) for name, part in list(tree.items())[:1]}
    kept = dict(list(tree.items())[: KEPT + 1])
    for name, answers in kept.items():
        if isinstance(answers, list) and "response" in answers[0] and "reason" not in answers[0]:
            kinds = {answer["groundtruth"]: answer for answer in answers}
            kept[name] = list(kinds.values())
            for answer in kept[name]:
                if isinstance(answer["response"], list):
                    answer["response"] = answer["response"][:2]
    return kept


def cut_companions(made, tree):
    """Cut the files of cues and versions to what the trials of a sample need."""
    cues = {record["trialData"]["caption"] for record in tree.values()}
    flags, versions = made[word_trials.FLAGS], made[word_trials.VERSIONS]
    kept = {
        word_trials.FLAGS: {cue: flags[cue] for cue in sorted(cues)},
        word_trials.VERSIONS: {name: cut_records(part) for name, part in versions.items()},
    }
    return {path: parse_tree(path, part) for path, part in kept.items()}


def sign_tree(tree):
    """Sign a tree by the keys of a record, so that samples of the same kind are made once."""
    keys = set()

    def walk(value, depth):
        if isinstance(value, dict) and depth < 8:
            for key, held in value.items():
                keys.add(key if not any(letter.isdigit() for letter in key) else "")
                walk(held, depth + 1)
        elif isinstance(value, list):
            keys.add(type(value[0]).__name__ if value else "empty")
            for held in value[:2]:
                walk(held, depth + 1)

    walk(tree[0] if isinstance(tree, list) else next(iter(tree.values())), 0)
    return frozenset(keys)
