"""Write a starting study for a table of verdicts, by looking at its columns.

Every guess is written where it can be corrected: what each column holds, what its values mean, and
which columns are not read and why.
"""

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from turingstats.config import raw_files, settings
from turingstats.config.subset import load_study
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError, InputError, TuringError
from turingstats.data import adapters, cleaning, exclusion_log
from turingstats.new_study.description import Trial, describe
from turingstats.new_study.inspector import inspect_verdicts
from turingstats.new_study.other_designs import OtherTable, find_pairs, find_ratings
from turingstats.new_study.roles import Roles
from turingstats.new_study.source_table import SourceTable, read_source
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
    name = name_study(path, name)
    if path.is_dir():
        # Software such as PsychoPy writes one file per person.
        path = path / "*.csv"
    targets = [Path(root, folder, f"{name}.yaml") for folder in ("config/studies", "data/sources")]
    for file in targets:
        if file.exists():
            fix = f"remove it, or give another name: {command}{path} name=another"
            raise ConfigError(f"{file} already exists and is not changed", fix=fix)
    source = read_source(path, named or {}, words or {}, shape or {}, f"{command}{path}")
    findings = inspect_table(source)
    texts = render_files(findings, name)
    trial = None
    with tempfile.TemporaryDirectory() as folder:
        study, sources = (Path(folder, file.parent.name, file.name) for file in targets)
        write_texts([study, sources], texts)
        try:
            trial = read_draft(study, sources, path.resolve().parent)
        except TuringError as error:
            reason = "; ".join(" ".join(line.split()) for line in str(error).splitlines())
            findings = findings.add(f"a run would stop at this: {reason}")
    write_texts(targets, texts)
    study, sources = targets
    return (
        f"{describe(findings, trial)}\nWritten: {study}, {sources}. Check them, then:\n"
        f"  snakemake --config study={name}   (or, without a clone: turingstats run {name})"
    )


def name_study(path: Path, name: str | None) -> str:
    """Name a study as the user says, or after its table."""
    stem = path.name.removesuffix(".gz").rpartition(".")[0] or path.name
    slug = yaml_models.make_slug(stem.replace("*", "") or path.parent.name) or "x"
    # study=all means all studies.
    name = name or (f"{slug}_study" if slug == "all" else slug)
    if {"{", "}"} & set(str(path)):
        problem = "a name with braces, which Snakemake takes for what may be any text"
        raise InputError(path, problem, fix="rename the table or its folder")
    if not re.fullmatch(r"[A-Za-z0-9_]+", name):
        raise ConfigError(f"name: {name!r} may contain only letters, digits and underscores")
    return name


def write_texts(paths: Sequence[Path], texts: Sequence[str]) -> None:
    """Write texts to files, and make their folders."""
    for path, text in zip(paths, texts, strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def inspect_table(source: SourceTable) -> Roles | OtherTable:
    """Inspect a table as one of similarity ratings or of pairs or, if it is neither, of verdicts."""
    findings = None
    if not source.file.grade:
        findings = None if source.words or source.shape else find_ratings(source)
        findings = findings or find_pairs(source)
    return findings or inspect_verdicts(source)


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
