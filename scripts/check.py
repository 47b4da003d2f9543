"""Rerun the pipeline and compare its numbers with the accepted ones; with --accept, renew those.

make check and make accept call this; docs/checking.md says more.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from snakemake.utils import update_config
from turingstats import baseline
from turingstats.config import settings
from turingstats.core import yaml_models
from turingstats.core.errors import TuringError

ROOT = Path(__file__).parents[1]
PARTS = (
    (ROOT / "config/subsets/check.yaml", ROOT / "tests/golden/observed"),
    (ROOT / "config/subsets/generated.yaml", ROOT / "tests/golden/generated"),
)
"""Settings of each run, and the folder of its accepted numbers."""


def arguments():
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="check.py", description=__doc__.splitlines()[0])
    parser.add_argument("--accept", action="store_true", help="accept the numbers of this run")
    parser.add_argument("--configfile", help="settings of the run; by default those of the project")
    parser.add_argument("--baseline", help="folder of the accepted numbers")
    parser.add_argument(
        "--tolerance", type=float, help="with --accept: relative tolerance of later checks"
    )
    parser.add_argument(
        "--compact",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="with --accept: without estimates of single groups of judges",
    )
    parser.add_argument("snakemake", nargs="*", help="after --: further options of Snakemake")
    return parser.parse_args()


def configured(path):
    """The configuration of a run with a file of changed keys, as Snakemake merges them."""

    merged = yaml_models.read_yaml(ROOT / "config/config.yaml")
    update_config(merged, yaml_models.read_yaml(path))
    return yaml_models.check(settings.Config, merged, str(path))


def check(configfile, folder, asked):
    """Run with the settings of one file, then compare or accept; return the exit code."""
    try:
        config = configured(configfile)
        command = [sys.executable, "-m", "snakemake", "checked", "--quiet", "all"]
        command += ["--configfile", configfile, *asked.snakemake]
        done = subprocess.run(list(map(str, command)), cwd=ROOT)
        if done.returncode:
            return done.returncode
        compact = asked.compact if asked.accept else None
        if compact is None:
            compact = baseline.options(folder)["compact"]
        results = ROOT / config.pathvars.results / config.study
        tables, run = baseline.take(results, compact), baseline.settings_of(results)
        if asked.accept:
            baseline.accept(folder, tables, run, asked.tolerance, asked.compact)
            print(f"accepted {len(tables)} tables into {folder}")
            return 0
        differences = baseline.check(folder, tables, run)
    except TuringError as error:
        print(error, file=sys.stderr)
        return 2
    if not differences:
        print(f"{len(tables)} tables are as accepted in {folder}")
        return 0
    print(baseline.report(differences))
    print(
        f"\n{len(differences)} differences from the accepted results in {folder}. If they are "
        "wanted: look at the figures, accept them with `make accept` (and the same options), and say in "
        "the commit why they changed."
    )
    return 1


def main():
    """Check every part, or the one that the command line names; return the worst exit code."""
    asked = arguments()
    parts = PARTS
    if asked.configfile or asked.baseline:
        first = PARTS[0]
        parts = [(asked.configfile or first[0], asked.baseline or first[1])]
    return max(check(configfile, folder, asked) for configfile, folder in parts)


if __name__ == "__main__":
    sys.exit(main())
