"""Raw files read to tables: each by its format, and then together, as they repeat and complete each other.

What cannot be read of a binary file, which nobody has seen, is a note; of another file, an error.
"""

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from converters.zhang2025 import pages, printed, raw_files, trials
from converters.zhang2025.printed import OBSERVED
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.records import Source, Tables
from turingstats.config.study import Study
from turingstats.core.errors import InputError
from turingstats.core.plain_text import show_on_one_line
from turingstats.data import adapters, data_package, notes, package_reader, schema
from turingstats.data.adapters.identifiers import number_people
from turingstats.data.repository import match_paths

UNREAD = "a public file is not used"
TRIAL = ["judge", "position", "side", "stimulus", "agent", "verdict", "rt_ms"]
"""What two files that hold the same trial agree on."""


def read_files(files: Sequence[RawFile], folder: str | Path, study: Study) -> Tables:
    """Read raw files to tables of the data contract, before they complete each other.

    The same worker id in another register is another person. `notes` name the `path` of their file.
    """
    read: dict[RawFile, Tables] = {}
    faults: list[dict[str, Any]] = []
    for file in files:
        if file.task in study.tasks:
            try:
                read[file] = read_file(file, folder, study)
            except InputError as error:
                if not file.is_binary:
                    raise
                faults.append(note_fault(file, error))
    replace_parts(read, faults)
    settle_catch_trials(read)
    add_pages(read, faults, Path(folder))
    people: dict[str, dict[str, str]] = {}
    for file, tables in read.items():
        if "judges" in tables:
            register = file.workers or study.study
            known = people.setdefault(register, {})
            tables["judges"] = number_people(tables["judges"], register, known)
    tables = adapters.collect_tables(list(read), folder, study, lambda file, *_: read[file])
    noted = pd.concat(
        [pd.DataFrame(faults, columns=[*notes.NOTE_COLUMNS, "path"]), tables["notes"]]
    )
    stimuli = printed.name_models(tables["stimuli"], study)
    return tables | {
        "responses": fill_tags(tables["responses"]),
        "stimuli": stimuli,
        "notes": noted,
    }


def read_file(file: RawFile, folder: str | Path, study: Study) -> Tables:
    """Read a raw file with the function of its format."""
    if file.format in raw_files.WITHOUT_MODULE:
        return {}
    module, _, function = file.format.partition(".")
    reader = importlib.import_module(f"converters.zhang2025.{module}")
    return getattr(reader, function or "read")(Source(file, folder, study))


def note_fault(file: RawFile, error: InputError) -> dict[str, Any]:
    """Note why a file is not used: what it holds, and what was expected."""
    place = ", ".join(str(part) for part in (error.row, error.column) if part is not None)
    told = error.problem + (f" ({place})" if place else "")
    if error.allowed:
        told += f"; expected: {', '.join(map(str, error.allowed))}"
    row = notes.describe("note", UNREAD, [show_on_one_line(f"{file.path}: {told}")], 1)
    at = {"task": file.task, "cohort": file.cohort or "", "path": file.path}
    return row | at | {"done": "left out; the rest of the source is used"}


def replace_parts(read: dict[RawFile, Tables], faults: list[dict[str, Any]]) -> None:
    """Replace each file that holds a part of another one's trials, if the other one holds all of them."""
    for part in [file for file in read if file.stands_in_for]:
        for whole in [file for file in read if match_paths([file.path], [part.stands_in_for])]:
            trials = read[part]["judgments"] if part in read else None
            if trials is None:
                problem = "the same trials as in another file"
            elif lacking := count_lacking(read[whole]["judgments"], trials):
                problem = f"{lacking} of {len(trials)} judgments differ from those in {part.path}"
            else:
                del read[part]
                continue
            faults.append(note_fault(whole, InputError(whole.path, problem)))
            del read[whole]


def settle_catch_trials(read: dict[RawFile, Tables]) -> None:
    """Take the catch trials one by one, where a file has those that a notebook counts, and no others.

    Of the catch trials of objects and words the notebooks, and Table S3, count only some kinds, which the
    databases do not tell apart: the others are left out, and the counted ones kept.
    """
    for counted in [file for file in read if file.format == "printed.read_catch_trials"]:
        number = len(read[counted]["judgments"])
        place = (counted.task, counted.cohort)
        others = [file for file in read if file != counted and (file.task, file.cohort) == place]
        # Without other trials, a subset of the files is read that lacks the cohort.
        if not others:
            del read[counted]
        for file in others:
            judgments = read[file]["judgments"]
            caught = judgments["phase"] == trials.CATCH
            if caught.sum() == number:
                read.pop(counted, None)
            elif caught.any():
                reason = f"catch trials, of which a notebook counts {number}, which are kept"
                row = {
                    "study": judgments["study"].iloc[0],
                    "task": file.task,
                    "cohort": file.cohort,
                }
                row |= {"file": file.path, "reason": reason, "rows": int(caught.sum())}
                left_out = [read[file].get("left_out"), pd.DataFrame([row])]
                read[file] = read[file] | {
                    "judgments": judgments[~caught],
                    "left_out": pd.concat(left_out, ignore_index=True),
                }


def count_lacking(whole: pd.DataFrame, part: pd.DataFrame) -> int:
    """Count the judgments of a file that another one does not hold, judge by judge."""
    ours, theirs = (table[TRIAL].astype(str) for table in (part, whole))
    merged = ours.merge(theirs.drop_duplicates(), "left", indicator=True)
    return int((merged["_merge"] == "left_only").sum())


def add_pages(read: dict[RawFile, Tables], faults: list[dict[str, Any]], folder: Path) -> None:
    """Add the answers on pages that no dictionary holds."""
    zipped = [file for file in read if file.format == "pages"]
    known = {
        task: [
            tables["responses"]
            for file, tables in read.items()
            if file.task == task and file not in zipped and "responses" in tables
        ]
        for task in {file.task for file in zipped}
    }
    for file in zipped:
        others = pd.concat([pd.DataFrame(columns=list(schema.RESPONSES)), *known[file.task]])
        try:
            new = pages.keep_new(read[file]["responses"], others, folder / file.path)
        except InputError as error:
            faults.append(note_fault(file, error))
            del read[file]
        else:
            read[file] = {"responses": new}
            known[file.task].append(new)


def fill_tags(responses: pd.DataFrame) -> pd.DataFrame:
    """Fill in the parts of speech of responses that the bundled tables hold with the same text.

    The public files have no tags, and those of a text are always the same.
    """
    listed = data_package.load_package(OBSERVED).resources
    tables = (package_reader.load_table(OBSERVED, described.path) for described in listed)
    tagged = [table.dropna(subset="tags") for table in tables if "tags" in table]
    if not tagged:
        return responses
    tags = pd.concat(tagged).drop_duplicates("response").set_index("response")["tags"]
    return responses.assign(tags=responses["tags"].fillna(responses["response"].map(tags)))
