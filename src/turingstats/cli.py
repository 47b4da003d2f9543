"""The command line of the installed package: rules of the workflow, run in the folder of your data.

Words with an equals sign are keys of the configuration (docs/study_file.md, config/config.yaml); whatever
begins with a dash goes to Snakemake as it is, such as -n, --cores 4 or --profile slurm.
"""

import argparse
import datetime
import itertools
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

import turingstats
from turingstats.config.settings import Config
from turingstats.core.errors import ConfigError, TuringError
from turingstats.core.plain_text import escape_controls
from turingstats.core.yaml_models import build_model

PACKAGED = Path(__file__).parent / "project"
"""The workflow as the wheel carries it."""
PROJECT = PACKAGED if PACKAGED.is_dir() else Path(__file__).parents[2]
"""The folder with the Snakefile: in the installed package, or the clone that this module is in."""
FILES_OF_PAPERS = ("config/studies", "data/sources", "data/published", "data/observed")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and return the status of Snakemake, or 2 if it was not understood."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # Of all options, the only one that is not Snakemake's may stand before the others.
    words.sort(key=lambda word: word == "--rerun")
    parser = make_parser()
    if not words or words[0].startswith("-"):
        parser.parse_args(words or ["--help"])
    command = list(itertools.takewhile(lambda word: not word.startswith("-"), words))
    flags = words[len(command) :]
    if {"-h", "--help"} & set(flags):
        parser.parse_args([command[0], "--help"])
    named = parser.parse_args(command)
    try:
        return run_command(named.command, named.name, named.settings, flags)
    except TuringError as error:
        print(error, file=sys.stderr)
        return 2


