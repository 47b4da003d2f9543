"""Sections of a study that a job gets: only what it uses, so that other changes do not rerun it."""

from turingstats.core.yaml_models import strip_presentation

ALWAYS = (
    "design",
    "study",
    "title",
    "reference",
    "readings",
    "agents",
    "tasks",
    "systems",
    "scale",
)
"""Sections that every job gets; the last two belong to studies of ratings."""
INGESTED = ("study", "title", "readings", "agents", "tasks", "demographics")


def dump_sections(stripped, names=()):
    """Dump sections of a study for a job.

    Parameters
    ----------
    stripped : Study or RatingsStudy
        Without the presentation that the job does not show (`strip_presentation`).
    names : collection of str
        Sections that the job uses in addition to the agents and tasks.

    Returns
    -------
    dict
    """
    return stripped.model_dump(mode="json", include={*ALWAYS, *names})


def dump_for_ingest(study, source, files):
    """Dump the parts of a study of verdicts that the adapters use.

    Raw files may call agents and cohorts by their labels; the observed tables have only ids.

    Parameters
    ----------
    study : Study
    source : str
        Where the raw files come from.
    files : sequence of RawFile

    Returns
    -------
    dict
    """
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


def dump_for_claims(study):
    """Dump what a study declares, for claims about it; its tests are dumped separately."""
    left_out = {"comparisons", "figures", "tables", "claims"}
    return strip_presentation(study).model_dump(mode="json", exclude=left_out)
