"""Graded verdicts: ratings on a scale of points, and scores of detectors, each with the verdict it means."""

import itertools
import math
import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, TypedDict

from pydantic import BeforeValidator, field_validator

from turingstats.core.errors import ConfigError
from turingstats.core.yaml_models import Model, make_list

ALL_DETECTORS = "all"
"""Cohort of the means over the detectors of a task."""

NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)"
RANGE = re.compile(rf"({NUMBER})\s*(?:-|–|to)\s*({NUMBER})")
COMPARISON = re.compile(rf"(>=|<=|>|<)\s*({NUMBER}(?:[eE][+-]?\d+)?)")
MOST_POINTS = 1001
"""Maximum number of points of a scale; more suggest a mistyped range."""
STEPS = 100
"""Steps into which a slider without points is divided to count its ratings."""


def parse_point(text: str) -> int | float:
    """Parse a point of a scale: a whole number, or with a decimal point one of a slider."""
    return float(text) if "." in text else int(text)


def expand_points(described: Any) -> list[int | float]:
    """Expand points of a scale: whole numbers and ranges such as "1-3", "-3 - -1" or "1 to 3".

    A range with decimals, such as "0.5-1", stays its two ends.
    """
    points: list[int | float] = []
    for part in make_list(described):
        text = str(part).strip()
        match = RANGE.fullmatch(text)
        if match:
            low, high = map(parse_point, match.groups())
            is_slider = isinstance(low, float) or isinstance(high, float)
            if not low < high or (high >= low + MOST_POINTS and not is_slider):
                raise ValueError(f"{text!r} is not a range from a smaller to a larger point")
            points += [float(low), float(high)] if is_slider else range(int(low), int(high) + 1)
        elif not isinstance(part, bool) and re.fullmatch(NUMBER, text):
            points.append(parse_point(text))
        else:
            raise ValueError(f"{text!r} is neither a number nor a range such as 1-3 or 0.5-1")
    return points


Points = Annotated[tuple[int | float, ...], BeforeValidator(expand_points)]


class Graded(Model):
    """A column of ratings or scores."""

    column: str
    """Column of the table, such as answer or p_fake."""


class Rating(Graded):
    """Ratings on a scale, and the verdict that each point means."""

    human: Points
    """Points that mean a person: whole numbers, or ranges such as 1-3; of a slider without points a range
    with decimals, such as 0.5-1."""
    unsure: Points = ()
    """Points between the others that mean neither, such as 4; where ranges of a slider meet, it is unsure,
    too."""
    machine: Points
    """Points that mean a machine, such as 5-7, all above or all below those of `human`."""

    def list_faults(self) -> Iterator[str]:
        """Check that every point of the scale has exactly one meaning, in one direction."""
        if not self.human or not self.machine:
            yield "a rating needs points that mean human and points that mean machine"
        classes = [part for part in (self.human, self.unsure, self.machine) if part]
        ordered = classes if self.rises else classes[::-1]
        if self.is_slider:
            meet = all(below[-1] == above[0] for below, above in itertools.pairwise(ordered))
            if not meet or any(len(part) != 2 for part in classes):
                yield "ranges of a slider meet at their ends, such as human: 0.5-1 and machine: 0-0.5"
            return
        listed = sorted(point for part in classes for point in part)
        for point in range(int(listed[0]), int(listed[-1]) + 1):
            if (number := listed.count(point)) != 1:
                yield (
                    f"{point} has {'two meanings' if number else 'no meaning'}: every whole number from "
                    f"{listed[0]} to {listed[-1]} belongs to one of human, unsure and machine"
                )
        for below, above in itertools.pairwise(ordered):
            if max(below) > min(above):
                yield "the points do not go from human over unsure to machine, in either direction"

    @property
    def rises(self) -> bool:
        """Whether larger points mean a machine."""
        return min(self.machine) > min(self.human)

    @property
    def is_slider(self) -> bool:
        """Whether the scale has no points."""
        return any(isinstance(point, float) for point in (*self.human, *self.unsure, *self.machine))

    @property
    def ends(self) -> tuple[int | float, int | float]:
        """The lowest and the highest point of the scale."""
        points = (*self.human, *self.unsure, *self.machine)
        return min(points), max(points)

    @property
    def points(self) -> tuple[int | float, ...]:
        """All points of the scale, in increasing order; of a slider a hundredth of it apart."""
        if self.is_slider:
            low, high = self.ends
            return tuple(low + (high - low) * step / STEPS for step in range(STEPS + 1))
        return tuple(sorted([*self.human, *self.unsure, *self.machine]))

    def interpret(self, rating: float) -> str:
        """Interpret a rating as human, unsure or machine.

        Between two points it means what the nearer one does; halfway between different meanings, and where
        ranges of a slider meet, it is unsure.
        """
        below, above = (rating, rating)
        if not self.is_slider:
            below, above = math.ceil(rating - 0.5), math.floor(rating + 0.5)
        points_of = {"human": self.human, "unsure": self.unsure, "machine": self.machine}
        meanings = {
            verdict
            for verdict, points in points_of.items()
            if points and any(min(points) <= point <= max(points) for point in (below, above))
        }
        return meanings.pop() if len(meanings) == 1 else "unsure"


class Score(Graded):
    """Scores of detectors, and those that mean a machine."""

    machine: str
    """Scores that mean a machine: `>=`, `>`, `<=` or `<` and the threshold, such as ">= 0.5"."""

    @field_validator("machine")
    @classmethod
    def check_comparison(cls, said: str) -> str:
        """Check that the key is a comparison with a number."""
        if not COMPARISON.fullmatch(said.strip()):
            raise ValueError(f'{said!r} is not a comparison with a number, such as ">= 0.5"')
        return said.strip()

    @property
    def sign(self) -> str:
        """The sign of the comparison."""
        return self.machine.rstrip("0123456789.eE+- ")

    @property
    def threshold(self) -> float:
        """The score at which the verdict changes."""
        return float(self.machine.removeprefix(self.sign))

    @property
    def rises(self) -> bool:
        """Whether larger scores mean a machine."""
        return self.sign.startswith(">")


class Grades(TypedDict):
    """What the graded verdicts of a cohort are."""

    kind: Literal["rating", "score"]
    points: list[float]
    """Points of the scale of ratings, of a slider a hundredth of it apart; none for scores."""


CohortGrades = dict[str, dict[str, Grades]]
"""By task and cohort (`all` for a table that names its cohorts), what is graded."""


def list_grades(files: Iterable[Any]) -> CohortGrades:
    """List the cohorts with graded verdicts; files of a cohort with different scales are an error."""
    listed: CohortGrades = {}
    for file in files:
        if file.rating or file.score:
            grades = Grades(kind="score", points=[])
            if file.rating:
                grades = Grades(kind="rating", points=[*file.rating.points])
            declared = listed.setdefault(file.task, {}).setdefault(file.cohort or "all", grades)
            if declared != grades:
                problem = (
                    f"data/sources: {file.path}: another file of its cohort has a different scale"
                )
                raise ConfigError(problem, fix="give each scale a cohort of its own")
    return listed
