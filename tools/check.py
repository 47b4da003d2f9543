"""Rerun the pipeline and compare numbers and pictures with the accepted ones; with --accept, renew these.

make check and make accept call this; see docs/checking.md.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from tools import ROOT, baseline, pictures
from turingstats.core import yaml_models

SUBSETS, GOLDEN = ROOT / "config/subsets", ROOT / "tests/golden"
RATING = "{column: answer, human: 1-3, unsure: 4, machine: 5-7}"
EXAMPLES = {
    "pairs": [],
    "games": [],
    "ratings": [f"table={{rating: {RATING}}}", "values={answer: {-1: null}}"],
    "scores": ["table={score: {column: p_fake, machine: '>= 0.5'}}"],
}
"""Tables in docs/example/, of designs that no paper here has, and what `init` is told of them."""
PARTS = {
    "observed": "check.yaml",
    "generated": "generated.yaml",
    **dict.fromkeys(("turingrsa", "xturing", "jones2024", "zhang2022", *EXAMPLES), "studies.yaml"),
}
"""Settings of each run in config/subsets/, by the folder of its accepted numbers, such as its study."""
SNAKEMAKE = [sys.executable, "-m", "snakemake"]
CHANGED = ROOT / "results/check/pictures"
"""Gets the pictures that do not look as accepted, by part."""


def compare_results(results: Path, folder: Path, changed: Path) -> str:
    """Compare a run with a baseline; return what differs as text, empty if nothing does.

    The folder `changed` gets the pictures that do not look as accepted.
    """
    differences = baseline.check_results(folder, baseline.read_results(results))
    altered = list(pictures.compare_pictures(folder, results, changed))
    if not differences and not altered:
        return ""
    return "\n".join(
        [
            baseline.format_differences(differences),
            *altered,
            f"\n{len(differences)} differences of numbers and {len(altered)} of pictures from the accepted "
            f"results in {folder}. If they are wanted: look at the figures, accept them with `make accept`, "
            "and say in the commit why they changed.",
        ]
    )


def accept_results(results: Path, folder: Path) -> None:
    """Make the numbers and pictures of a run the accepted ones."""
    tables = baseline.read_results(results)
    baseline.write_baseline(folder, tables)
    number = pictures.accept_pictures(folder, results)
    print(f"accepted {len(tables)} tables and {number} pictures into {folder}")


def write_example(name: str, folder: Path) -> None:
    """Write the study of an example into an empty folder, as a user would."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    told = [f"csv={ROOT / 'docs/example' / name}.csv", f"name={name}", *EXAMPLES.get(name, ())]
    command = [*SNAKEMAKE, "init", "--quiet", "all", *place_run(folder), "--config", *told]
    subprocess.run(command, cwd=ROOT, check=True)


def place_run(folder: Path) -> list[str]:
    """Arguments of a run of this workflow in another folder."""
    return ["--snakefile", str(ROOT / "Snakefile"), "--directory", str(folder)]


def check_part(name: str, accept: bool) -> int:
    """Run one part, then compare or accept; return the exit code."""
    configfile, folder, place = SUBSETS / PARTS[name], ROOT, []
    study = name if PARTS[name] == "studies.yaml" else "zhang2025"
    if name in EXAMPLES:
        folder = ROOT / "results/check/examples" / name
        write_example(name, folder)
        place = place_run(folder)
    command = [*SNAKEMAKE, "--quiet", "all", *place, "--configfile", str(configfile)]
    done = subprocess.run([*command, "--config", f"study={study}"], cwd=ROOT)
    if done.returncode:
        return done.returncode
    results = folder / yaml_models.read_mapping(configfile)["pathvars"]["results"] / study
    if accept:
        accept_results(results, GOLDEN / name)
        return 0
    differences = compare_results(results, GOLDEN / name, CHANGED / name)
    print(differences or f"All numbers and pictures are as accepted in {GOLDEN / name}")
    return 1 if differences else 0


def main() -> int:
    """Check every part, or those that the command line names; return the worst exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.check", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--accept", action="store_true", help="accept the numbers of this run")
    parser.add_argument("parts", nargs="*", metavar="part", help="folders in tests/golden/")
    asked = parser.parse_args()
    return max(check_part(name, asked.accept) for name in asked.parts or PARTS)


if __name__ == "__main__":
    sys.exit(main())
