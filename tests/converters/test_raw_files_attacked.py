"""Raw files that are not as they should be: read as if nothing had happened, or refused by name.

For each change of a sample the tables equal those of the unchanged file; or an error names the file and the
record; or the changed value is another valid value of its field, and only the columns that it fills differ
(`FILLS`).
"""

import copy
import zlib

import pytest
from raw_samples import CELL, format_tree, list_samples

from converters.zhang2025 import raw_files
from turingstats.core.errors import ConfigError, InputError

pytestmark = pytest.mark.thorough
FILLS = {
    "age_band": ["age"],
    "control_ok": ["correct object", "object response", "object_groundtruth", "oneWord_curr"],
    "defect": ["AI", "flag", "human"],
    "education": ["education"],
    "exchanges": ["hit_len", "isFixed"],
    "gender": ["gender"],
    "perceived_gender": ["Agender", "Bgender"],
    "phase": ["hasFeedback", "isCatch"],
    "responder": ["human_groundtruth"],
    "rt_ms": ["rt"],
    "topic": ["assigned_topic"],
    "verdict": ["Aclass", "choose response", "response_speaker"],
    "worker": ["workerid"],
    "agent defect": ["machine_groundtruth"],
    "control_ok topic": ["topic"],
    "defect stimulus": ["caption"],
    "judge rows": ["mode"],
    "response verdict": ["response"],
    "stimulus trial": [""],
    "truth variant": ["trueLabel"],
    "defect judge rows": ["status"],
    "domain stimulus variant": ["imageID"],
    "agent defect phase truth": ["groundtruth"],
    "agent phase stimulus truth": ["page_name"],
    "defect phase position variant": ["trial"],
    "defect judge rows variant worker": ["workerID"],
}
FILLS["control_ok"].append("response_object")
FILLS = {key: set(columns.split()) for columns, keys in FILLS.items() for key in keys}
"""By key of a record, the columns that its value fills; the key of a record itself is empty."""
BLANK = {"human_groundtruth", "mode", "oneWord_curr", "topic", "uniqueid", "workerid"}
"""Keys whose empty value means that something is not known."""
WRONG = [None, True, -1, 4.7, "", "nonsense", "1_000", [], {"a": 1}]
SAMPLES = {sample.name: sample for sample in list_samples()}


@pytest.fixture(params=SAMPLES)
def sample(request):
    return SAMPLES[request.param]


def read_tables(sample, folder):
    """Read a sample to tables of text, so that equal tables are equal."""
    tables = sample.read(folder)
    return {name: table.astype(object).where(table.notna(), None) for name, table in tables.items()}


def list_differences(before, after):
    """List the columns that differ; rows if there are more or fewer."""
    found = set()
    for name, table in before.items():
        other = after[name]
        if len(other) != len(table):
            found.add("rows")
        elif list(other) != list(table):
            found |= set(other) ^ set(table)
        else:
            found |= {column for column in table if not table[column].equals(other[column])}
    return found


def attack(sample, folder, before, content, row, path=None):
    """Read a changed file: the columns that differ, or nothing after an error that names the place."""
    path = path or sample.file.path
    sample.write(folder, content, path)
    try:
        after = read_tables(sample, folder)
    except (InputError, ConfigError) as told:
        text = str(told)
        assert path in text or "raw files" in text, text
        # Where the syntax is broken, line and column are the place.
        broken = "not valid JSON" in text
        assert broken or row is None or any(part in text for part in row), (row, text)
        for secret in ("AGENERATED", "SECRET"):
            assert secret not in text
        return set()
    return list_differences(before, after)


def walk(value, path, row):
    yield path, row
    parts = value.items() if isinstance(value, dict) else ()
    for key, held in enumerate(value) if isinstance(value, list) else parts:
        yield from walk(held, (*path, key), row)


