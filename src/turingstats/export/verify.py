"""Check a package that somebody else made: compare checksums and, on request, compute its results again.

Comparing runs nothing. A rerun obeys nothing in the package but its tables, its study and the keys of its
configuration that say what is computed: no git, no endpoint, no prompts, no path outside of the package. It
happens in a folder of its own, for a limited time and with limited memory.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from turingstats.config.raw_files import Sources, load_sources
from turingstats.config.subset import load_study
from turingstats.core import files, yaml_models
from turingstats.core.errors import ConfigError
from turingstats.export.package import SUMS, compare_results, copy_part, list_files, write_yaml

POSIX = os.name == "posix"
if POSIX:
    import resource

MOST_FILES, MOST_BYTES = 20_000, 4 * 2**30
"""Files in a zip file, and bytes that they may take when unpacked."""
RERUN_SECONDS, RERUN_BYTES = 3600, 16 * 2**30
"""Time of a rerun, and memory of each of its processes."""
COMPUTING_KEYS = (
    "study", "tasks", "cohorts", "agents", "seed", "confidence", "resamples", "cleaning",
    "correction", "equivalence", "plan", "judges", "figures", "leave_out",
)  # fmt: skip
"""Keys of a package's configuration that a rerun follows. The others lead to other files or computers."""
COMPARED = ("data", "statistics", "claims", "judges", "tables", "figures", "report", "plan")
"""Folders of results that are compared: what else a run leaves is about the run itself."""


@contextlib.contextmanager
def open_package(path: Path) -> Iterator[Path]:
    """Yield the folder of a package, unpacked elsewhere if it is a zip file."""
    if not path.exists():
        raise ConfigError(f"{path} does not exist\n  fix:     name a folder or zip file")
    with tempfile.TemporaryDirectory() as unpacked:
        folder = path if path.is_dir() else unpack_archive(path, Path(unpacked))
        if not (folder / SUMS).is_file():
            raise ConfigError(
                f"{path} has no {SUMS}\n  fix:     name a package of turingstats export"
            )
        refuse_links(folder)
        yield folder


