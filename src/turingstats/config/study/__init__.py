"""The model of a study file of verdicts (`config/studies/*.yaml`): judges, tasks and analyses."""

from turingstats.config.study.base import (
    AnyStudy,
    GenderTable,
    Part,
    RateTable,
    ShownTable,
)
from turingstats.config.study.figures import Figure, check_layout
from turingstats.config.study.models import VerdictModel
from turingstats.config.study.task import (
    Agent,
    Codes,
    Cohort,
    Defect,
    Filter,
    Response,
    Task,
    Texts,
    Trained,
)
from turingstats.config.study.tests import Comparison, CountContrast, Procedure
from turingstats.config.study.verdicts import Additions, Study

__all__ = [
    "Additions",
    "Agent",
    "AnyStudy",
    "Codes",
    "Cohort",
    "Comparison",
    "CountContrast",
    "Defect",
    "Figure",
    "Filter",
    "GenderTable",
    "Part",
    "Procedure",
    "RateTable",
    "Response",
    "ShownTable",
    "Study",
    "Task",
    "Texts",
    "Trained",
    "VerdictModel",
    "check_layout",
]
