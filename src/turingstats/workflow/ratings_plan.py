"""What a run makes of a study of similarity ratings."""

from functools import cached_property
from typing import Any

from turingstats.config.raw_files import RawFile
from turingstats.core.yaml_models import LABEL, strip_presentation
from turingstats.workflow.plan import StudyPlan
from turingstats.workflow.sections import dump_sections


class RatingsPlan(StudyPlan):
    """What a run makes of a study of similarity ratings; see `StudyPlan`."""

    read_tables = ("ratings.parquet", "items.csv", "distances.parquet", "exclusions.csv")
    analyzed_tables = ("ratings.parquet", "items.csv", "distances.parquet")

    @property
    def wanted_files(self) -> tuple[RawFile, ...]:
        """All raw files: each holds the ratings of all tasks."""
        return self.sources.files

    @property
    def computed_statistics(self) -> list[str]:
        """Names of the tables of statistics/ that are computed from ratings."""
        return ["alignment", "agreement", "individuals", "tests", "sizes"]

    @property
    def shown_statistics(self) -> list[str]:
        """None: what a paper prints of ratings is only compared."""
        return []

    @property
    def study_to_ingest(self) -> dict[str, Any]:
        """The agents with their labels, and tasks: also those left out, since files name them."""
        return dump_sections(strip_presentation(self.whole, frozenset({LABEL})))

    @property
    def shown_results(self) -> list[str]:
        """Statistics and ratings."""
        return [
            *self.list_statistics(self.computed_statistics),
            *self.list_data((*self.analyzed_tables, "missing.csv")),
        ]

    @cached_property
    def reported(self) -> dict[str, Any]:
        """What a report says about the study, and what its conclusions name."""
        tasks = self.whole.tasks.items()
        return super().reported | {
            "references": {name: task.references[0] for name, task in tasks},
        }

    @property
    def synthesized(self) -> dict[str, Any]:
        """What the synthesis gets: similarities have no verdicts on people and machines."""
        return super().synthesized | {
            "why_not": "people rated similarities and did not say whether a person or a machine responded"
        }