def unpack_archive(path: Path, target: Path) -> Path:
    """Unpack a zip file of bounded size; return the folder with the checksums."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            size = sum(member.file_size for member in members)
            if len(members) > MOST_FILES or size > MOST_BYTES:
                raise ConfigError(
                    f"{path} holds {len(members):,} files of {size:,} bytes; at most {MOST_FILES:,} files "
                    f"of {MOST_BYTES:,} bytes are unpacked\n  fix:     unpack it, and name the folder"
                )
            archive.extractall(target)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise ConfigError(
            f"{path} cannot be unpacked ({error})\n  fix:     copy the zip file again"
        ) from None
    folders = [file.parent for file in target.glob(f"*/{SUMS}")]
    return folders[0] if len(folders) == 1 else target


def refuse_links(folder: Path) -> None:
    """Refuse a package that leads elsewhere: by links, or by a repository, whose settings name commands."""
    for path in folder.rglob("*"):
        if path.is_symlink() or path.name.lower() == ".git":
            raise ConfigError(
                f"{path.relative_to(folder)}: a package holds neither links nor repositories\n"
                "  fix:     remove it if you know why it is there"
            )


UNCHANGED = "as their checksums say"


def check_sums(folder: Path) -> dict[str, list[str]]:
    """Sort the files of a package by what their checksums say."""
    lines = (folder / SUMS).read_text(encoding="utf-8", errors="replace").splitlines()
    sums = {path: digest for digest, _, path in (line.partition("  ") for line in lines)}
    there = {path.as_posix(): files.digest_file(folder / path) for path in list_files(folder)}
    both = there.keys() & sums.keys()
    same = {path for path in both if there[path] == sums[path]}
    states = {
        UNCHANGED: same,
        "changed since the export": both - same,
        "missing": sums.keys() - both,
        "without a checksum": there.keys() - both,
    }
    return {state: sorted(paths) for state, paths in states.items()}


def verify_package(path: Path, run: Sequence[str] = ()) -> int:
    """Compare a package with its checksums and, with a command that runs a study, its results with a rerun.

    Returns 0 if everything is as it was, otherwise 1.
    """
    with open_package(path) as folder:
        sums = check_sums(folder)
        for state, paths in sums.items():
            print(f"{len(paths)} files {state}", *(paths if state != UNCHANGED else []), sep="\n  ")
        differ = any(paths for state, paths in sums.items() if state != UNCHANGED)
        if not sums[UNCHANGED]:
            print(f"Nothing was compared: {SUMS} names no file of the package as it is.")
            differ = True
        if not run:
            print(
                "Nothing was run. Whoever changes a file can change its checksum, too: "
                f"turingstats verify --rerun {path} computes the results again, and compares all of them."
            )
            return int(differ)
        return max(int(differ), rerun_package(folder, run))


def rerun_package(folder: Path, run: Sequence[str]) -> int:
    """Compute the results of a package again in another folder, and list those that differ."""
    reports = sorted(folder.glob("results/*/report/index.html"))
    if len(reports) != 1:
        raise ConfigError(f"{len(reports)} studies in results/\n  allowed: one, with its report")
    earlier = reports[0].parents[1]
    with tempfile.TemporaryDirectory() as other:
        copy_inputs(folder, Path(other), earlier.name)
        status = run_bounded([*run, f"study={earlier.name}"], Path(other))
        if status:
            return status
        different = compare_results(
            Path(other) / "results" / earlier.name, earlier, COMPARED, "*.*"
        )
    numbers = [name for name in different if name.endswith(".csv")]
    print(f"{len(numbers)} tables computed differently", *numbers, sep="\n  ")
    pages = [name for name in different if name not in numbers]
    print(f"{len(pages)} pictures and pages made differently", *pages, sep="\n  ")
    return int(bool(different))


def copy_inputs(folder: Path, target: Path, study: str) -> None:
    """Copy what a rerun reads: tables, study, published numbers, and what says how to compute."""
    for part in (f"config/studies/{study}.yaml", f"config/studies/{study}", "data"):
        copy_part(folder / part, target / part)
    # Judges are trained anew: what a package has kept of them may be anything.
    shutil.rmtree(target / "data/cache", ignore_errors=True)
    # Read once here, so that a study or sources that lead out of the package are refused.
    load_study(target / f"config/studies/{study}.yaml")
    described = target / f"data/sources/{study}.yaml"
    sources = load_sources(described)
    shutil.rmtree(described.parent, ignore_errors=True)
    write_yaml(restrict_sources(sources), described)
    settings = folder / "config/config.yaml"
    if settings.exists():
        keys = yaml_models.read_mapping(settings)
        kept = {key: keys[key] for key in COMPUTING_KEYS if key in keys}
        if isinstance(kept.get("judges"), dict):
            kept["judges"].pop("cache", None)
        write_yaml(kept, target / "config/config.yaml")


def restrict_sources(sources: Sources) -> dict[str, Any]:
    """Keep of a package's sources only its tables; ConfigError if they are elsewhere."""
    place = sources.folder or sources.observed or ""
    if yaml_models.is_outside(place) or Path(place).parts[:1] != ("data",):
        raise ConfigError(
            f"data/sources: {place or 'no folder'}: the tables of a package are below data/"
        )
    kept = {"folder", "observed", "files", "not_public", "generated"}
    return sources.model_dump(mode="json", exclude_defaults=True, include=kept)


def limit_memory() -> None:
    """Limit the memory of this process and of those that it starts."""
    resource.setrlimit(resource.RLIMIT_AS, (RERUN_BYTES, RERUN_BYTES))


def run_bounded(command: Sequence[str], folder: Path) -> int:
    """Run a command for a limited time and with limited memory; return its status."""
    process = subprocess.Popen(
        command, cwd=folder, start_new_session=True, preexec_fn=limit_memory if POSIX else None
    )
    try:
        return process.wait(RERUN_SECONDS)
    except subprocess.TimeoutExpired:
        # Its jobs are processes of their own, in the same session.
        if POSIX:
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
        raise ConfigError(
            f"the rerun was ended after {RERUN_SECONDS:,} s; its results were not compared"
        ) from None
