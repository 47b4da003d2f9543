"""Raw files that are not as they should be: read as if nothing had happened, or refused by name.

Every format of the studies is attacked, found by walking the list of formats, so that a new one is attacked
from the day it is written. The criterion for each change: the tables equal those of the unchanged file; or
an error names the file and the record; or the changed value is another valid value of its field, and only
the columns that it fills differ (`FILLS`).
"""

import copy
import importlib
import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from raw_samples import CELL, Sample, format_tree, list_samples

from turingstats.core.errors import ConfigError, InputError
from turingstats.data import adapters
from turingstats.data.adapters import gate

TABLES = {"companion", "observed_table", "response_table", "verdict_table"}
"""Formats without records: tables whose columns the sources name, and files that others read."""
FILLS = {
    "Aclass": {"verdict"},
    "AI": {"defect"},
    "Agender": {"perceived_gender"},
    "Aspeaker": {"agent", "truth", "variant"},
    "Bgender": {"perceived_gender"},
    "Bspeaker": {"agent", "truth", "variant"},
    "Conversation id": {"stimulus", "turn"},
    "age": {"age_band"},
    "assigned_topic": {"topic"},
    "caption": {"stimulus", "defect"},
    "choose response": {"verdict"},
    "correct object": {"control_ok"},
    "education": {"education"},
    "flag": {"defect"},
    "gender": {"gender"},
    "groundtruth": {"agent", "truth", "phase", "defect"},
    "hasFeedback": {"phase"},
    "hit_len": {"exchanges"},
    "human": {"defect"},
    "human_groundtruth": {"responder"},
    "imageID": {"stimulus", "variant", "domain"},
    "machine_groundtruth": {"agent", "defect"},
    "object response": {"control_ok"},
    "object_groundtruth": {"control_ok"},
    "page_name": {"stimulus"},
    "person": {"responder"},
    "response": {"response", "verdict"},
    "response_object": {"control_ok"},
    "response_speaker": {"verdict"},
    "rt": {"rt_ms"},
    "side": {"side"},
    "speaker": {"agent"},
    "status": {"rows", "defect", "judge"},
    "text": {"response"},
    "topic": {"control_ok", "topic"},
    "trial": {"position", "phase", "defect", "variant"},
    "trueLabel": {"truth", "variant"},
    "workerID": {"rows", "judge", "worker", "variant", "defect"},
    "workerid": {"worker"},
    "": {"trial", "stimulus"},
}
"""By key of a record, the columns that its value fills; the key of a record itself is empty."""
BLANK = {"human_groundtruth", "person", "topic", "uniqueid", "workerid"}
"""Keys whose empty value means that something is not known."""
COPIED = {
    "answer_dictionary",
    "checkpoint_dictionary",
    "conversation_turns",
    "prediction_dictionary",
}
"""Formats whose records name nobody, or that repeat themselves, so that a copy of one cannot be told."""
WRONG = [
    None, True, False, 0, -1, 2, 4.7, 3.0, 10**30, "", " ", "\t", "nonsense", "1_000", "\N{SUPERSCRIPT TWO}2",
    "true", "\x07", "human ", "x" * 30_000, [], {}, [[1]], {"a": 1}, ["human"],
]  # fmt: skip
RAW = [
    "NaN",
    "-Infinity",
    "1e400",
    '"\\ud800"',
    '"\\u0000"',
    "[" * 400 + "]" * 400,
    "tru",
]
MARK = "MARK OF A CHANGE"
EXAMPLES = settings.default.max_examples
NAMES = """
    scanpath_dictionary-attention-amt psiturk_attention-attention-expert
    scanpath_dictionary-attention-feedback prediction_dictionary-attention-svm
    answer_dictionary-attention-all caption_trials-caption-expert answer_dictionary-caption-all
    caption_trials-caption-amt prediction_dictionary-caption-svm prediction_dictionary-caption-zeroshot
    trial_dictionary-color-amt trial_dictionary-color-expert trial_dictionary-color-feedback
    trial_dictionary-color-gpt4o_agent conversation_dictionary-conversation-inlab
    conversation_dictionary-conversation-amt psiturk_table-conversation-feedback
    psiturk_table-conversation-prolific2025 psiturk_table-conversation-expert
    checkpoint_dictionary-conversation-online true_labels-conversation-all
    topic_dictionary-conversation-all conversation_register-conversation-all
    conversation_turns-conversation-all word_trials-word-amt word_trials-word-inlab
    word_predictions-word-svm word_trials-word-expert word_trials-word-feedback
    answer_dictionary-word-all
""".split()
"""Names of the samples: format, task and cohort."""


