"""What jobs get of a study: only what they use, so that other changes do not rerun them."""

from collections.abc import Callable, Iterable
from typing import Any

from turingstats.config.study import Cohort, Study
from turingstats.core.templating import CAPTIONS
from turingstats.core.yaml_models import LABEL, Reading, strip_presentation
from turingstats.workflow.conditions import Facts
from turingstats.workflow.raw_data import RawData

ALWAYS = ("study", "title", "reference", "readings", "agents", "tasks", "scale")
"""Sections of a study that every job gets."""
SECTIONS = {
    "clean": ("demographics",),
    "statistics": (
        *("demographics", "ordered", "bands", "breakdowns", "comparisons"),
        *("codes", "tables", "alignment_tests"),
    ),
    "models": ("demographics", "ordered", "comparisons", "models"),
    "tables": (
        *("figures", "tables", "demographics", "ordered", "shaded"),
        *("subsets", "contrasts", "comparisons", "models"),
    ),
}
"""Further sections, by rule."""
NOT_SYNTHESIZED = {
    "ratings": "people rated similarities and did not say whether a person or a machine responded",
    "pairs": "judges compared agents with each other",
}
"""Why studies of a design cannot enter the synthesis of all studies."""


def select_sections(study: Study, *names: str, keep: Iterable[str] = ()) -> dict[str, Any]:
    """Dump what every job gets of a study, and sections `names`, with the presentation marked `keep`."""
    wanted = {*ALWAYS, *names}
    # Nothing is stripped of sections that are left out: a tenth of the time of a start.
    bare = study.model_copy(update=dict.fromkeys({*type(study).model_fields} - wanted))
    return strip_presentation(bare, set(keep)).model_dump(mode="json", include=wanted)


def describe_study(facts: Facts, rule: str, raw: RawData) -> dict[str, Any]:
    """Dump the parts of the study that the job of a rule uses."""
    if rule == "read":
        return describe_study_to_read(facts, raw)
    if rule == "judges":
        # Training is long, and edits are many.
        cohort = {"label", "agents", "trained"}
        task = {"label": True, "features": True, "response": {"variant"}}
        tasks = dict.fromkeys(facts.trained_tasks, task | {"cohorts": {"__all__": cohort}})
        include: Any = {"study": True, "title": True, "agents": {"__all__": {"label"}}}
        stripped = strip_presentation(facts.study)
        return stripped.model_dump(mode="json", include=include | {"tasks": tasks})
    return select_sections(
        facts.study, *SECTIONS.get(rule, ()), keep=[LABEL] if rule in ("tables", "report") else ()
    )


def describe_study_to_read(facts: Facts, raw: RawData) -> dict[str, Any]:
    """Dump the parts of the study that reading uses."""
    if facts.study.design != "verdicts":
        # Also what is left out, since files name it.
        labeled = strip_presentation(facts.whole, {LABEL})
        return labeled.model_dump(mode="json", include={*ALWAYS})
    # Raw files may call agents and cohorts by their labels; the observed tables have only ids.
    stripped = strip_presentation(facts.study)
    if raw.source != "observed":
        with_cohorts = {file.task for file in raw.sources.files if "cohort" in file.columns}
        tasks = stripped.tasks | {
            name: task.model_copy(update={"cohorts": facts.study.tasks[name].cohorts})
            for name, task in stripped.tasks.items()
            if name in with_cohorts
        }
        stripped = stripped.model_copy(update={"agents": facts.study.agents, "tasks": tasks})
    names = {"study", "title", "readings", "agents", "tasks", "demographics"}
    return stripped.model_dump(mode="json", include=names)


def describe_declared(whole: Study) -> dict[str, Any]:
    """Dump all that the study file declares, even in a subset, for claims; tests come separately."""
    left_out = {"comparisons", "figures", "tables", "claims"}
    return strip_presentation(whole).model_dump(mode="json", exclude=left_out)


