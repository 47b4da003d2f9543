"""Draw one panel of every kind from results, and write docs/gallery.md with the entry that makes it.

make docs calls this after a run of all studies. Pictures are panels of figures that the studies declare.
"""

import sys
from pathlib import Path
from typing import get_args

import yaml
from PIL import Image
from turingstats.config import defaults
from turingstats.config.load import load_study
from turingstats.config.settings import Figures
from turingstats.config.study import Study
from turingstats.config.study.panels import Panel
from turingstats.figures import grid, pages

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs/gallery"
WIDTH = 640
"""Maximum width of a picture, in pixels."""
TEXT = """\
# Gallery: every kind of panel

A figure of a study file consists of panels, each of one kind. Below is a picture of each kind with the entry
that made it; [study_file.md](study_file.md) lists all keys. Pictures marked "Generated data" show no one's
verdicts.

"""
KINDS = [
    kind
    for model in get_args(get_args(Panel)[0])
    for kind in get_args(model.model_fields["kind"].annotation)
]
"""Values of `kind` in a study file."""


def find_panels(results):
    """Find the smallest panel of each kind, with observed data if there is any.

    Returns
    -------
    dict of str to (str, str, str, pandas.DataFrame)
        By kind: study, figure and letter, and the source data of the panel.
    """
    found = {}
    for study in sorted((ROOT / "config/studies").glob("*.yaml")):
        described = load_study(study)
        if not isinstance(described, Study):
            continue
        for name, figure in defaults.fill_defaults(described).figures.items():
            path = results / study.stem / f"figures/{name}.csv"
            if not path.exists():
                continue
            data = pages.read_source_data(path)
            for letter, panel in figure.panels.items():
                rows = data[data["panel"] == letter]
                if rows.empty or (rows["kind"] == "no data").any():
                    continue
                generated = rows["data"].str.startswith("generated").any()
                rank = (generated, len(rows) < 3, len(rows))
                if panel.kind not in found or rank < found[panel.kind][0]:
                    found[panel.kind] = (rank, (study.stem, name, letter, rows))
    return {kind: place for kind, (_, place) in found.items()}


def draw_panel(kind, letter, rows):
    """Draw one panel as a figure of its own, as a small picture."""
    path = FOLDER / f"{kind.replace(' ', '_')}.png"
    figure = grid.draw_grid(rows, Figures().colormap, [[letter]], None)
    pages.save_figure(figure, [str(path)], 200)
    picture = Image.open(path).convert("RGB")
    height = round(picture.height * WIDTH / picture.width)
    if picture.width > WIDTH:
        picture = picture.resize((WIDTH, height), Image.Resampling.LANCZOS)
    picture.quantize(64).save(path, optimize=True)
    return path


def write_entry(study, figure, letter):
    """Write the entry of a panel as in a study file."""
    described = defaults.fill_defaults(load_study(ROOT / f"config/studies/{study}.yaml"))
    panel = described.figures[figure].panels[letter]
    values = {"kind": panel.kind} | panel.model_dump(mode="json", exclude_defaults=True)
    entry = {"figures": {figure: {"panels": {letter: values}}}}
    return yaml.safe_dump(entry, sort_keys=False, allow_unicode=True, width=88).strip()


def main():
    """Write pictures and page."""
    FOLDER.mkdir(exist_ok=True)
    panels = find_panels(ROOT / "results")
    missing = [kind for kind in KINDS if kind not in panels]
    if missing == KINDS:
        sys.exit("the gallery needs the results of all studies: snakemake all_studies")
    parts = []
    for kind in KINDS:
        parts.append(f"## {kind}\n")
        if kind not in panels:
            parts.append("No study of the project draws one from data that come with it.\n")
            continue
        study, figure, letter, rows = panels[kind]
        path = draw_panel(kind, letter, rows)
        label = ", generated data" if rows["data"].str.startswith("generated").any() else ""
        parts.append(f"![Panel of the kind {kind}](gallery/{path.name})\n")
        parts.append(f"*`{figure}` of `{study}`, panel {letter}{label}.*\n")
        parts.append(f"```yaml\n{write_entry(study, figure, letter)}\n```\n")
    (ROOT / "docs/gallery.md").write_text(TEXT + "\n".join(parts))


if __name__ == "__main__":
    main()
