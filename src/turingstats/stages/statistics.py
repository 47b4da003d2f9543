"""The tables of statistics/ that are computed from judgments or ratings without a model of single verdicts.

To add a table, add a function under `makes` and the table's name to the plan of a study
(`turingstats.workflow.verdicts_plan`). Functions run in processes of their own, in no order.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from turingstats.analysis import (
    agreement,
    breakdowns,
    codes,
    detector_scores,
    genders,
    graded_verdicts,
    judge_tests,
    machine_judges,
    message_lengths,
    ordinal_models,
    people_and_machines,
    responses,
    sample,
    scales,
    signal_models,
    texts,
)
from turingstats.analysis.comparisons.compare import run_comparisons
from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.analysis.headline_cohorts import list_headlines
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.graded import CohortGrades
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.labels import find_alpha
from turingstats.core.parallel import call_in_parallel
from turingstats.data import counts
from turingstats.rankings.analysis import analyze_pairs
from turingstats.ratings.analysis import analyze_ratings
from turingstats.ratings.arrays import build_rating_arrays, read_item_list
from turingstats.stats import equivalence


@dataclass(frozen=True)
class Cleaned:
    """The cleaned data of a study, read when they are needed, and the settings of its statistics."""

    study: Study
    folder: Path
    """Tables of judgments, judges, responses, counts and groups; or of ratings, items and distances."""
    options: AnalysisSettings
    grades: CohortGrades
    """Graded verdicts by task and cohort."""
    published: Path
    """Folder of what the paper prints."""

    def read(self, name: str, columns: list[str] | None = None) -> pd.DataFrame:
        """Read a table."""
        return files.read_frame(self.folder / name, columns)

    counts = cached_property(lambda self: self.read("counts.parquet"))
    """Verdicts by judge, stimulus and agent."""
    groups = cached_property(lambda self: self.read("groups.csv"))
    """Demographic groups of judges."""
    judges = cached_property(lambda self: self.read("judges.parquet"))
    """One row per judge."""
    judgments = cached_property(lambda self: self.read("judgments.parquet"))
    """One row per verdict."""
    people = cached_property(lambda self: counts.map_judges_to_people(self.judges))
    """The person behind each judge, where that is known."""
    responses = cached_property(lambda self: self.read("responses.parquet"))
    """What was judged."""

    @property
    def level(self) -> float:
        """Level of intervals."""
        return self.options["confidence"]

    @property
    def correction(self) -> str | None:
        """How families that no study file declares are corrected."""
        return self.options["correction"]


Tables = dict[str, pd.DataFrame]
MAKERS: dict[Callable[[Cleaned], Tables], tuple[str, ...]] = {}
"""Functions and the tables that they return, the longest first."""


def makes(*tables: str) -> Callable:
    """Register a function that returns these tables of verdicts by name."""

    def register(function: Callable[[Cleaned], Tables]) -> Callable[[Cleaned], Tables]:
        MAKERS[function] = tables
        return function

    return register


def align_ratings(cleaned: Cleaned) -> Tables:
    """Compute all tables of ratings of similarity."""
    items = read_item_list(cleaned.folder / "items.csv")
    arrays = build_rating_arrays(cleaned.read("ratings.parquet"), cleaned.study, items)
    distances = cleaned.read("distances.parquet")
    return analyze_ratings(cleaned.study, items, arrays, distances, cleaned.options)


def rank_agents(cleaned: Cleaned) -> Tables:
    """Compute all tables of comparisons of agents."""
    return analyze_pairs(cleaned.read("comparisons.parquet"), cleaned.study, cleaned.options)


@makes("tests")
def compare(cleaned: Cleaned) -> Tables:
    """Run the declared tests."""
    # Agents' scores from the literature, which few papers have.
    scores = cleaned.published / "benchmarks.csv"
    benchmarks = files.read_frame(scores) if scores.exists() else None
    counted, groups, answers = cleaned.counts, cleaned.groups, cleaned.responses
    table = run_comparisons(counted, groups, cleaned.study, cleaned.options, benchmarks, answers)
    return {"tests": table}


@makes("ratings", "ordinal_models")
def measure_ratings(cleaned: Cleaned) -> Tables:
    """Measure ratings and detectors' scores, and model ratings by agent."""
    level = cleaned.level
    graded = graded_verdicts.list_graded(
        cleaned.judgments, cleaned.study, cleaned.grades, cleaned.people
    )
    ratings = graded_verdicts.measure_ratings(graded, level)
    scores = detector_scores.measure_scores(graded, level)
    return {
        "ratings": pd.concat([ratings, scores], ignore_index=True),
        "ordinal_models": ordinal_models.fit_ordinal_models(graded, level, cleaned.correction),
    }