def choose_reading(facts: Facts) -> Reading:
    """Choose the reading that figures and tables show: the configured one, if the study has it."""
    readings, wanted = facts.study.readings, facts.config.figures.reading
    return wanted if wanted in readings else readings[0]


def label_cohorts(study: Study, wanted: Callable[[Cohort], Any]) -> dict[str, dict[str, str]]:
    """Label the cohorts that a function wants, by task and name."""
    return {
        name: {key: cohort.label for key, cohort in task.cohorts.items() if wanted(cohort)}
        for name, task in study.tasks.items()
    }


def list_pools(study: Study) -> dict[str, dict[str, list[str]]]:
    """List, by task and pooled cohort, the cohorts that it combines."""
    return {
        name: {pool: list(cohort.pools) for pool, cohort in task.cohorts.items()}
        for name, task in study.tasks.items()
    }


def place_panels(study: Study, figure: str) -> dict[str, Any]:
    """Return the layout of a figure's panels in the study file; empty if it has none."""
    declared = study.figures.get(figure)
    if declared is None:
        return {}
    # Lists, because Snakemake reads stored tuples back as lists.
    rows = [row if isinstance(row, str) else list(row) for row in declared.layout]
    return {"layout": rows, "widths": list(declared.widths)} if rows else {}


def describe_figure(study: Study, name: str, title: str) -> dict[str, Any]:
    """Return the title and caption in a figure's files."""
    declared = study.figures.get(name)
    return {"title": title, "caption": (declared and declared.caption) or CAPTIONS.get(name, "")}


def describe_report(facts: Facts, titles: dict[str, str], data: str) -> dict[str, Any]:
    """Describe what a report says about the study in addition to its results, with `titles` of those."""
    study, tasks = facts.study, facts.whole.tasks.items()
    return {
        "study": study.study,
        "design": study.design,
        "choice": all(task.choice for _, task in tasks),
        "title": study.title,
        "reference": study.reference,
        "titles": titles,
        "figures": {name: figure.title for name, figure in study.figures.items()},
        "captions": {name: figure.caption for name, figure in study.figures.items()},
        "tables": {name: table.title for name, table in study.tables.items()},
        "notes": {name: getattr(table, "note", "") for name, table in study.tables.items()},
        "tasks": {name: task.label for name, task in tasks},
        "references": {name: task.references[0] for name, task in tasks if task.references},
        "reading": choose_reading(facts),
        "readings": list(study.readings),
        "data": data,
        "called": study.called,
        "agents": {name: agent.label for name, agent in facts.whole.agents.items()},
        "cohorts": label_cohorts(study, lambda cohort: True),
        # Other cohorts pool trials, or are judges trained here.
        "read_cohorts": label_cohorts(study, lambda c: not (c.pools or c.trained)),
    }


def describe_for_synthesis(study: Study) -> dict[str, Any]:
    """Describe what the synthesis of all studies gets: agents, tasks, cohorts whose judges are people."""
    include: Any = dict.fromkeys(("study", "reference", "title"), True)
    include["agents"] = {"__all__": {"label", "kind", "several"}}
    include["tasks"] = {"__all__": {"label", "choice", "samples"}}
    described = study.model_dump(mode="json", include=include)
    for name, task in study.tasks.items():
        judged = {agent for cohort in task.cohorts.values() for agent in cohort.agents}
        # Pools repeat the verdicts of other cohorts.
        cohorts = {
            key: cohort.model_dump(include={"label", "setting"})
            for key, cohort in task.cohorts.items()
            if cohort.judge_kind == "human" and not cohort.pools
        }
        described["tasks"][name] |= {"agents": sorted({*task.agents, *judged}), "cohorts": cohorts}
    # The subset of printed counts that holds all trials.
    whole = next((name for name, part in study.subsets.items() if part is None), "")
    return described | {"whole": whole, "why_not": NOT_SYNTHESIZED.get(study.design, "")}
