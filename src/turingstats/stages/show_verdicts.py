"""What is shown of a study of verdicts: the numbers of each figure, and the tables."""

from collections.abc import Callable, Iterable
from typing import Any

import pandas as pd

from turingstats.analysis import judge_spread, printed_rates, published_counts
from turingstats.analysis.models.asked import read_fit_summaries
from turingstats.analysis.models.counterparts import build_counterparts
from turingstats.config import llm_figure
from turingstats.config.settings import LanguageModels
from turingstats.config.study import GenderTable, RateTable, ShownTable, Study
from turingstats.core.data_labels import PRINTED_COUNTS
from turingstats.core.templating import TITLES
from turingstats.data.absence import explain_absence
from turingstats.figures import model_source_data, source_data
from turingstats.stages.results import Results
from turingstats.tables import (
    judges,
    models,
    people_and_machines,
    rates,
    rating_summary,
    writer,
)

MADE: dict[str, Callable[[pd.DataFrame, Study], pd.DataFrame]] = {
    "what_changes": models.tabulate_changes,
    "equivalence": models.tabulate_equivalence,
    "model_contrasts": models.tabulate_contrasts,
    "sample": judges.summarize_cohorts,
    "agreement": judges.tabulate_agreement,
    "scales": rating_summary.tabulate_scales,
    "signal_models": judges.tabulate_signals,
}
"""What makes the tables that the study file does not name, from the table of statistics/ of that name."""


# --- statistics of what the paper prints, and of its tests --------------------------------------


def compare_with_models(results: Results) -> None:
    """Compare published tests with contrasts of the fitted models that ask the same questions."""
    asked = read_fit_summaries(results.folder / "statistics/fits.json")
    tests = results.read_statistics("tests")
    table = build_counterparts(results.study, asked, tests, results.level)
    results.write_statistics("what_changes", table.assign(data=results.data))


def count_published(results: Results, equivalence: dict[str, Any], correction: str | None) -> None:
    """Compute rates and contrasts from the counts that a paper prints, and the same from judgments."""
    study, level, data = results.study, results.level, results.data
    path = results.published / "counts.csv"
    printed = published_counts.read_counts(path, study.agents)
    table = published_counts.estimate_printed_rates(printed, study, level)
    observed = published_counts.count_observed_verdicts(
        results.read_statistics("estimates"), study.subsets, results.reading
    )
    at_hand = published_counts.estimate_observed_rates(observed, study, level, data)
    contrasts = [
        published_counts.compute_contrasts(
            table, study.contrasts, study, level, correction=correction
        ),
        published_counts.compute_contrasts(
            observed, study.contrasts, study, level, "judgments", data, correction
        ),
    ]
    whole = table[table["subset"] == next(iter(study.subsets))]
    judged = published_counts.judge_equivalence(whole, study, equivalence)
    results.write_statistics("success_rates", pd.concat([table, at_hand], ignore_index=True))
    results.write_statistics("contrasts", pd.concat(contrasts, ignore_index=True))
    results.write_statistics("printed_equivalence", judged)


def list_printed_rates(results: Results) -> None:
    """List printed rates with the counts that can be inferred from them."""
    labels = {key: agent.label for key, agent in results.study.agents.items()}
    printed, design = map(results.read_published, ("pass_rates", "design"))
    table = printed_rates.measure_printed_rates(printed, design, results.level, labels)
    results.write_statistics("printed_rates", table.assign(data=PRINTED_COUNTS))


# --- numbers of figures -------------------------------------------------------------------------


def collect_picked(results: Results, listed: Iterable[str]) -> dict[str, Any]:
    """Collect the results from which numbers of panels are picked; see `show_results`."""
    names = ("estimates", "tests", "sizes", *listed)
    picked: dict[str, Any] = {name: results.read_statistics(name) for name in names}
    picked |= {name: results.read(f"data/{name}.parquet") for name in ("counts", "responses")}
    return picked | {
        "missing": results.read("data/missing.csv"),
        "evaluation": results.read_if_made("judges/evaluation"),
        "benchmarks": results.read_published("benchmarks"),
        "printed": results.read_published("notebooks"),
    }


