"""Write a starting study for a table of verdicts, by looking at its columns.

Every guess is written where it can be corrected: what each column holds, what its values mean, and
which columns are not read and why.
"""

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from turingstats.config import raw_files, settings
from turingstats.config.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.config.subset import load_study
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError, TuringError
from turingstats.data import adapters, cleaning, exclusion_log
from turingstats.data.adapters import table_files
from turingstats.new_study.description import Trial, describe_draft, describe_other
from turingstats.new_study.inspector import TableInspector
from turingstats.new_study.other_designs import find_pairs, find_ratings
from turingstats.new_study.study_files import render_files
from turingstats.rankings import reading as pairs_reading
from turingstats.ratings import reading


def write_study(
    path: Path,
    name: str | None,
    root: Path | str = ".",
    named: dict[str, Any] | None = None,
    words: dict[str, Any] | None = None,
    shape: dict[str, Any] | None = None,
    command: str = "snakemake init --config csv=",
) -> str:
    """Write a study and its sources for a table, and describe what was written and guessed.

    Messages tell how to do better with the `command`, to which they append the path of the table.
    """
    path = Path(path)
    name = name or yaml_models.make_slug(path.stem.replace("*", "") or path.parent.name) or "x"
    if path.is_dir():
        # Software such as PsychoPy writes one file per person.
        path = path / "*.csv"
    if not re.fullmatch(r"[A-Za-z0-9_]+", name):
        raise ConfigError(f"name: {name!r} may contain only letters, digits and underscores")
    study = Path(root) / f"config/studies/{name}.yaml"
    sources = Path(root) / f"data/sources/{name}.yaml"
    for file in (study, sources):
        if file.exists():
            raise ConfigError(
                f"{file} already exists and is not changed\n"
                f"  fix: remove it, or give another name: {command}{path} name=another"
            )
    design = inspect_table(path, named or {}, words or {}, shape or {}, f"{command}{path}")
    texts = {}
    with tempfile.TemporaryDirectory() as drafts:
        rendered = render_files(design.inspector, name)
        for file, texts[file] in zip((study, sources), rendered, strict=True):
            draft = Path(drafts) / file.parent.name / file.name
            draft.parent.mkdir()
            draft.write_text(texts[file], encoding="utf-8")
        trial = try_draft(
            design, Path(drafts) / "studies" / study.name, Path(drafts) / "sources" / sources.name
        )
    for file, text in texts.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return "\n".join(
        [
            *design.describe(design.inspector, trial),
            "",
            f"Written: {study}, {sources}. Check them, then:",
            f"  snakemake --config study={name}   (or, without a clone: turingstats run {name})",
        ]
    )


class Design(NamedTuple):
    """How a starting study of a kind of table is written."""

    inspector: Any
    # Reads the table as a run will, for `describe`.
    read: Callable
    # Describes what was understood, line by line.
    describe: Callable


def inspect_table(
    path: Path,
    named: dict[str, Any],
    words: dict[str, Any],
    shape: dict[str, Any],
    command: str,
) -> Design:
    """Inspect a table as one of similarity ratings or of pairs or, if it is neither, of verdicts."""
    if not shape:
        table = table_files.read_named_columns(path).astype(str)
        ratings = None if words else find_ratings(path, table, named, command)
        if ratings is not None:
            return Design(ratings, read_ratings, describe_other)
        pairs = find_pairs(path, table, named, words, command)
        if pairs is not None:
            return Design(pairs, read_pairs, describe_other)
    verdicts = TableInspector(path, named, words, shape, command).inspect()
    return Design(verdicts, read_verdicts, describe_draft)


def try_draft(design: Design, study: Path, sources: Path) -> Trial | None:
    """Read the table as a run will, and note what would stop it; None if a run would stop."""
    try:
        return design.read(
            raw_files.load_sources(sources).files,
            design.inspector.path.resolve().parent,
            load_study(study),
        )
    except TuringError as error:
        reason = "; ".join(" ".join(line.split()) for line in str(error).splitlines())
        design.inspector.remarks.append(f"a run would stop at this: {reason}")
        return None


def read_verdicts(files: tuple[RawFile], folder: Path, study: Study) -> Trial:
    """Read verdicts and the account of what is left out of them."""
    judgments, _, _, left_out, _ = adapters.read_with_left_out(files, folder, study)
    marked = cleaning.mark_exclusions(judgments, study, settings.Cleaning())
    return Trial(marked, exclusion_log.log_exclusions(marked, study, left_out))


def read_pairs(files: tuple[RawFile], folder: Path, study: Study) -> Trial:
    """Read comparisons of agents and the account of what is left out of them."""
    tables = pairs_reading.read_study(files, folder, study)
    return Trial(tables["comparisons"], tables["exclusions"])


def read_ratings(files: tuple[RawFile], folder: Path, study: Study) -> Trial:
    """Read ratings and the account of trials without one."""
    tables = reading.read_study(files, folder, study)
    return Trial(tables["ratings"], tables["exclusions"])
