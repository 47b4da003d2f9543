"""What the last run left: results that were edited since are named before anything is made of them.

Snakemake would take an edited file for a new one, and renew everything after it from the edited numbers.
"""

import json
import time
from pathlib import Path

from turingstats.core import files
from turingstats.core.errors import ConfigError

RECORD = ".made.json"
"""Times and checksums of the results of a study at the end of its last run, in their folder."""
NOT_RECORDED = ("logs", "benchmarks")
CLOCKS = 60
"""Seconds by which clocks may differ."""


def list_results(folder: Path) -> list[Path]:
    """List the results of a study, without what a run keeps for itself."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not path.name.startswith(".")
        and path.relative_to(folder).parts[0] not in NOT_RECORDED
    )


def list_folders(results: Path, study: str) -> list[Path]:
    """List the folders of a study in which there are results; or of all, or of none if it has no name."""
    logs = results.glob(f"{'*' if study == 'all' else study}/logs") if study else []
    return sorted(path.parent for path in logs)


def record_results(results: Path, study: str) -> None:
    """Record the results of a study, or of all studies, at the end of a run."""
    for folder in list_folders(results, study):
        made = {
            path.relative_to(folder).as_posix(): [path.stat().st_mtime_ns, files.digest_file(path)]
            for path in list_results(folder)
        }
        files.write_text(json.dumps(made, indent=1) + "\n", folder / RECORD)


def forget_results(results: Path, study: str) -> None:
    """Remove what the last run recorded, when another begins: one that is killed records nothing."""
    for folder in list_folders(results, study):
        (folder / RECORD).unlink(missing_ok=True)


def refuse_edited_results(results: Path, study: str) -> None:
    """Refuse results that are not as the last run left them, or that are dated in the future."""
    lines = []
    for record in [folder / RECORD for folder in list_folders(results, study)]:
        if not record.is_file():
            continue
        for name, (changed, digest) in json.loads(record.read_text(encoding="utf-8")).items():
            path = record.parent / name
            if not path.is_file():
                continue
            modified = path.stat().st_mtime_ns
            if modified > (time.time() + CLOCKS) * 1e9:
                lines.append(f"  {path}: dated in the future")
            elif modified != changed and files.digest_file(path) != digest:
                lines.append(f"  {path}: edited or damaged since it was made")
    if lines:
        problem = "Results are not as the last run left them, and others would be made from them:"
        fix = "remove these files, and they are made again"
        raise ConfigError("\n".join([problem, *lines]), fix=fix)
