"""One job of a run: it calls the functions that make its results, with what they need, and writes the files.

The list of results (`turingstats.workflow.results`) says which functions. It reaches the job as plain values,
so that a new result reruns only the job that makes it.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.config.settings import Cleaning, Judges, LanguageModels
from turingstats.core import files
from turingstats.core.parallel import call_in_parallel

MODELS = {"cleaning": Cleaning, "training": Judges, "llm": LanguageModels}
"""Models of the options that are sections of the configuration."""


def find_function(name: str) -> Callable[..., Any]:
    """Find a function by module and name, such as "analysis.sample:describe_sample"."""
    module, _, function = name.partition(":")
    return getattr(import_module(f"turingstats.{module}"), function)


@dataclass
class Job:
    """The results that a job makes, and what their functions may be given."""

    results: dict[str, dict[str, Any]]
    """By path: `make`, `needs`, `options`, and how the result is written."""
    steps: dict[str, dict[str, Any]]
    """What is made in memory, by name."""
    settings: dict[str, Any]
    """What functions may be given by name: study, reading, data, and so on."""
    options: dict[str, Any]
    """Keys of the configuration, by name."""
    folder: Path
    """Results of the study."""
    workers: int = 1
    kept: dict[str, Any] = field(default_factory=dict)
    """What was made or read, by path or name."""

    def find(self, need: str | None) -> Any:
        """Find what a function needs; a file is read once, and None stands for one that there is not."""
        if need is None:
            return None
        if need not in self.kept:
            if need in self.results:
                self.make(need)
            else:
                step = self.steps.get(need)
                self.kept[need] = self.call(step) if step else self.read(need)
        return self.kept[need]

    def locate(self, path: str) -> Path:
        """Locate a file of the results, or one that the paper prints."""
        top, _, name = path.partition("/")
        return (
            self.settings["published_folder"] / name if top == "published" else self.folder / path
        )

    def read(self, path: str) -> Any:
        """Read a table or a JSON file."""
        if path.endswith(".json"):
            return json.loads(self.locate(path).read_text(encoding="utf-8"))
        return files.read_frame(self.locate(path))

    def call(self, entry: dict[str, Any], path: str = "") -> Any:
        """Call the function of a result or step: with what it needs in this order, all else by name."""
        function = find_function(entry["make"])
        options = {name: self.options[name] for name in entry["options"]}
        known = self.settings | {"options": options, "config": options}
        known |= {
            name: MODELS[name](**value) if name in MODELS else value
            for name, value in options.items()
        }
        known |= {"name": Path(path).stem, "workers": self.workers}
        known |= {"results_folder": self.folder}
        known |= {"level": options.get("confidence")}
        given, needs = {}, iter(entry["needs"])
        for name in signature(function).parameters:
            if name in known:
                given[name] = known[name]
            elif name == "results":
                given[name] = {key: self.find(need) for key, need in entry["further"].items()}
            elif (need := next(needs, "")) != "":
                # What is checked while it is read, with errors that name the file.
                given[name] = need and self.locate(need) if name == "path" else self.find(need)
        return function(**given)

    def make(self, path: str) -> None:
        """Make and write a result, and all others of the same function."""
        entry = self.results[path]
        made = self.call(entry, path)
        for each in entry["together"] or [path]:
            value = made[Path(each).stem] if entry["together"] else made
            write, labels = find_function(self.results[each]["write"]), self.results[each]["labels"]
            self.kept[each] = write(value, self.folder / each, **labels)

    def list_parts(self, need: str | None) -> set[str]:
        """List what is made with a result: others of the same function, and those that it needs."""
        entry = self.results.get(need or "") or self.steps.get(need or "", {})
        needs = [*entry.get("needs", ()), *entry.get("further", {}).values()]
        parts = {need, *entry["together"]} if need in self.results else set()
        return parts.union(*map(self.list_parts, needs))

    def group_results(self) -> list[list[str]]:
        """Group the results that are made in one process."""
        groups: list[tuple[set[str], list[str]]] = []
        for path in self.results:
            parts, paths = self.list_parts(path), [path]
            for group in [group for group in groups if group[0] & parts]:
                groups.remove(group)
                parts, paths = group[0] | parts, [*group[1], *paths]
            groups.append((parts, paths))
        return [paths for _, paths in groups]


def make_results(job: Job) -> None:
    """Make all results of a job, in as many processes as it has workers."""
    groups = job.group_results()
    if len(groups) > 1:
        # Imported once, not in each process.
        for entry in (*job.results.values(), *job.steps.values()):
            find_function(entry["make"])
        workers, job.workers = job.workers, 1
        made = call_in_parallel(make_group, [(job, group) for group in groups], workers)
    else:
        made = [make_group(job, groups[0])]
    print("\n".join(line for lines in made for line in lines))


def make_group(job: Job, paths: list[str]) -> list[str]:
    """Make some results of a job; say how many rows each table has."""
    values = {path: job.find(path) for path in paths}
    return [
        f"{path}: {len(value)} rows"
        for path, value in values.items()
        if isinstance(value, pd.DataFrame) and not path.startswith("report/")
    ]