def list_records(tree):
    """List the records of a tree: value, path, and the parts of a message that name it."""
    if isinstance(tree, list):
        return [(row, (n,), [f"row {n + 2}", f"line {n + 2}"]) for n, row in enumerate(tree)]
    records = []
    for key, part in tree.items():
        if isinstance(part, dict) and "datastring" in part:
            for n, judge in enumerate(part["datastring"]):
                name = [f"{key}.datastring[{n}]", "datastring"]
                records.append((judge, (key, "datastring", n), name))
        elif (
            isinstance(part, dict)
            and all(isinstance(one, dict) for one in part.values())
            and not {"trialData", "flag"} & set(part)
        ):
            records += [(record, (key, name), [name]) for name, record in part.items()]
        else:
            records.append((part, (key,), [key]))
    return records


def list_places(tree):
    """List the places of a tree: path, and the parts of a message that name the record."""
    return [place for record in list_records(tree) for place in walk(*record)]


def find(tree, path):
    for key in path:
        tree = tree[key]
    return tree


def put(tree, path, value):
    changed = copy.deepcopy(tree)
    find(changed, path[:-1])[path[-1]] = value
    return changed


def name_field(path):
    """Name the field that a path is in: its last key that fills a column, or none."""
    fields = [key for key in path if isinstance(key, str) and key in FILLS]
    return fields[-1] if fields else None


def choose(items, share, *seed):
    """Choose about one in `share` of the items, the same ones every time."""
    return [
        item
        for number, item in enumerate(items)
        if zlib.crc32(repr((*seed, number)).encode()) % share == 0
    ]


def test_every_format_has_a_sample():
    sampled = {sample.file.format for sample in SAMPLES.values()}
    formats = {file.format for file in raw_files.list_files()} - {*raw_files.WITHOUT_MODULE}
    # Files that are not text, and facts from notebooks, have tests of their own.
    others = {"pages"} | {name for name in formats if name.startswith("printed.")}
    assert sampled == formats - others


def test_a_wrong_value_is_named(sample, tmp_path):
    sample.write(tmp_path)
    before = read_tables(sample, tmp_path)
    for path, tree in sample.trees.items():
        for place, row in list_places(tree):
            if isinstance(tree, list) and len(place) == 1:
                continue
            old, field = find(tree, place), name_field(place)
            is_cell = isinstance(tree, list) and CELL not in place
            for value in choose(WRONG, 60, place):
                of_old_type = type(value) is type(old)
                if (is_cell and not isinstance(value, str)) or (of_old_type and value == old):
                    continue
                content = format_tree(path, put(tree, place, value))
                differ = attack(sample, tmp_path, before, content, row, path)
                allowed = FILLS.get(field, set())
                if isinstance(value, str) and not value.strip() and field not in BLANK:
                    allowed = set()
                if not of_old_type and {type(value), type(old)} != {int, float}:
                    allowed = set()
                assert differ <= allowed, (place, value, differ)


def test_a_missing_or_misspelled_key_is_named(sample, tmp_path):
    sample.write(tmp_path)
    before = read_tables(sample, tmp_path)
    for path, tree in sample.trees.items():
        for place, row in choose(list_places(tree), 30, "keys"):
            held = find(tree, place)
            if not isinstance(held, dict) or (isinstance(tree, list) and CELL not in place):
                continue
            for key in held:
                rest = {name: value for name, value in held.items() if name != key}
                for other in (rest, rest | {key + "x": held[key]}):
                    content = format_tree(path, put(tree, place, other))
                    assert not attack(sample, tmp_path, before, content, row, path), (place, key)


def test_a_file_cut_short_is_named(sample, tmp_path):
    sample.write(tmp_path)
    before = read_tables(sample, tmp_path)
    content = format_tree(sample.file.path, sample.trees[sample.file.path]).encode()
    at = len(content) // 2
    # A table may end where a row ends: that sessions are gone cannot be told.
    ended = sample.is_table and b"\n" in content[at - 1 : at + 1]
    assert ended or not attack(sample, tmp_path, before, content[:at], None)
