"""Write a starting study for a table of verdicts, by looking at its columns.

Every guess is written where it can be corrected: what each column holds, what its values mean, and
which columns are not read and why.
"""

import re
import tempfile
from pathlib import Path
from typing import Any

from turingstats.config import raw_files, settings
from turingstats.config.subset import load_study
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError, InputError, TuringError
from turingstats.data import adapters, cleaning, exclusion_log
from turingstats.new_study.description import Trial, describe_draft, describe_other
from turingstats.new_study.inspector import TableInspector, describe_shape, read_table
from turingstats.new_study.other_designs import OtherTable, find_pairs, find_ratings
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
    stem = path.name.removesuffix(".gz").rpartition(".")[0] or path.name
    slug = yaml_models.make_slug(stem.replace("*", "") or path.parent.name) or "x"
    # study=all means all studies.
    name = name or (f"{slug}_study" if slug == "all" else slug)
    if {"{", "}"} & set(str(path)):
        problem = "a name with braces, which Snakemake takes for what may be any text"
        raise InputError(path, problem, fix="rename the table or its folder")
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
    found = inspect_table(path, named or {}, words or {}, shape or {}, f"{command}{path}")
    texts = dict(zip((study, sources), render_files(found, name), strict=True))
    trial = None
    with tempfile.TemporaryDirectory() as folder:
        drafts = [Path(folder, file.parent.name, file.name) for file in texts]
        for draft, text in zip(drafts, texts.values(), strict=True):
            draft.parent.mkdir()
            draft.write_text(text, encoding="utf-8")
        try:
            trial = read_draft(drafts[0], drafts[1], path.resolve().parent)
        except TuringError as error:
            reason = "; ".join(" ".join(line.split()) for line in str(error).splitlines())
            found.remarks.append(f"a run would stop at this: {reason}")
    for file, text in texts.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    told = (
        describe_other(found, trial)
        if isinstance(found, OtherTable)
        else describe_draft(found, trial)
    )
    return "\n".join(
        [
            *told,
            "",
            f"Written: {study}, {sources}. Check them, then:",
            f"  snakemake --config study={name}   (or, without a clone: turingstats run {name})",
        ]
    )


def inspect_table(
    path: Path,
    named: dict[str, Any],
    words: dict[str, Any],
    shape: dict[str, Any],
    command: str,
) -> TableInspector | OtherTable:
    """Inspect a table as one of similarity ratings or of pairs or, if it is neither, of verdicts."""
    if not {"rating", "score"} & set(shape):
        table = read_table(describe_shape(path, shape), path, words)
        found = None if words or shape else find_ratings(path, table, named, command)
        found = found or find_pairs(path, table, named, words, command)
        if found is not None:
            found.shape = shape
            return found
    return TableInspector(path, named, words, shape, command).inspect()


def read_draft(study: Path, sources: Path, folder: Path) -> Trial:
    """Read the table as a run will."""
    files, draft = raw_files.load_sources(sources).files, load_study(study)
    if draft.design == "verdicts":
        judgments, _, _, left_out, _ = adapters.read_with_left_out(files, folder, draft)
        marked = cleaning.mark_exclusions(judgments, draft, settings.Cleaning())
        return Trial(marked, exclusion_log.log_exclusions(marked, draft, left_out))
    if draft.design == "ratings":
        tables = reading.read_study(files, folder, draft)
        return Trial(tables["ratings"], tables["exclusions"])
    tables = pairs_reading.read_study(files, folder, draft)
    return Trial(tables["comparisons"], tables["exclusions"])
