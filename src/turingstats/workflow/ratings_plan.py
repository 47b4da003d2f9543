"""What a run makes of a study of similarity ratings."""

from functools import cached_property
from typing import Any

from turingstats.core.yaml_models import LABEL, strip_presentation
from turingstats.workflow.plan import ALWAYS, StudyPlan


class RatingsPlan(StudyPlan):
    """What a run makes of a study of similarity ratings; see `StudyPlan`."""

    read_tables = ("ratings.parquet", "items.csv", "distances.parquet", "exclusions.csv")
    analyzed_tables = ("ratings.parquet", "items.csv", "distances.parquet")
    computed_statistics = ["alignment", "agreement", "individuals", "tests", "sizes"]

    @cached_property
    def study_to_ingest(self) -> dict[str, Any]:
        """The agents with their labels, and tasks: also those left out, since files name them."""
        labeled = strip_presentation(self.whole, {LABEL})
        return labeled.model_dump(mode="json", include={*ALWAYS})

    @cached_property
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

    @cached_property
    def synthesized(self) -> dict[str, Any]:
        """What the synthesis gets: similarities have no verdicts on people and machines."""
        return super().synthesized | {
            "why_not": "people rated similarities and did not say whether a person or a machine responded"
        }