@makes("sample", "agreement", "stimuli", "machine_judges")
def describe_judges(cleaned: Cleaned) -> Tables:
    """Describe who judged what, how judges agree, and how often each response passed."""
    study, level = cleaned.study, cleaned.level
    judgments = cleaned.read("judgments.parquet", responses.NEEDED)
    verdicts = responses.select_first_verdicts(judgments, study, cleaned.people)
    return {
        "sample": sample.describe_sample(
            judgments, cleaned.judges, cleaned.groups, study, cleaned.people
        ),
        "agreement": agreement.measure_agreement(verdicts, study, cleaned.options),
        "stimuli": responses.tabulate_responses(verdicts, level),
        "machine_judges": machine_judges.compare_machine_judges(
            verdicts, study, level, cleaned.correction
        ),
    }


@makes("people_and_machines")
def compare_with_machines(cleaned: Cleaned) -> Tables:
    """Compare people and machine judges of the same responses."""
    judgments = cleaned.read("judgments.parquet", responses.NEEDED)
    verdicts = responses.select_first_verdicts(judgments, cleaned.study, cleaned.people)
    table = people_and_machines.compare_people_with_machines(
        verdicts, cleaned.responses, cleaned.study, cleaned.options
    )
    return {"people_and_machines": table}


@makes("estimates", "equivalence")
def estimate(cleaned: Cleaned) -> Tables:
    """Estimate rates and detectability, and whether agents are equivalent to people or chance."""
    estimates = estimate_rates(cleaned.counts, cleaned.groups, cleaned.study, cleaned.options)
    judged = equivalence.assess_agents(estimates, cleaned.options)
    headlines = list_headlines(cleaned.study, judged)
    judged = equivalence.correct_conclusions(judged, find_alpha(cleaned.level), headlines)
    return {"estimates": estimates, "equivalence": judged}


@makes("texts")
def measure_texts(cleaned: Cleaned) -> Tables:
    """Measure the texts of people and models."""
    return {"texts": texts.tabulate_text_measures(cleaned.responses, cleaned.study, cleaned.level)}


@makes("lengths")
def measure_lengths(cleaned: Cleaned) -> Tables:
    """Measure messages of machines relative to those of people."""
    return {
        "lengths": message_lengths.measure_message_lengths(
            cleaned.judgments, cleaned.responses, cleaned.study, cleaned.options
        )
    }


@makes("breakdowns", "judge_tests")
def break_down(cleaned: Cleaned) -> Tables:
    """Compute accuracy by groups of judges and properties of trials, and d' by demographics."""
    parts = cleaned.judgments, cleaned.groups, cleaned.study, cleaned.level
    return {
        "breakdowns": breakdowns.measure_breakdowns(*parts),
        "judge_tests": judge_tests.compare_judge_groups(*parts, cleaned.correction),
    }


@makes("signal_models")
def model_signals(cleaned: Cleaned) -> Tables:
    """Fit signal detection as a mixed model."""
    graded = []
    if cleaned.grades:
        graded = graded_verdicts.list_graded(
            cleaned.judgments, cleaned.study, cleaned.grades, cleaned.people
        )
    table = signal_models.model_signals(
        cleaned.judgments, cleaned.study, cleaned.people, graded, cleaned.level
    )
    return {"signal_models": table}


@makes("scales")
def measure_scales(cleaned: Cleaned) -> Tables:
    """Measure ratings given beside the verdict."""
    table = scales.measure_scales(cleaned.judgments, cleaned.study, cleaned.people, cleaned.level)
    return {"scales": table}


@makes("codes")
def count_codes(cleaned: Cleaned) -> Tables:
    """Compute frequency, accuracy and mean game index of the codes of strategies and reasons."""
    schemes = {
        name: codes.read_scheme(cleaned.published / declared.scheme)
        for name, declared in cleaned.study.codes.items()
        if declared.scheme
    }
    table = codes.measure_codes(cleaned.judgments, cleaned.study, schemes, cleaned.level)
    return {"codes": table}


@makes("genders")
def count_genders(cleaned: Cleaned) -> Tables:
    """Count the genders that judges attributed to the speakers."""
    table = genders.measure_perceived_genders(
        cleaned.judgments, cleaned.groups, cleaned.study, cleaned.level
    )
    return {"genders": table}


def write_statistics(cleaned: Cleaned, paths: Collection[str], data: str, workers: int) -> None:
    """Compute and write tables of statistics/, as the names of `paths` say; `data` is the label of every
    result.
    """
    wanted = {Path(path).stem: path for path in paths}
    alone = {"ratings": align_ratings, "pairs": rank_agents}.get(cleaned.study.design)
    makers = {alone: tuple(wanted)} if alone else MAKERS
    jobs = [
        (maker, cleaned, {name: wanted[name] for name in tables if name in wanted}, data)
        for maker, tables in makers.items()
        if not wanted.keys().isdisjoint(tables)
    ]
    for rows in call_in_parallel(write_tables, jobs, workers):
        for name, number in rows.items():
            print(f"{name}: {number} rows")


def write_tables(
    maker: Callable[[Cleaned], Tables], cleaned: Cleaned, paths: dict[str, str], data: str
) -> dict[str, int]:
    """Write the tables of a function, and return their numbers of rows."""
    tables = maker(cleaned)
    for name, path in paths.items():
        files.write_frame(tables[name].assign(data=data), path)
    return {name: len(tables[name]) for name in paths}
