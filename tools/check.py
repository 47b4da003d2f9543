"""Rerun the pipeline and compare numbers and pictures with the accepted ones; with --accept, renew these.

make check and make accept call this; see docs/checking.md.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from snakemake.utils import update_config

from tools import baseline, pictures
from turingstats.config import settings
from turingstats.core import yaml_models
from turingstats.core.errors import TuringError

ROOT = Path(__file__).parents[1]
SUBSETS, GOLDEN = ROOT / "config/subsets", ROOT / "tests/golden"
PARTS = (
    (SUBSETS / "check.yaml", None, GOLDEN / "observed"),
    (SUBSETS / "generated.yaml", None, GOLDEN / "generated"),
    *(
        (SUBSETS / "studies.yaml", study, GOLDEN / study)
        for study in ("turingrsa", "xturing", "jones2024", "zhang2022")
    ),
)
"""Settings of each run, its study if the settings name none, and the folder of its accepted numbers."""
CHANGED = ROOT / "results/check/pictures"
"""Gets the pictures that do not look as accepted, by part."""


def parse_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.check", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--accept", action="store_true", help="accept the numbers of this run")
    parser.add_argument("--configfile", help="settings of the run; by default those of the project")
    parser.add_argument("--baseline", help="folder of the accepted numbers")
    parser.add_argument("snakemake", nargs="*", help="after --: further options of Snakemake")
    return parser.parse_args()


def load_config(path: Path | str) -> settings.Config:
    """Read the configuration of a run with a file of changed keys, as Snakemake merges them."""
    merged = yaml_models.read_mapping(ROOT / "config/config.yaml")
    update_config(merged, yaml_models.read_mapping(path))
    return yaml_models.build_model(settings.Config, merged, str(path))


def list_options(study: str | None, asked: argparse.Namespace) -> list[str]:
    """Return the Snakemake options from the command line, with the study of the run."""
    options = list(asked.snakemake)
    if study:
        # Snakemake keeps only the last --config.
        if "--config" not in options:
            options.append("--config")
        options.insert(options.index("--config") + 1, f"study={study}")
    return options


def compare_results(results: Path, folder: Path, changed: Path) -> str:
    """Compare a run with a baseline; return what differs as text, empty if nothing does.

    The folder `changed` gets the pictures that do not look as accepted.
    """
    options = baseline.read_options(folder)
    tables = baseline.read_results(results, options["compact"])
    differences = baseline.check_results(folder, tables, baseline.read_settings(results))
    altered = pictures.compare_pictures(folder, results, options["picture_tolerance"], changed)
    if not differences and not altered:
        return ""
    return "\n".join(
        [
            baseline.format_differences(differences),
            *altered,
            f"\n{len(differences)} differences of numbers and {len(altered)} of pictures from the accepted "
            f"results in {folder}. If they are wanted: look at the figures, accept them with `make accept` "
            "(and the same options), and say in the commit why they changed.",
        ]
    )


def accept_results(results: Path, folder: Path) -> None:
    """Make the numbers and pictures of a run the accepted ones."""
    tables = baseline.read_results(results, baseline.read_options(folder)["compact"])
    baseline.write_baseline(folder, tables, baseline.read_settings(results))
    number = pictures.accept_pictures(folder, results)
    print(f"accepted {len(tables)} tables and {number} pictures into {folder}")


def check_part(
    configfile: Path | str, study: str | None, folder: Path | str, asked: argparse.Namespace
) -> int:
    """Run with the settings of one file, then compare or accept; return the exit code."""
    folder = Path(folder)
    try:
        config = load_config(configfile)
        command = [sys.executable, "-m", "snakemake", "--quiet", "all"]
        command += ["--configfile", str(configfile), *list_options(study, asked)]
        done = subprocess.run(command, cwd=ROOT)
        if done.returncode:
            return done.returncode
        results = ROOT / config.pathvars.results / (study or config.study)
        if asked.accept:
            accept_results(results, folder)
            return 0
        differences = compare_results(results, folder, CHANGED / folder.name)
    except TuringError as error:
        print(error, file=sys.stderr)
        return 2
    print(differences or f"All numbers and pictures are as accepted in {folder}")
    return 1 if differences else 0


def main() -> int:
    """Check every part, or the one that the command line names; return the worst exit code."""
    asked = parse_arguments()
    parts: Iterable[tuple[Path | str, str | None, Path | str]] = PARTS
    if asked.configfile or asked.baseline:
        first = PARTS[0]
        parts = [(asked.configfile or first[0], None, asked.baseline or first[2])]
    return max(check_part(configfile, study, folder, asked) for configfile, study, folder in parts)


if __name__ == "__main__":
    sys.exit(main())
