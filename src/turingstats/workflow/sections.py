"""Sections of a study that a job gets: only what it uses, so that other changes do not rerun it."""

from collections.abc import Iterable, Sequence
from typing import Any

from turingstats.config.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.core.yaml_models import strip_presentation

ALWAYS = ("study", "title", "reference", "readings", "agents", "tasks", "scale")
"""Sections that every job gets."""
INGESTED = ("study", "title", "readings", "agents", "tasks", "demographics")


def dump_sections(stripped: Study, names: Iterable[str] = ()) -> dict[str, Any]:
    """Dump the agents, tasks and other sections `names` of a study, stripped of presentation, for a job."""
    return stripped.model_dump(mode="json", include={*ALWAYS, *names})


def dump_for_ingest(study: Study, source: str, files: Sequence[RawFile]) -> dict[str, Any]:
    """Dump the parts of a study of verdicts that the adapters use; `source` is where the raw files come
    from.
    """
    # Raw files may call agents and cohorts by their labels; the observed tables have only ids.
    stripped = strip_presentation(study)
    if source != "observed":
        named = {file.task for file in files if "cohort" in file.columns}
        tasks = {
            name: (
                task.model_copy(update={"cohorts": study.tasks[name].cohorts})
                if name in named
                else task
            )
            for name, task in stripped.tasks.items()
        }
        stripped = stripped.model_copy(update={"agents": study.agents, "tasks": tasks})
    return stripped.model_dump(mode="json", include=set(INGESTED))


def dump_for_claims(study: Study) -> dict[str, Any]:
    """Dump what a study declares, for claims about it; its tests are dumped separately."""
    left_out = {"comparisons", "figures", "tables", "claims"}
    return strip_presentation(study).model_dump(mode="json", exclude=left_out)
