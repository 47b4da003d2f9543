"""What a run makes of a study of pairs, whose agents are ranked."""

from functools import cached_property
from typing import Any

from turingstats.config.raw_files import RawFile
from turingstats.core.yaml_models import LABEL, strip_presentation
from turingstats.workflow.plan import ALWAYS, StudyPlan


class PairsPlan(StudyPlan):
    """What a run makes of a study of pairs; see `StudyPlan`."""

    read_tables = ("comparisons.parquet", "exclusions.csv")
    analyzed_tables = ("comparisons.parquet",)
    computed_statistics = ["strengths", "differences", "places", "sizes"]
    drawn_figures = ["ranking"]
    made_tables = ["ranking", "win_rates"]

    @property
    def wanted_files(self) -> tuple[RawFile, ...]:
        """The raw files of the tasks of this run."""
        return tuple(file for file in self.sources.files if file.task in self.study.tasks)

    @cached_property
    def study_to_ingest(self) -> dict[str, Any]:
        """The agents with their labels, also those left out, since files name them."""
        labeled = strip_presentation(self.whole, {LABEL})
        return labeled.model_dump(mode="json", include={*ALWAYS})

    @cached_property
    def shown_results(self) -> list[str]:
        """Statistics."""
        return [*self.list_statistics(self.computed_statistics), *self.list_data(["missing.csv"])]

    @cached_property
    def synthesized(self) -> dict[str, Any]:
        """What the synthesis gets: choices between agents are no verdicts on people and machines."""
        return super().synthesized | {"why_not": "judges compared agents with each other"}
