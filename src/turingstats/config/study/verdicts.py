"""The model of a study whose parts fit together."""

from collections.abc import Iterator

from turingstats.config.study import checks
from turingstats.config.study.study_file import Additions, StudyFile


class Study(StudyFile):
    """A study: judges say whether people or machines made responses, or people and machines rate how similar
    two items are."""

    def list_faults(self) -> Iterator[str]:
        """Check that all names used in the parts of a study are defined."""
        for name in Additions.model_fields:
            if getattr(self, name) and getattr(self.add, name):
                yield f"add.{name} joins the default {name}, which {name} replaces: keep one of the two"
        added = {"comparisons": (*self.comparisons, *self.add.comparisons)}
        whole = self.model_copy(update=added | {"figures": self.figures | self.add.figures})
        yield from checks.list_faults(whole)