def select_numbers(
    name: str, results: Results, picked: dict[str, Any], settings: dict[str, Any]
) -> pd.DataFrame:
    """Select the numbers that a figure shows."""
    study, reading, level, data = results.study, results.reading, results.level, results.data
    statistics = results.read_statistics
    match name:
        case _ if name in study.figures:
            return source_data.select_figure_data(name, study, picked, reading, level, data)
        case "judge_spread":
            return judge_spread.tabulate_judge_shares(picked["counts"], study, reading, level, data)
        case "audit":
            return source_data.select_audit(results.read("judges/audit.csv"), study)
        case "people_and_machines":
            return people_and_machines.list_pairs(statistics(name), study, level, data)
        case "llm":
            return select_language_models(results, picked, LanguageModels(**settings["llm"]))
        case "forest":
            table = model_source_data.select_forest(
                statistics("models"), statistics("estimates"), statistics("equivalence"), study
            )
        case "abilities":
            table = model_source_data.select_abilities(
                statistics("random_effects"), statistics("models"), statistics("equivalence"), study
            )
        case "equivalence":
            table = model_source_data.select_equivalence(statistics("equivalence"), study)
            table = table.assign(power=settings["equivalence"]["power"])
    return table.assign(level=level, data=data)


def select_language_models(
    results: Results, picked: dict[str, Any], settings: LanguageModels
) -> pd.DataFrame:
    """Select the numbers of the figure of language models as judges."""
    answers = results.read_if_made("llm/answers")
    study = llm_figure.add_llm_figure(results.study, settings, answers)
    return source_data.select_figure_data(
        "llm", study, picked, results.reading, results.level, results.data
    )


# --- tables -------------------------------------------------------------------------------------


def write_paper_tables(results: Results) -> None:
    """Fill the tables of the paper."""
    study, reading = results.study, results.reading
    estimates, sizes, texts = map(results.read_statistics, ("estimates", "sizes", "texts"))
    missing = results.read("data/missing.csv")
    for name, table in study.tables.items():
        title, data = table.title, results.data
        if isinstance(table, RateTable):
            lengths = results.read_if_made("statistics/lengths")
            frame = rates.build_pass_rates(table, study, estimates, lengths, reading)
        elif isinstance(table, GenderTable):
            title = f"{title}. {table.note}".rstrip(". ")
            of_task = missing[missing["task"] == table.task]
            lacking = explain_absence(of_task[of_task["cohort"].notna()])
            shares = results.read_if_made("statistics/genders")
            frame = rates.build_gender_table(table, study, shares, lacking, reading)
        else:
            counted = results.read_if_made("statistics/success_rates")
            frame = writer.build_table(
                name, study, estimates, sizes, texts, missing, reading, counted
            )
        if isinstance(table, ShownTable) and table.shows == "success_rates":
            data = PRINTED_COUNTS if table.source == PRINTED_COUNTS else data
        results.write_table(name, frame, title, data=data)


def write_made_table(name: str, results: Results) -> None:
    """Fill a table that the study file does not name."""
    study, read, reading = results.study, results.read_statistics, "recommended"
    if name in MADE:
        table = MADE[name](read(name), study)
        reading = "published and recommended" if name == "what_changes" else reading
    elif name == "people_and_machines":
        pairs = people_and_machines.list_pairs(read(name), study, results.level, results.data)
        table = people_and_machines.tabulate_pairs(pairs)
    else:
        reading = results.reading
        table = rating_summary.tabulate_ratings(
            read("ratings"), read("ordinal_models"), study, reading
        )
    results.write_table(name, table, TITLES[name], reading)


def show_results(
    results: Results,
    figures: Iterable[str],
    tables: Iterable[str],
    listed: Iterable[str],
    settings: dict[str, Any],
    notes: dict[str, Any],
) -> None:
    """Write everything that is shown of a study, except pictures; `tables` are those that the study file does
    not name, `listed` those that panels of figures name, and `notes` as for `write_inventory`.
    """
    compare_with_models(results)
    if "statistics/success_rates" in results.made:
        equivalence = settings["equivalence"] | {"confidence": results.level}
        count_published(results, equivalence, settings["correction"])
    if "statistics/printed_rates" in results.made:
        list_printed_rates(results)
    picked = collect_picked(results, listed)
    for name in figures:
        table = select_numbers(name, results, picked, settings)
        source_data.write_source_data(table, results.folder / f"figures/{name}.csv")
        print(f"figure {name}: {len(table)} numbers")
    results.write_inventory(notes)
    write_paper_tables(results)
    for name in tables:
        write_made_table(name, results)
