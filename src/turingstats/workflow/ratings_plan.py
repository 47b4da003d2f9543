"""What a run makes of a study of similarity ratings."""

from typing import Any

from turingstats.config.ratings_study import RatingsStudy
from turingstats.config.raw_files import RawFile
from turingstats.workflow.plan import StudyPlan

STATISTICS = ("alignment", "agreement", "individuals", "tests", "sizes", "map")


class RatingsPlan(StudyPlan):
    """What a run makes of a study of similarity ratings; see `StudyPlan`."""

    study: RatingsStudy
    whole: RatingsStudy

    @property
    def wanted_files(self) -> tuple[RawFile, ...]:
        """All raw files: each holds the ratings of all tasks."""
        return self.sources.files

    @property
    def computed_statistics(self) -> list[str]:
        """Names of the tables of statistics/ that are computed from ratings."""
        return list(STATISTICS)

    @property
    def shown_statistics(self) -> list[str]:
        """Names of the tables of statistics/ of what the paper prints."""
        return ["printed_alignments"] if self.is_published("alignments") else []

    @property
    def drawn_figures(self) -> list[str]:
        """Names of all figures."""
        return list(self.study.figures)

    @property
    def synthesized(self) -> dict[str, Any]:
        """What the synthesis gets: similarities have no verdicts on people and machines."""
        return super().synthesized | {
            "why_not": "people rated similarities and did not say whether a person or a machine responded"
        }
