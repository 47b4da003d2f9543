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
from turingstats.core.scan_paths import SCREEN, check_scan_path
from turingstats.core.strict_json import parse_json
from turingstats.data import schema
from turingstats.data.adapters import table_files

MATCHING = ["stimulus", "given", "matched", "note", "same_as"]
AGENT = "submitted"
"""Id of the new model."""


def read_responses(path: Path, task: str, study: Study) -> dict[str, Any]:
    """Read the responses of a new model by stimulus, as given, in the form of the data contract."""
    form = study.tasks[task].response
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
            given[stimulus] = normalize_response(value, form)
        except ValueError as error:
            problem, fix = (*error.args, f"give {describe_form(form)}")[:2]
            text = value if isinstance(value, str) else json.dumps(value)
            place = {"row": row, "column": "response", "value": text[:80]}
            raise InputError(path, problem, **place, fix=fix) from None
    if not given:
        fix = f"one entry per stimulus: {describe_form(form)}"
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


def describe_form(form: Response) -> str:
    """Describe what a file holds for each stimulus."""
    if form.form == "conversation":
        return 'what the model said, a list of its turns: ["Hi there!", "I like cats."]'
    return form.description


READERS: dict[str, Callable[[Path], Iterator[tuple[str, str, Any]]]] = {
    ".json": read_json, ".csv": read_csv
}  # fmt: skip
"""Functions that read a file of responses, by its ending."""


def normalize_response(value: Any, form: Response) -> str:
    """Convert a response to the form of the data contract; a ValueError has the problem, and maybe a fix."""
    if form.form == "scan path":
        return json.dumps(normalize_scan_path(value))
    if form.form == "conversation":
        return json.dumps(normalize_turns(value))
    if form.form == "list":
        words = value.split(",") if isinstance(value, str) else value
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise ValueError("not a list of words")
        words = [word.strip() for word in words]
        # Models that find fewer objects than were asked for list fewer.
        if form.words and len(words) > form.words:
            raise ValueError(f"{len(words)} entries, more than {form.words}")
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


def normalize_turns(value: Any) -> list[str]:
    """Convert the turns of a speaker (list or text) to texts; raises as `normalize_response`."""
    turns = parse_list(value)
    if not turns or not all(isinstance(turn, str) for turn in turns):
        raise ValueError("not a list of turns")
    if not all(turn.strip() for turn in turns):
        raise ValueError("a turn is empty", "leave the turn out")
    return [" ".join(turn.split()) for turn in turns]


def parse_list(value: Any) -> list[Any] | None:
    """Parse a list, which a CSV file holds as JSON; nothing if it is none."""
    try:
        value = parse_json(value, "response") if isinstance(value, str) else value
    except InputError:
        return None
    return value if isinstance(value, list) else None


def normalize_scan_path(value: Any) -> list[list[int]]:
    """Convert a scan path (list or text) to whole pixels; raises as `normalize_response`."""
    path = check_scan_path(parse_list(value))
    pixels = [pixel for point in path for pixel in point]
    if all(0 <= pixel <= 1 for pixel in pixels) and any(pixel % 1 for pixel in pixels):
        problem = "the coordinates are shares of the picture, from 0 to 1"
        raise ValueError(problem, f"give pixels: x to {SCREEN[0]} and y to {SCREEN[1]}")
    return [[round(pixel) for pixel in point] for point in path]


def match_stimuli(
    given: dict[str, str], responses: pd.DataFrame, task: str, study: Study, path: Path | str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Find the stimuli that the responses belong to: rows of the agent `submitted`, and the matches."""
    of_task = responses[responses["task"] == task].astype({"stimulus": str, "response": str})
    stimuli = list(dict.fromkeys(of_task["stimulus"]))
    if not stimuli:
        raise ConfigError(
            f"task {task}: a model is compared with people, and these data hold no responses of people\n"
            "  absent:  files that the source lacks are listed in data/missing.csv of the results\n"
            "  fix:     take data that do: your own study, or generated ones to try it (data.source: demo)"
        )
    if study.tasks[task].response.form == "conversation":
        return list_turns(given, task, study)
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


def list_turns(given: dict[str, str], task: str, study: Study) -> tuple[pd.DataFrame, pd.DataFrame]:
    """List what the new model said as turns of conversations of its own; results as `match_stimuli`."""
    said = pd.DataFrame(given.items(), columns=["given", "response"])
    said = said.assign(stimulus=AGENT + "." + said["given"], matched=True, note="", same_as="")
    turns = said[["stimulus", "response"]].assign(response=said["response"].map(json.loads))
    turns = turns.explode("response", ignore_index=True)
    turns = turns.assign(study=study.study, task=task, agent=AGENT, side="A")
    turns["turn"] = turns.groupby("stimulus").cumcount() + 1
    return turns.reindex(columns=list(schema.RESPONSES)), said[MATCHING]
