"""Read and check the responses of a new model, and match them with the stimuli of a study."""

import codecs
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.config.study import Response, Study
from turingstats.core.checked_csv import refuse_unknown, require_columns
from turingstats.core.errors import ConfigError, InputError
from turingstats.core.plain_text import show_plainly
from turingstats.core.scan_paths import SCREEN
from turingstats.core.strict_json import parse_json
from turingstats.data import schema
from turingstats.data.adapters import table_files

MATCHING = ["stimulus", "given", "matched", "note", "same_as"]
AGENT = "submitted"
"""Id of the new model."""


def read_responses(path: Path, task: str, study: Study) -> dict[str, Any]:
    """Read the responses of a new model by stimulus, as given, in the form of the data contract."""
    forms = {name: declared.response for name, declared in study.tasks.items()}
    scored = [name for name, form in forms.items() if form.form != "conversation"]
    if task not in scored:
        raise ConfigError(
            f"task {task}: a model can be scored in {', '.join(scored) or 'no task of this study'}, where a "
            "stimulus has one response (`response` of the task in the study file)"
        )
    path = Path(path)
    if not path.is_file():
        raise ConfigError(f"responses: there is no file {path}\n  fix:     correct its path")
    if not (reader := READERS.get(path.suffix.lower())):
        raise InputError(
            path, "unknown file type", allowed=READERS, fix="use one of these extensions"
        )
    given: dict[str, Any] = {}
    for row, stimulus, value in reader(path):
        place = {"row": row, "column": "stimulus", "value": stimulus}
        if not stimulus:
            raise InputError(path, "no stimulus", **place, fix="fill it in")
        if stimulus in given:
            fix = "keep one response per stimulus"
            raise InputError(path, "a stimulus has two responses", **place, fix=fix)
        try:
            given[stimulus] = normalize_response(value, forms[task])
        except ValueError as error:
            problem, fix = (*error.args, f"give {forms[task].description}")[:2]
            shown = value if isinstance(value, str) else json.dumps(value)
            place = {"row": row, "column": "response", "value": shown[:80]}
            raise InputError(path, problem, **place, fix=fix) from None
    if not given:
        fix = f"one entry per stimulus: {forms[task].description}"
        raise InputError(path, "no responses", fix=fix)
    return given


def read_json(path: Path) -> Iterator[tuple[str, str, Any]]:
    """Yield row, stimulus and value of each entry of a JSON object."""
    # Editors on Windows begin a file with a byte order mark.
    text = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    content = parse_json(text, path, fix="correct the file")
    if not isinstance(content, dict):
        problem, found = "expected one object of stimuli and responses", type(content).__name__
        fix = 'like {"0001.jpg": "a man at a table", "0002.jpg": "two dogs"}'
        raise InputError(path, problem, value=found, fix=fix)
    for stimulus, value in content.items():
        yield f"key {stimulus!r}", stimulus.strip(), value


