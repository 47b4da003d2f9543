"""The model of a study whose parts fit together."""

from pydantic import model_validator

from turingstats.config.study.checks import (
    check_comparison,
    check_ids,
    check_panels,
    check_references,
    check_tasks,
)
from turingstats.config.study.study_file import Additions, StudyFile


class Study(StudyFile):
    """A study: judges say whether people or machines made responses, or people and machines rate how similar
    two items are."""

    @model_validator(mode="after")
    def check_names(self) -> "Study":
        """Check that all names used in the parts of a study are defined."""
        for name in Additions.model_fields:
            if getattr(self, name) and getattr(self.add, name):
                raise ValueError(
                    f"add.{name} joins the default {name}, which {name} replaces: keep one of the two"
                )
        whole = self.model_copy(
            update={
                "comparisons": (*self.comparisons, *self.add.comparisons),
                "figures": self.figures | self.add.figures,
            }
        )
        check_ids(whole)
        check_tasks(whole)
        check_references(whole)
        for comparison in whole.comparisons:
            check_comparison(whole, comparison)
        check_panels(whole)
        return self