@pytest.fixture(scope="module")
def samples():
    """All samples by their names."""
    return {sample.name: sample for sample in list_samples()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder that the files of a sample are written to."""
    return tmp_path_factory.mktemp("raw")


@pytest.fixture(params=NAMES)
def sample(request, samples):
    """Each sample."""
    return samples[request.param]


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


def list_places(tree):
    """List the places of a tree: path, and the parts of a message that name the record."""
    places = []

    def walk(value, path, row):
        places.append((path, row))
        if isinstance(value, dict):
            for key, held in value.items():
                walk(held, (*path, key), row)
        elif isinstance(value, list) and len(path) < 12:
            for number, held in enumerate(value):
                walk(held, (*path, number), row)

    if isinstance(tree, list):
        for number, row in enumerate(tree):
            name = [f"row {number + 2}", f"line {number + 2}"]
            walk(row, (number,), name)
        return places
    for key, part in tree.items():
        if isinstance(part, dict) and "datastring" in part:
            for number, judge in enumerate(part["datastring"]):
                walk(
                    judge,
                    (key, "datastring", number),
                    [f"{key}.datastring[{number}]", "datastring"],
                )
        elif isinstance(part, dict) and all(isinstance(one, dict) for one in part.values()):
            if "trialData" in part or "flag" in part:
                walk(part, (key,), [key])
            else:
                for name, record in part.items():
                    walk(record, (key, name), [name])
        else:
            walk(part, (key,), [key])
    return places


def find(tree, path):
    """Find the part of a tree at a path."""
    for key in path:
        tree = tree[key]
    return tree


def put(tree, path, value):
    """Copy a tree with another value at a path."""
    changed = copy.deepcopy(tree)
    find(changed, path[:-1])[path[-1]] = value
    return changed


def name_field(path):
    """Name the field that a path is in: its last key that fills a column, or none."""
    fields = [key for key in path if isinstance(key, str) and key in FILLS]
    return fields[-1] if fields else None


def choose(items, share, *seed):
    """Choose about one in `share` of the items, the same ones every time."""
    if share == 1:
        return items
    return [
        item
        for number, item in enumerate(items)
        if zlib.crc32(repr((*seed, number)).encode()) % share == 0
    ]


# --- the attacks -----------------------------------------------------------------------------------


def test_every_format_has_a_model_and_a_sample(samples):
    assert list(samples) == NAMES
    sampled = {sample.file.format for sample in samples.values()}
    assert sampled == set(adapters.list_formats()) - TABLES
    for name in sampled:
        module = importlib.import_module(f"turingstats.data.adapters.{name}")
        assert issubclass(module.RECORD, gate.Record), name


def change_values(sample, folder, share):
    """Put wrong values at every place: wrong types, out of range, blank, too long, not JSON."""
    sample.write(folder)
    before = read_tables(sample, folder)
    for path, tree in sample.trees.items():
        for place, row in list_places(tree):
            if isinstance(tree, list) and len(place) == 1:
                continue
            old, field = find(tree, place), name_field(place)
            is_cell = isinstance(tree, list) and CELL not in place
            for value in choose(WRONG, share, place):
                if (is_cell and not isinstance(value, str)) or is_same(value, old):
                    continue
                content = format_tree(path, put(tree, place, value))
                differ = attack(sample, folder, before, content, row, path)
                allowed = FILLS.get(field, set())
                if isinstance(value, str) and not value.strip() and field not in BLANK:
                    allowed = set()
                if type(value) is not type(old) and not is_number(value, old):
                    allowed = set()
                assert differ <= allowed, (place, value, differ)
            if is_cell or place[-1] == CELL:
                continue
            for token in choose(RAW, share, place):
                marked = format_tree(path, put(tree, place, MARK))
                quote = '""' if isinstance(tree, list) else '"'
                content = marked.replace(f"{quote}{MARK}{quote}", token.replace('"', quote))
                assert content != marked
                assert not attack(sample, folder, before, content, row, path), (place, token[:9])


def is_same(value, old):
    """Tell whether two values are the same JSON."""
    return type(value) is type(old) and value == old


def is_number(value, old):
    """Tell whether both are numbers, which may be whole or not."""
    return {type(value), type(old)} == {int, float}


def change_keys(sample, folder, share):
    """Remove, misspell, repeat and add keys at every place."""
    sample.write(folder)
    before = read_tables(sample, folder)
    for path, tree in sample.trees.items():
        if isinstance(tree, list):
            for column in tree[0]:
                for name in (None, column + "x", column.upper()):
                    rows = [
                        {name if key == column else key: cell for key, cell in row.items()}
                        for row in tree
                    ]
                    content = format_tree(path, [{k: v for k, v in r.items() if k} for r in rows])
                    allowed = {"worker"} if column in ("workerid", "uniqueid") else set()
                    assert attack(sample, folder, before, content, None, path) <= allowed, column
                first, _, rest = format_tree(path, tree).partition("\n")
                content = f"{first},{column}\n" + rest.replace("\n", ",\n")
                assert not attack(sample, folder, before, content, None, path)
        for place, row in choose(list_places(tree), share, "keys"):
            held = find(tree, place)
            if not isinstance(held, dict) or (isinstance(tree, list) and CELL not in place):
                continue
            for key in held:
                rest = {name: value for name, value in held.items() if name != key}
                renamed = [rest, rest | {key + "x": held[key]}, rest | {key.swapcase(): held[key]}]
                for other in renamed:
                    content = format_tree(path, put(tree, place, other))
                    assert not attack(sample, folder, before, content, row, path), (place, key)
                text = format_tree(path, put(tree, place, held | {MARK: held[key]}))
                told = key.replace('"', '""') if isinstance(tree, list) else key
                content = text.replace(MARK, told)
                assert not attack(sample, folder, before, content, row, path), (place, key)


def copy_records(sample, folder):
    """Repeat every record, trial and session at the end."""
    sample.write(folder)
    before = read_tables(sample, folder)
    tree, path = sample.trees[sample.file.path], sample.file.path
    form = sample.file.format.rpartition(".")[2]
    changes = []
    if isinstance(tree, list):
        changes = [[*tree, row] for row in tree]
        for number, row in enumerate(tree):
            if isinstance(row.get(CELL), dict):
                data = row[CELL]["data"]
                trials = [e for e in data if e["trialdata"]["phase"] == "TEST"]
                changes += [put(tree, (number, CELL, "data"), [*data, trial]) for trial in trials]
                other = row | {"uniqueid": "other:session", "workerid": "other"}
                changes += [[*tree, other]] if form != "true_labels" else []
    else:
        place = (sample.file.key,) if sample.file.key else ()
        records = find(tree, place)
        if "datastring" in records:
            changes += [
                put(tree, (*place, "datastring"), [*records["datastring"], judge])
                for judge in records["datastring"]
            ]
        elif all("datastring" in part for part in records.values()):
            return
        else:
            numbers = [key for key in records if any(letter.isdigit() for letter in key)]
            for key in numbers:
                other = key.replace("".join(filter(str.isdigit, key)), "987")
                changes.append(put(tree, (*place, other), records[key]))
    for changed in changes:
        differ = attack(sample, folder, before, format_tree(path, changed), None)
        assert not differ or form in COPIED, (form, differ)


def test_a_wrong_value_is_named(sample, folder):
    change_values(sample, folder, 3600 // EXAMPLES)


def test_a_wrong_key_is_named(sample, folder):
    change_keys(sample, folder, 900 // EXAMPLES)


def test_a_copied_record_is_named(sample, folder):
    copy_records(sample, folder)


@pytest.mark.slow
def test_every_wrong_value_is_named(sample, folder):
    change_values(sample, folder, 1)


@pytest.mark.slow
def test_every_wrong_key_is_named(sample, folder):
    change_keys(sample, folder, 1)


def damage_file(sample: Sample, folder, place, kind, bit):
    """Cut a file at a place, flip a bit of a byte, or write it in another way; read it."""
    sample.write(folder)
    before = read_tables(sample, folder)
    text = format_tree(sample.file.path, sample.trees[sample.file.path])
    content = text.encode()
    at = int(place * len(content))
    if kind == "cut":
        changed = content[:at]
        # A table may end where a row ends: that sessions are gone cannot be told.
        ended = sample.is_table and (changed.endswith(b"\n") or content[at : at + 1] == b"\n")
        differ = attack(sample, folder, before, changed, None)
        assert ended or not differ, (at, differ)
        return
    others = {
        "mark": b"\xef\xbb\xbf" + content,
        "utf-16": text.encode("utf-16"),
        "twice": content + content,
        "rubbish": content + b"\n{]",
        "nothing": b"",
    }
    if kind != "flip":
        assert not attack(sample, folder, before, others[kind], None), kind
        return
    changed = bytearray(content)
    changed[at] ^= 1 << bit
    differ = attack(sample, folder, before, bytes(changed), None)
    if differ:
        fields = list_changed_fields(sample, text, bytes(changed).decode())
        allowed = set().union(*(FILLS.get(field, set()) for field in fields))
        assert differ <= allowed, (at, bit, fields, differ)


def list_changed_fields(sample, text, other):
    """List the fields at which two texts of a file differ; empty for the key of a record."""
    at = next(n for n, (one, two) in enumerate(zip(text, other, strict=False)) if one != two)
    if sample.is_table and CELL not in text:
        lines = text[:at].count("\n")
        cells = text.splitlines()[lines][: at - text.rfind("\n", 0, at) - 1].count(",")
        return {list(sample.trees[sample.file.path][0])[min(cells, 4)], "text"}
    quote = '""' if sample.is_table else '"'
    before = text[:at].split(quote)
    return {part for part in before[-6:] if part in FILLS} | {""}


KINDS = st.sampled_from(["cut"] * 8 + ["flip"] * 12 + "mark utf-16 twice rubbish nothing".split())
DAMAGE = {
    "place": st.floats(0, 1, exclude_max=True),
    "kind": KINDS,
    "bit": st.integers(0, 7),
}
CHECKS = [HealthCheck.function_scoped_fixture]


@settings(max_examples=settings.default.max_examples // 4, suppress_health_check=CHECKS)
@given(**DAMAGE)
def test_a_damaged_file_is_named(sample, folder, place, kind, bit):
    damage_file(sample, folder, place, kind, bit)


@pytest.mark.slow
@settings(max_examples=300, derandomize=False, suppress_health_check=CHECKS)
@given(**DAMAGE)
def test_a_damaged_file_is_named_wherever(sample, folder, place, kind, bit):
    damage_file(sample, folder, place, kind, bit)
