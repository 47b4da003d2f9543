"""Load a study file."""

import re
from pathlib import Path

from turingstats.config.study import Part, Study, check_layout
from turingstats.config.study.checks import check_breakdowns, check_formulas
from turingstats.config.subset import cut_study
from turingstats.core.errors import ConfigError
from turingstats.core.yaml_models import build_model, read_parts


def load_study(path: str | Path) -> Study:
    """Read and check a study file with its parts; the study is named after the file.

    A study that takes tasks from another one keeps only the cohorts (tasks, agents) named by its key `keep`.
    """
    values, name = read_parts(path), Path(path).stem
    keep = values.pop("keep", None)
    if values.setdefault("study", name) != name:
        raise ConfigError(
            f"{path}: study is {values['study']!r}, but the file is named {name}\n"
            f"  fix: leave the key out, or rename the file to {values['study']}.yaml"
        )
    if not re.fullmatch(r"[A-Za-z0-9_]+", name):
        raise ConfigError(
            f"{path}: the name of a study may contain only letters, digits and underscores\n"
            "  fix:     rename the file"
        )
    study = build_model(Study, values, str(path))
    try:
        check_formulas(study)
        check_breakdowns(study)
    except ValueError as error:
        raise ConfigError(
            f"{path} is not valid:\n  {error}\n  fix:     correct it (docs/study_file.md)"
        ) from None
    for figure, described in (study.figures | study.add.figures).items():
        check_layout(described, f"{path}: figures.{figure}")
    return cut_study(study, build_model(Part, keep, f"{path}: keep")) if keep else study
