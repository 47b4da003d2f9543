"""Pick the numbers of the figures and tables of models, signal detection and equivalence."""

from pathlib import Path

from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.figures import model_source_data, source_data
from turingstats.tables import writer

TITLES = {
    "what_changes": "Published tests beside mixed models of the same trials",
    "equivalence": "Agents judged human as often as chance or as people",
    "model_contrasts": "Agents, and levels of other factors, compared in the mixed models",
}
READINGS = {
    "what_changes": "published and recommended",
    "equivalence": "recommended",
    "model_contrasts": "recommended",
}

with report_errors(snakemake.log[0]):
    study, data = Study(**snakemake.params.study), snakemake.params.data
    names = "models random_effects model_contrasts what_changes equivalence estimates".split()
    results = {name: files.read_frame(snakemake.input[name]) for name in names}
    picked = {
        "forest": lambda: model_source_data.select_forest(
            results["models"], results["estimates"], study
        ),
        "abilities": lambda: model_source_data.select_abilities(
            results["random_effects"], results["models"], study
        ),
        "signal": lambda: model_source_data.select_signal(results["estimates"], study),
        "equivalence": lambda: model_source_data.select_equivalence(
            results["equivalence"], study
        ).assign(power=snakemake.params.power),
    }
    filled = {
        "what_changes": lambda: model_source_data.tabulate_changes(results["what_changes"], study),
        "equivalence": lambda: model_source_data.tabulate_equivalence(
            results["equivalence"], study
        ),
        "model_contrasts": lambda: model_source_data.tabulate_contrasts(
            results["model_contrasts"], study
        ),
    }
    for path in map(Path, snakemake.output):
        if path.parent.name == "figures":
            table = picked[path.stem]().assign(level=snakemake.params.level, data=data)
            source_data.write_source_data(table, path)
    table_paths = [path for path in map(Path, snakemake.output) if path.parent.name == "tables"]
    # Some studies have none of these tables.
    for path in table_paths:
        if path.suffix != ".csv":
            continue
        name = path.stem
        frame = filled[name]()
        paths = {ending: path.with_suffix(f".{ending}") for ending in ("csv", "tex", "html")}
        writer.write_table(frame, TITLES[name], READINGS[name], data, **paths)
        print(f"{name}: {len(frame)} rows")
