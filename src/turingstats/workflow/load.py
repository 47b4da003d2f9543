"""The studies of the project, cut to the configured subset, and their plans."""

from pathlib import Path

from turingstats.config import defaults, subset
from turingstats.config.graded import list_grades
from turingstats.config.raw_files import Sources, list_cohorts_with_stimuli, load_sources
from turingstats.config.settings import Config
from turingstats.config.study import Study
from turingstats.config.subset import load_study
from turingstats.core.errors import TuringError
from turingstats.workflow.plan import StudyPlan


def load_plan(name: str, config: Config, root: str | Path) -> StudyPlan:
    """Plan what a run makes of a study, a file in config/studies/ of the project at `root`."""
    root = Path(root)
    whole = load_study(root / f"config/studies/{name}.yaml")
    sources = load_sources(root / f"data/sources/{name}.yaml")
    return plan_study(whole, sources, config, root)


def plan_study(whole: Study, sources: Sources, config: Config, root: Path) -> StudyPlan:
    """Plan a study whose files are read; see `load_plan`."""
    whole = defaults.fill_defaults(
        whole, list_grades(sources.files), list_cohorts_with_stimuli(sources.files)
    )
    study = subset.correct_families(subset.cut_study(whole, config), config.correction)
    if study.design == "verdicts":
        study = subset.add_language_judges(study, config.llm)
    return StudyPlan(study, whole, sources, config, root)


def load_plans(config: Config, root: str | Path) -> tuple[dict[str, StudyPlan], dict[str, str]]:
    """Plan what a run makes of all studies of the project that can be run, and say what is wrong with the
    others.
    """
    plans, broken = {}, {}
    for path in sorted(Path(root, "config/studies").glob("*.yaml")):
        try:
            plans[path.stem] = load_plan(path.stem, config, root)
        except TuringError as error:
            broken[path.stem] = str(error)
    return plans, broken