def read_csv(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield row, stimulus and value of each row of a CSV file."""
    header = [name.strip().lower() for name in table_files.read_header(path)]
    fix = "start with the line: stimulus,response"
    require_columns(path, header, ("stimulus", "response"), fix)
    refuse_unknown(path, header, ("stimulus", "response"), fix)
    table = table_files.read_named_columns(path).astype(str)
    table.columns = [name.strip().lower() for name in table]
    table["stimulus"] = table["stimulus"].map(show_plainly)
    for row, stimulus, response in table[["stimulus", "response"]].itertuples(name=None):
        yield f"line {row}", stimulus, response


READERS: dict[str, Callable[[Path], Iterator[tuple[str, str, Any]]]] = {
    ".json": read_json, ".csv": read_csv
}  # fmt: skip
"""Functions that read a file of responses, by its ending."""


def normalize_response(value: Any, form: Response) -> str:
    """Convert a response to the form of the data contract; a ValueError has the problem, and maybe a fix."""
    if form.form == "scan path":
        return json.dumps(normalize_scan_path(value))
    if form.form == "list":
        words = value.split(",") if isinstance(value, str) else value
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise ValueError("not a list of words")
        words = [word.strip() for word in words]
        if form.words and len(words) != form.words:
            raise ValueError(f"{len(words)} entries, not {form.words}")
        if not all(words):
            raise ValueError("an entry is empty")
        return ", ".join(words)
    if not isinstance(value, str):
        raise ValueError("not a text")
    words = value.split()
    if not words:
        raise ValueError("the response is empty", "leave the stimulus out, or give a response")
    if form.words and len(words) > form.words:
        raise ValueError(f"{len(words)} words")
    return " ".join(words)


def normalize_scan_path(value: Any) -> list[list[int]]:
    """Convert a scan path (list or text) to whole pixels; raises as `normalize_response`."""
    try:
        path = parse_json(value, "response") if isinstance(value, str) else value
    except InputError:
        path = None
    if not isinstance(path, list) or not path:
        raise ValueError("scan path is not a list of [x, y] pairs")
    for number, point in enumerate(path, start=1):
        # True and False are numbers to Python.
        is_pair = (
            isinstance(point, list) and [type(part) in (int, float) for part in point] == [True] * 2
        )
        if not is_pair:
            raise ValueError(f"fixation {number} is not a pair [x, y] of numbers")
        for axis, limit, coordinate in zip("xy", SCREEN, point, strict=True):
            if not 0 <= coordinate < limit:
                raise ValueError(
                    f"fixation {number}: {axis} is {str(coordinate)[:20]}, outside the picture",
                    f"0 <= x < {SCREEN[0]} and 0 <= y < {SCREEN[1]}, in pixels from the top left",
                )
    return [[round(part) for part in point] for point in path]


def match_stimuli(
    given: dict[str, str], responses: pd.DataFrame, task: str, study: Study, path: Path | str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Find the stimuli that the responses belong to: rows of the agent `submitted`, and the matches."""
    of_task = responses[responses["task"] == task].astype({"stimulus": str, "response": str})
    stimuli = list(dict.fromkeys(of_task["stimulus"]))
    if not stimuli:
        raise ConfigError(f"task {task}: this source has no responses of people to compare with")
    names = {name.lower(): name for name in stimuli}
    table = pd.DataFrame(given.items(), columns=["given", "response"])
    table["stimulus"] = [
        names.get(name.lower()) or names.get(Path(name).stem.lower()) for name in given
    ]
    found = table.dropna(subset="stimulus")
    if found.empty:
        raise InputError(
            path, f"none of its {len(given)} stimuli is one of task {task}", column="stimulus",
            value=next(iter(given)), allowed=[*stimuli[:5], "..."],
            fix="name stimuli as the study does; an extension such as .jpg is allowed",
        )  # fmt: skip
    if (twice := found[found.duplicated("stimulus", keep=False)]["given"]).any():
        problem, value = "two entries belong to the same stimulus", " and ".join(twice[:2])
        raise InputError(path, problem, column="stimulus", value=value, fix="keep one of them")
    labels = of_task["agent"].map({name: agent.label for name, agent in study.agents.items()})
    same = labels.groupby([of_task["stimulus"], of_task["response"]]).unique().map(", ".join)
    rows = pd.DataFrame({"stimulus": stimuli}).merge(found, how="left")
    rows = rows.merge(same.rename("same_as").reset_index(), how="left").fillna({"same_as": ""})
    rows["matched"] = rows["given"].notna()
    rows["note"] = rows["matched"].map({True: "", False: "no response"})
    unknown = table[table["stimulus"].isna()].assign(matched=False, same_as="")
    unknown = unknown.assign(stimulus=unknown["given"], note="unknown stimulus, left out")
    matching = pd.concat([unknown, rows[rows["matched"]], rows[~rows["matched"]]])[MATCHING]
    new = rows.loc[rows["matched"], ["stimulus", "response"]]
    new = new.assign(study=study.study, task=task, agent=AGENT)
    return new.reindex(columns=list(schema.RESPONSES)), matching
