"""The model of a study file (`config/studies/*.yaml`): judges, tasks and analyses."""

from turingstats.config.study.base import AlignmentTable, GenderTable, Part, RateTable, ShownTable
from turingstats.config.study.panels import Figure
from turingstats.config.study.study_file import Additions
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
from turingstats.config.study.tests import (
    AlignmentTest,
    Comparison,
    CountContrast,
    Procedure,
    Sample,
    VerdictModel,
)
from turingstats.config.study.verdicts import Study
