"""Write a starting study for a table of verdicts, by looking at its columns.

Every guess is written where it can be corrected: what each column holds, what its values mean, and
which columns are not read and why.
"""

import re
import tempfile
from pathlib import Path

from turingstats.config import raw_files, settings
from turingstats.config.load import load_study
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError, TuringError
from turingstats.data import adapters, cleaning, exclusion_log
from turingstats.new_study.description import Trial, describe_draft
from turingstats.new_study.inspector import TableInspector
from turingstats.new_study.study_files import (
    format_sections,
    list_sources_sections,
    list_study_sections,
)


def write_study(path, name, root=".", named=None, words=None, shape=None, dialogue=None):
    """Write a study and its sources for a table.

    Parameters
    ----------
    path : path-like
        CSV, xlsx or parquet.
    name : str, optional
        Name of the study; by default that of the table.
    root : path-like
        Top of the project.
    named, words, shape : dict, optional
        Columns, words and the shape of the table that the user named, as in `TableInspector`.
    dialogue : Dialogue, optional
        Asks the user where the table is unclear.

    Returns
    -------
    str
        What was written and guessed, for the user to read.

    Raises
    ------
    ConfigError
        The study exists already, its name has characters other than letters, digits and _, or the
        files that would be written differ from what was found; in these cases nothing is written.
    InputError
        The table cannot be read, its judge, truth or verdict is not recognized, or it names no agent in
        some row.
    """
    name = name or yaml_models.make_slug(Path(path).stem) or "x"
    if not re.fullmatch(r"[A-Za-z0-9_]+", name):
        raise ConfigError(f"name: {name!r} may contain only letters, digits and underscores")
    study = Path(root) / f"config/studies/{name}.yaml"
    sources = Path(root) / f"data/sources/{name}.yaml"
    for file in (study, sources):
        if file.exists():
            raise ConfigError(
                f"{file} already exists and is not changed\n"
                f"  fix: remove it, or give another name: --config csv={path} name=another"
            )
    inspector = (
        dialogue.inspect_table(path, named, words, shape)
        if dialogue
        else TableInspector(path, named, words, shape).inspect()
    )
    texts = {}
    with tempfile.TemporaryDirectory() as drafts:
        for file, sections in ((study, list_study_sections), (sources, list_sources_sections)):
            texts[file], meant = format_sections(sections(inspector, name))
            draft = Path(drafts) / file.parent.name / file.name
            draft.parent.mkdir()
            draft.write_text(texts[file], encoding="utf-8")
            check_draft(draft, meant, file)
        trial = try_draft(
            inspector,
            Path(drafts) / "studies" / study.name,
            Path(drafts) / "sources" / sources.name,
        )
    try:
        for file, text in texts.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    except OSError:
        for file in texts:
            file.unlink(missing_ok=True)
        raise
    return describe_draft(inspector, trial, name, study, sources)


def check_draft(draft, meant, file):
    """Read a file back and check that it says what was intended.

    Raises
    ------
    ConfigError
        It says something else, or no run would accept it.
    """
    try:
        content = yaml_models.read_yaml(draft)
        if content != meant:
            wrong = [key for key in meant if content.get(key) != meant[key]]
            raise ConfigError(f"read back, it says something else under {', '.join(wrong)}")
        (load_study if draft.parent.name == "studies" else raw_files.load_sources)(draft)
    except ConfigError as error:
        raise ConfigError(
            f"{file} cannot be written for this table: {error}\n"
            "  fix:     rename the column or value in the table, or write the two files by hand "
            "(docs/your_own_data.md); nothing was written"
        ) from None


def try_draft(inspector, study, sources):
    """Read the table as a run will, and note what would stop it.

    Returns
    -------
    Trial or None
        What was read; None if a run would stop.
    """
    try:
        declared = load_study(study)
        judgments, _, _, left_out = adapters.read_with_left_out(
            raw_files.load_sources(sources).files, inspector.path.resolve().parent, declared
        )
        marked = cleaning.mark_exclusions(judgments, declared, settings.Cleaning())
        return Trial(marked, exclusion_log.log_exclusions(marked, declared, left_out))
    except TuringError as error:
        reason = "; ".join(" ".join(line.split()) for line in str(error).splitlines())
        inspector.remarks.append(f"a run would stop at this: {reason}")
        return None
