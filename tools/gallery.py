"""Draw one panel of every kind from results, and write docs/gallery.md with the entry that makes it.

make docs calls this after a run of all studies. Pictures are panels of figures that the studies declare, and
of the default figures of the generated tables in docs/example/.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import pandas as pd
import yaml
from PIL import Image

from tools import ROOT, check
from tools.templates import render_page
from turingstats.config import defaults
from turingstats.config.study import Study
from turingstats.config.study.panels import Panel
from turingstats.config.subset import load_study
from turingstats.figures import pages
from turingstats.stages.job import find_function
from turingstats.workflow.results import find_drawer

FOLDER = ROOT / "docs/gallery"
WIDTH = 640
"""Maximum width of a picture, in pixels."""
EXAMPLES = ("trials", "ratings", "scores")
"""Generated tables in docs/example/."""
KINDS = [
    kind
    for model in get_args(get_args(Panel)[0])
    for kind in get_args(model.model_fields["kind"].annotation)
]
"""Values of `kind` in a study file."""


def run_examples(top: Path) -> list[Path]:
    """Draw the default figures of the example tables, and list the folders of their studies."""
    folders = [top / name for name in EXAMPLES]
    for folder in folders:
        check.write_example(folder.name, folder)
        command = [*check.SNAKEMAKE, "figures", "--quiet", "all", *check.place_run(folder)]
        subprocess.run([*command, "--config", f"study={folder.name}"], check=True)
    return folders


def list_studies(*tops: Path) -> Iterator[tuple[Study, Path]]:
    """List the studies of verdicts in some folders, with the folder of their results."""
    for top in tops:
        for path in sorted((top / "config/studies").glob("*.yaml")):
            study = load_study(path)
            if isinstance(study, Study):
                yield defaults.fill_defaults(study), top / "results" / path.stem


def find_panels(
    studies: Iterable[tuple[Study, Path]],
) -> dict[str, tuple[Study, str, str, pd.DataFrame]]:
    """Find the smallest panel of each kind, if possible of observed data: study, figure, letter, rows."""
    smallest: dict[str, tuple] = {}
    for study, results in studies:
        for name, figure in study.figures.items():
            path = results / f"figures/{name}.csv"
            if not path.exists():
                continue
            data = pages.read_source_data(path)
            for letter, panel in figure.panels.items():
                rows = data[data["panel"] == letter]
                if rows.empty or (rows["kind"] == "no data").any():
                    continue
                generated = rows["data"].str.startswith("generated").any()
                rank = (generated, len(rows) < 3, len(rows))
                if panel.kind not in smallest or rank < smallest[panel.kind][0]:
                    smallest[panel.kind] = (rank, (study, name, letter, rows))
    return {kind: place for kind, (_, place) in smallest.items()}


def draw_panel(study: Study, kind: str, rows: pd.DataFrame) -> Path:
    """Draw one panel as a figure of its own, as a small picture."""
    path = FOLDER / f"{kind.replace(' ', '_')}.png"
    figure = find_function(find_drawer("<figure>", study.design))(rows)
    pages.save_figure(figure, [str(path)], 200)
    picture = Image.open(path).convert("RGB")
    picture.thumbnail((WIDTH, picture.height), Image.Resampling.LANCZOS)
    picture.quantize(64).save(path, optimize=True)
    return path


def write_entry(study: Study, figure: str, letter: str) -> str:
    """Write the entry of a panel as in a study file."""
    panel = study.figures[figure].panels[letter]
    values = {"kind": panel.kind} | panel.model_dump(mode="json", exclude_defaults=True)
    entry = {"figures": {figure: {"panels": {letter: values}}}}
    text: str = yaml.safe_dump(
        entry, width=88, sort_keys=False, allow_unicode=True, default_flow_style=None
    )
    return text.strip()


def main() -> None:
    """Write pictures and page."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        panels = find_panels(list_studies(ROOT, *run_examples(Path(folder))))
    if {study.study for study, *_ in panels.values()} <= {*EXAMPLES}:
        sys.exit("the gallery needs the results of all studies: snakemake --config study=all")
    described: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    for kind, (study, figure, letter, rows) in panels.items():
        described[kind] = {
            "picture": draw_panel(study, kind, rows).name,
            "figure": figure,
            "study": study.study,
            "letter": letter,
            "generated": rows["data"].str.startswith("generated").any(),
            "entry": write_entry(study, figure, letter),
        }
    (ROOT / "docs/gallery.md").write_text(render_page("gallery", panels=described))


if __name__ == "__main__":
    main()
