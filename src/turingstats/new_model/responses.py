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
from turingstats.core.scan_paths import SCREEN
from turingstats.core.strict_json import parse_json
from turingstats.data import schema
from turingstats.data.adapters import table_files
from turingstats.data.adapters.lookalikes import refuse_lookalikes

MATCHING = ["stimulus", "given", "matched", "note", "same_as"]
AGENT = "submitted"
"""Id of the new model."""


def read_responses(path: Path, task: str, study: Study) -> dict[str, Any]:
    """Read the responses of a new model by stimulus, as given, in the form of the data contract."""
    forms = {
        name: declared.response
        for name, declared in study.tasks.items()
        if declared.response.form != "conversation"
    }
    if task not in forms:
        raise ConfigError(
            f"task {task}: a model can be scored in {', '.join(forms) or 'no task of this study'}, where a "
            "stimulus has one response (`response` of the task in the study file)"
        )
    form = forms[task]
    path = Path(path)
    if not path.is_file():
        raise ConfigError(f"responses: there is no file {path}\n  fix:     correct its path")
    readers = {".json": read_json, ".csv": read_csv}
    if path.suffix.lower() not in readers:
        raise InputError(
            path, "the kind of file is not known", allowed=list(readers), fix="name it so"
        )
    given = {}
    try:
        pairs = list(readers[path.suffix.lower()](path))
    except PermissionError:
        raise InputError(path, "it may not be read", fix="change its permissions") from None
    except UnicodeDecodeError as error:
        raise InputError(path, f"not UTF-8 text ({error.reason})", fix="save it as UTF-8") from None
    for row, stimulus, value in pairs:
        if not stimulus:
            raise InputError(
                path, "no stimulus", row=row, column="stimulus", value="", fix="fill it in"
            )
        if stimulus in given:
            raise InputError(
                path,
                "a stimulus has two responses",
                row=row,
                column="stimulus",
                value=stimulus,
                fix="keep one response per stimulus",
            )
        given[stimulus] = normalize_response(value, form, path, row)
    if not given:
        raise InputError(path, "no responses", fix=f"one entry per stimulus: {form.description}")
    return given


def read_json(path: Path) -> Iterator[tuple[str, str, Any]]:
    """Yield row, stimulus and value of each entry of a JSON object."""
    # Editors on Windows begin a file with a byte order mark.
    text = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    content = parse_json(text, path, fix="correct the file")
    if not isinstance(content, dict):
        raise InputError(
            path,
            "expected one object of stimuli and responses",
            value=type(content).__name__,
            fix='like {"0001.jpg": "a man at a table", "0002.jpg": "two dogs"}',
        )
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
    refuse_lookalikes(table["stimulus"], "stimulus", path)
    for row, stimulus, response in table[["stimulus", "response"]].itertuples(name=None):
        yield f"line {row}", stimulus, response


def normalize_response(value: Any, form: Response, path: Path, row: str) -> str:
    """Convert a response to the form of the data contract, or raise an error."""

    def make_error(problem: str, fix: str | None = None) -> InputError:
        shown = value if isinstance(value, str) else json.dumps(value)
        return InputError(
            path,
            problem,
            row=row,
            column="response",
            value=shown[:80],
            fix=fix or f"give {form.description}",
        )

    if form.form == "scan path":
        return normalize_scan_path(value, make_error)
    if form.form == "list":
        words = value.split(",") if isinstance(value, str) else value
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise make_error("not a list of words")
        words = [word.strip() for word in words]
        if form.words and len(words) != form.words:
            raise make_error(f"{len(words)} entries, not {form.words}")
        if not all(words):
            raise make_error("an entry is empty")
        return ", ".join(words)
    if not isinstance(value, str):
        raise make_error("not a text")
    text = " ".join(value.split())
    if not text:
        raise make_error("the response is empty", "leave the stimulus out, or give a response")
    if form.words and len(text.split()) > form.words:
        raise make_error(f"{len(text.split())} words")
    return text


def normalize_scan_path(value: list[list[bool | float]] | str, fault: Callable[..., Any]) -> str:
    """Convert a scan path (list or text) to the form of the data contract, or raise an error."""
    if isinstance(value, str):
        try:
            value = parse_json(value, "response")
        except InputError:
            raise fault("scan path is not a list of [x, y] pairs") from None
    if not isinstance(value, list) or not value:
        raise fault("scan path is not a list of [x, y] pairs")
    path = []
    for number, point in enumerate(value, start=1):
        numeric = isinstance(point, list | tuple) and all(
            isinstance(part, int | float) and not isinstance(part, bool) for part in point
        )
        if not numeric or len(point) != 2:
            raise fault(f"fixation {number} is not a pair [x, y] of numbers")
        for (axis, limit), coordinate in zip(zip("xy", SCREEN, strict=True), point, strict=True):
            if not 0 <= coordinate < limit:
                raise fault(
                    f"fixation {number}: {axis} is {str(coordinate)[:20]}, outside the picture",
                    f"0 <= x < {SCREEN[0]} and 0 <= y < {SCREEN[1]}, in pixels from the top left",
                )
        path.append([round(part) for part in point])
    return json.dumps(path)


def match_stimuli(
    given: dict[str, str], responses: pd.DataFrame, task: str, study: Study, path: Path | str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Find the stimuli that the responses belong to: rows of the agent `submitted`, and the matches."""
    stimuli = list(dict.fromkeys(responses.loc[responses["task"] == task, "stimulus"].astype(str)))
    if not stimuli:
        raise ConfigError(f"task {task}: this source has no responses of people to compare with")
    names = {name.lower(): name for name in stimuli}
    matches, table = {}, []
    for stimulus, response in given.items():
        name = next(
            (names[key] for key in (stimulus.lower(), Path(stimulus).stem.lower()) if key in names),
            None,
        )
        if name is None:
            table.append((stimulus, stimulus, False, "unknown stimulus, left out", ""))
        elif name in matches:
            raise InputError(
                path,
                "two entries belong to the same stimulus",
                column="stimulus",
                value=f"{matches[name][0]} and {stimulus}",
                fix="keep one of them",
            )
        else:
            matches[name] = stimulus, response
    if not matches:
        raise InputError(
            path,
            f"none of its {len(given)} stimuli is one of task {task}",
            column="stimulus",
            value=next(iter(given)),
            allowed=[*stimuli[:5], "..."],
            fix="name stimuli as the study does; an extension such as .jpg is allowed",
        )
    same = {}
    of_task = responses.loc[responses["task"] == task, ["stimulus", "response", "agent"]].astype(
        str
    )
    for stimulus, response, agent in of_task.itertuples(index=False, name=None):
        same.setdefault((stimulus, response), {})[study.agents[agent].label] = None
    rows = []
    for name in (name for name in stimuli if name in matches):
        spelled, response = matches[name]
        table.append((name, spelled, True, "", ", ".join(same.get((name, response), ()))))
        rows.append((study.study, task, name, AGENT, response))
    table += [(name, None, False, "no response", "") for name in stimuli if name not in matches]
    columns = ["study", "task", "stimulus", "agent", "response"]
    rows = pd.DataFrame(rows, columns=columns).reindex(columns=list(schema.RESPONSES))
    return rows, pd.DataFrame(table, columns=MATCHING)
