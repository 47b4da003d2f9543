"""Rerun the pipeline and compare numbers and pictures with the accepted ones; with --accept, renew these.

make check and make accept call this; see docs/checking.md.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from snakemake.utils import update_config

from tools import baseline, pictures
from turingstats.config import settings
from turingstats.core import checked_yaml, yaml_models
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
PICTURES = GOLDEN / "pictures"
"""Accepted pictures of the project, by part; a baseline of one's own holds them itself."""
PAGE = ROOT / "results/check/pictures.html"


def parse_arguments():
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.check", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--accept", action="store_true", help="accept the numbers of this run")
    parser.add_argument("--configfile", help="settings of the run; by default those of the project")
    parser.add_argument("--baseline", help="folder of the accepted numbers")
    parser.add_argument(
        "--tolerance", type=float, help="with --accept: relative tolerance of later checks"
    )
    parser.add_argument(
        "--picture-tolerance",
        type=float,
        help="with --accept: root mean square, 0 to 255, up to which pictures are equal in later checks",
    )
    parser.add_argument(
        "--compact",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="with --accept: without estimates of single groups of judges",
    )
    parser.add_argument("snakemake", nargs="*", help="after --: further options of Snakemake")
    return parser.parse_args()


def load_config(path):
    """Read the configuration of a run with a file of changed keys, as Snakemake merges them."""

    merged = checked_yaml.read_mapping(ROOT / "config/config.yaml")
    update_config(merged, checked_yaml.read_mapping(path))
    return yaml_models.build_model(settings.Config, merged, str(path))


def list_options(study, asked):
    """Return the Snakemake options from the command line, with the study of the run."""
    options = list(asked.snakemake)
    if study:
        # Snakemake keeps only the last --config.
        if "--config" not in options:
            options.append("--config")
        options.insert(options.index("--config") + 1, f"study={study}")
    return options


def find_pictures(folder):
    """Find the folder of accepted pictures of a baseline."""
    folder = Path(folder).resolve()
    return PICTURES / folder.name if folder.parent == GOLDEN else folder / baseline.PICTURES


def check_part(configfile, study, folder, asked, changed):
    """Run with the settings of one file, then compare or accept; return the exit code.

    Changed pictures are added to `changed` by the name of the folder.
    """
    try:
        config = load_config(configfile)
        command = [sys.executable, "-m", "snakemake", "--quiet", "all"]
        command += ["--configfile", configfile, *list_options(study, asked)]
        done = subprocess.run(list(map(str, command)), cwd=ROOT)
        if done.returncode:
            return done.returncode
        compact = asked.compact if asked.accept else None
        if compact is None:
            compact = baseline.read_options(folder)["compact"]
        results = ROOT / config.pathvars.results / (study or config.study)
        tables, run = baseline.read_results(results, compact), baseline.read_settings(results)
        if asked.accept:
            options = asked.tolerance, asked.compact, asked.picture_tolerance
            baseline.write_baseline(folder, tables, run, *options)
            number = pictures.accept_pictures(find_pictures(folder), results)
            print(f"accepted {len(tables)} tables and {number} pictures into {folder}")
            return 0
        differences = baseline.check_results(folder, tables, run)
        changed[Path(folder).name], near = pictures.compare_pictures(
            find_pictures(folder),
            results,
            baseline.read_options(folder)["picture_tolerance"],
            baseline.list_changed_figures(differences),
        )
    except TuringError as error:
        print(error, file=sys.stderr)
        return 2
    if near:
        print(f"{len(near)} pictures have other bytes, but are as accepted within the tolerance")
    altered = changed[Path(folder).name]
    if not differences and not altered:
        print(f"{len(tables)} tables, and all pictures, are as accepted in {folder}")
        return 0
    print("\n".join([baseline.format_differences(differences), *map(str, altered)]))
    print(
        f"\n{len(differences)} differences of numbers and {len(altered)} of pictures from the accepted "
        f"results in {folder}. If they are wanted: look at the figures, accept them with `make accept` "
        "(and the same options), and say in the commit why they changed."
    )
    return 1


def main():
    """Check every part, or the one that the command line names; return the worst exit code."""
    asked = parse_arguments()
    parts = PARTS
    if asked.configfile or asked.baseline:
        first = PARTS[0]
        parts = [(asked.configfile or first[0], None, asked.baseline or first[2])]
    changed = {}
    code = max(check_part(*part, asked, changed) for part in parts)
    if not asked.accept:
        pictures.write_page(changed, PAGE)
        if any(changed.values()):
            print(f"Changed pictures, side by side: {PAGE}")
    return code


if __name__ == "__main__":
    sys.exit(main())
