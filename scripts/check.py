"""Rerun the pipeline and compare its numbers with the accepted ones; with --accept, renew those.

make check and make accept call this; docs/checking.md says more.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from turingstats import baseline, declared
from turingstats import config as settings
from turingstats.errors import TuringError

ROOT = Path(__file__).parents[1]


def arguments():
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="check.py", description=__doc__.splitlines()[0])
    parser.add_argument("--accept", action="store_true", help="accept the numbers of this run")
    parser.add_argument(
        "--configfile", default=ROOT / "config/subsets/check.yaml", help="settings of the run"
    )
    parser.add_argument(
        "--baseline", default=ROOT / "tests/golden", help="folder of the accepted numbers"
    )
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
    from snakemake.utils import update_config

    merged = declared.read_yaml(ROOT / "config/config.yaml")
    update_config(merged, declared.read_yaml(path))
    return declared.check(settings.Config, merged, str(path))


def main():
    """Run, then compare or accept; return the exit code."""
    asked = arguments()
    try:
        config = configured(asked.configfile)
        command = [sys.executable, "-m", "snakemake", "checked", "--quiet", "all"]
        command += ["--configfile", asked.configfile, *asked.snakemake]
        done = subprocess.run(list(map(str, command)), cwd=ROOT)
        if done.returncode:
            return done.returncode
        compact = asked.compact if asked.accept else None
        if compact is None:
            compact = baseline.options(asked.baseline)["compact"]
        results = ROOT / config.pathvars.results / config.study
        tables, run = baseline.take(results, compact), baseline.settings_of(results)
        if asked.accept:
            baseline.accept(asked.baseline, tables, run, asked.tolerance, asked.compact)
            print(f"accepted {len(tables)} tables into {asked.baseline}")
            return 0
        differences = baseline.check(asked.baseline, tables, run)
    except TuringError as error:
        print(error, file=sys.stderr)
        return 2
    if not differences:
        print(f"{len(tables)} tables are as accepted in {asked.baseline}")
        return 0
    print(baseline.report(differences))
    print(
        f"\n{len(differences)} differences from the accepted results in {asked.baseline}. If they are "
        "wanted: look at the figures, accept them with `make accept` (and the same options), and say in "
        "the commit why they changed."
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