def make_parser() -> argparse.ArgumentParser:
    """Describe the commands."""
    parser = argparse.ArgumentParser(
        prog="turingstats",
        description="Statistics, figures and checked claims of Turing-like tests.",
        epilog="Options after these words go to Snakemake, such as -n, --cores 4 or --profile slurm.",
    )
    parser.add_argument("--version", action="version", version=turingstats.__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    for command, (name, text) in COMMANDS.items():
        own = commands.add_parser(command, help=text, description=text)
        own.add_argument("name", metavar=name)
        own.add_argument(
            "settings", nargs="*", metavar="key=value", help="keys of the configuration"
        )
    return parser


COMMANDS = {
    "init": ("TABLE", "Write a starting study for a table of verdicts, choices, pairs or ratings."),
    "run": ("STUDY", "Regenerate every statistic, figure and table of a study of this folder."),
    "plan": ("STUDY", "Simulate the power of planned studies, from the models of this one."),
    "benchmark": ("RESPONSES", "Score the responses of a new model with every available judge."),
    "paper": ("PAPER", "Regenerate a published paper, from the data that the package holds."),
    "export": ("STUDY", "Run a study from data without ids of people, and pack all for others."),
    "verify": (
        "PACKAGE",
        "Check the checksums of such a folder or zip file; with --rerun, compute its results again.",
    ),
    "claims": ("DRAFT", "Check the numbers in a manuscript against results (study=NAME)."),
}
"""By command: what its first word names, and what it does."""


def run_command(command: str, name: str, settings: list[str], flags: list[str]) -> int:
    """Run a command in the current folder, and return its status."""
    if {"-C", "--config"} & set(flags):
        raise ConfigError(
            "write keys of the configuration before the first option, without --config"
        )
    wrong = [word for word in settings if "=" not in word]
    if wrong:
        raise ConfigError(f"{wrong[0]!r}: write keys of the configuration as key=value")
    keys = [word.split("=", 1)[0] for word in settings]
    repeated = [key for key in keys if keys.count(key) > 1]
    if repeated:
        raise ConfigError(f"{repeated[0]}: given twice\n  fix:     leave one out")
    if flags and command in ("init", "claims"):
        raise ConfigError(f"turingstats {command} takes no options")
    if command == "init":
        return write_starting_study(name, read_settings(settings))
    if command == "paper":
        copy_paper(name, Path.cwd())
    elif command == "benchmark" and not any(word.startswith("study=") for word in settings):
        copy_paper("zhang2025", Path.cwd())
    elif command in ("run", "plan", "export") and not Path(f"config/studies/{name}.yaml").exists():
        raise ConfigError(
            f"config/studies/{name}.yaml is not in this folder\n"
            f"  fix:     turingstats init {name}.csv writes one for a table; "
            f"turingstats paper {name} runs a paper"
        )
    if command == "export":
        return export_study(name, settings, flags)
    if command == "claims":
        return check_manuscript(Path(name), read_settings(settings))
    if command == "verify":
        return check_package(Path(name), settings, flags)
    target = [command] if command in ("plan", "benchmark") else []
    key = "responses" if command == "benchmark" else "study"
    return run_snakemake(target, [f"{key}={name}", *settings], flags)


def read_settings(words: list[str]) -> dict[str, Any]:
    """Read words such as seed=7 as Snakemake does: what is nested is text, whatever it looks like."""
    try:
        return {
            key: yaml.load(value, Loader=yaml.BaseLoader)
            for key, value in (word.split("=", 1) for word in words)
        }
    except yaml.YAMLError as error:
        raise ConfigError(f"{' '.join(words)}: {error}") from None


def write_starting_study(table: str, settings: dict[str, Any]) -> int:
    """Write a starting study for a table, and print what was understood."""
    from turingstats.new_study.starting_study import write_study

    config = build_model(Config, {**settings, "csv": table}, "the configuration")
    said = (config.columns, config.values, config.table)
    told = write_study(Path(table), config.name, ".", *said, command="turingstats init ")
    print(escape_controls(told))
    return 0


def run_snakemake(
    targets: list[str], settings: list[str], flags: list[str], folder: str | Path = "."
) -> int:
    """Run rules in a folder, and return the status of Snakemake."""
    command = [*make_command(targets, flags), *settings]
    return subprocess.run(command, cwd=folder).returncode


def make_command(targets: list[str], flags: list[str]) -> list[str]:
    """Make the command that runs rules; keys of the configuration come after it."""
    rules = ["--snakefile", str(PROJECT.resolve() / "Snakefile")]
    return [sys.executable, "-m", "snakemake", *targets, *rules, *flags, "--config"]


def export_study(name: str, settings: list[str], flags: list[str]) -> int:
    """Write a package of a study, with the results that its data give without ids of people."""
    from turingstats.export import crate, package

    earlier, target = Path("results") / name, Path(f"{name}-export")
    if target.exists():
        raise ConfigError(f"{target} already exists\n  fix:     remove or rename it")
    status = run_snakemake([], [f"study={name}", *settings], flags)
    if status:
        return status
    package.write_inputs(name, read_settings(settings), Path.cwd(), target, PROJECT)
    print(f"{target}: computing the results from the data that are passed on", flush=True)
    status = run_snakemake([], [f"study={name}"], flags, target)
    if status:
        return status
    different = package.compare_results(target / "results" / name, earlier)
    if different:
        raise ConfigError(
            "from the data that are passed on, other numbers were computed: " + ", ".join(different)
        )
    package.tidy_results(target / "results" / name)
    crate.write_crate(name, target, PROJECT, datetime.datetime.now().astimezone())
    package.write_sums(target)
    archive = Path(shutil.make_archive(str(target), "zip", Path.cwd(), target)).name
    print(f"Written: {target} and {archive}. On any machine: turingstats verify {archive}")
    return 0


def check_package(path: Path, settings: list[str], flags: list[str]) -> int:
    """Check a package, and compute its results again if that is asked for."""
    from turingstats.export import verify

    rest = [flag for flag in flags if flag != "--rerun"]
    if settings or (rest and rest == flags):
        raise ConfigError(
            "a package is checked as it is: keys of the configuration do not go with it, and options of "
            "Snakemake only with --rerun"
        )
    return verify.verify_package(path, () if rest == flags else make_command([], rest))


def check_manuscript(draft: Path, settings: dict[str, Any]) -> int:
    """Check the numbers in a manuscript against the results of the only study, or of the named one."""
    from turingstats.claims.draft import describe_check

    studies = sorted(
        path.parents[1].name for path in Path("results").glob("*/statistics/tests.csv")
    )
    study = settings.get("study") or (studies[0] if len(studies) == 1 else None)
    if study not in studies:
        raise ConfigError(
            "say which results the numbers are from: study=NAME\n"
            f"  allowed: {', '.join(studies) or 'none yet; turingstats run makes them'}"
        )
    text, holds = describe_check(draft, Path("results") / study)
    print(text)
    return int(not holds)


def copy_paper(name: str, folder: Path) -> None:
    """Copy what a paper is computed from into a folder, unless it is there already."""
    papers = sorted(path.stem for path in (PROJECT / "config/studies").glob("*.yaml"))
    if name not in papers:
        raise ConfigError(f"no paper {name!r}\n  allowed: {', '.join(papers)}")
    if folder.samefile(PROJECT):
        return
    for part in FILES_OF_PAPERS:
        for source in (PROJECT / part).iterdir():
            target = folder / part / source.name
            if target.exists():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copy)(source, target)


if __name__ == "__main__":
    sys.exit(main())
