"""Run the declared tests of a study, and correct their p values by family."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd

from turingstats.analysis.comparisons import crossed, shared_people
from turingstats.analysis.comparisons.registry import DeclaredTest, Question, collect_tests
from turingstats.analysis.comparisons.samples import Source
from turingstats.analysis.comparisons.shared_people import ResolvedGroups
from turingstats.analysis.headline_cohorts import ask_who_judges
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Procedure, Study
from turingstats.core.code_dependencies import import_modules
from turingstats.core.errors import ConfigError
from turingstats.core.names import VS, join_names
from turingstats.data import schema
from turingstats.stats import multiplicity

TESTS = collect_tests(*import_modules("turingstats.analysis.comparisons"))
"""All tests that a study can declare, by name: those of the modules of this folder."""


def run_comparisons(
    counts: pd.DataFrame,
    groups: pd.DataFrame,
    study: Study,
    config: AnalysisSettings,
    benchmarks: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Run every declared test in both readings, and the recommended ones of who judges.

    A test whose cohort has no data has no row. `benchmarks` are scores of agents from the literature (agent,
    measure, value); tests of agreement need `responses`.
    """
    rows = []
    sources: dict[str, Source] = {
        reading: Source(
            counts[counts["reading"] == reading], groups[groups["reading"] == reading], study
        )
        for reading in study.readings
    }
    agents = counts.groupby(["task", "cohort"])["agent"].unique().to_dict()
    comparisons = (*study.comparisons, *ask_who_judges(study, agents))
    # An alternative is another test of the counts of the published reading.
    for reading in (*study.readings, "alternative"):
        source = sources[study.readings[0] if reading == "alternative" else reading]
        for comparison in comparisons:
            procedure = getattr(comparison, reading)
            if procedure is None:
                continue
            declared = TESTS[procedure.test]
            question = Question(
                comparison,
                procedure,
                reading,
                config,
                family_size=count_family(study, reading, procedure),
                source=source,
                benchmarks=benchmarks,
                responses=responses,
            )
            rows += run_comparison(question, declared, sources.get("published"))
    table = pd.DataFrame(rows).reindex(columns=schema.RESULTS["tests"])
    return adjust_families(table)


def run_comparison(
    question: Question, declared: DeclaredTest, published: Source | None
) -> Iterator[dict[str, Any]]:
    """Run the test of a comparison in one reading; yields rows, none without data."""
    settled = find_compared_groups(question, declared)
    if settled is None:
        return
    comparison, procedure, reading = question.comparison, question.procedure, question.reading
    shared = {
        "comparison": comparison.id,
        "study": question.source.study.study,
        "task": comparison.task,
        "cohort": join_names(comparison.cohorts, VS) or "responses",
        "quantity": comparison.quantity or "agreement",
        "test": declared.paired if settled.paired else declared.name,
        "reading": reading,
        "family": procedure.family,
        "family_size": procedure.family_size,
        "correction": procedure.correction if procedure.family else "none",
        "note": "; ".join(filter(None, [comparison.note, settled.note])),
    }
    question = replace(question, samples=settled.samples, paired=settled.paired)
    companions, before = {}, {}
    if reading == "recommended" and declared.unit == "judge" and declared.takes_groups:
        companions = crossed.list_companions(question)
        before = assess_published_trials(question, declared, published)
    for compared, outcome in declared(question):
        dropped = "; ".join(filter(None, [settled.dropped, outcome.dropped]))
        columns = vars(outcome) | {"dropped": dropped, "unit": outcome.unit or declared.unit}
        identity = question.make_id(compared)
        columns |= companions.get(identity, {})
        columns["p_published_trials"] = before.get(identity, float("nan"))
        about = {"agent": question.find_agent(compared), "group": compared.group}
        yield shared | {"test_id": identity, "groups": compared.groups} | about | columns


def count_family(study: Study, reading: str, procedure: Procedure) -> int:
    """Count the tests of a family that the study declares, or says that it has."""
    if procedure.family is None:
        return 1
    declared = [(c, getattr(c, reading)) for c in study.comparisons]
    members = [c for c, other in declared if other and other.family == procedure.family]
    return max(procedure.family_size or 1, sum(len(c.agents) for c in members))


def assess_published_trials(
    question: Question, declared: DeclaredTest, published: Source | None
) -> dict[str, float]:
    """Ask a recommended test's question of the trials of the published reading, with errors over judges.

    Returns p by id of the test.
    """
    if published is None or question.comparison.published is None:
        return {}
    again = replace(question, source=published)
    settled = find_compared_groups(again, declared)
    if settled is None:
        return {}
    again = replace(again, samples=settled.samples, paired=settled.paired)
    assessed = crossed.assess_compared(again, over=["judges"])
    return {identity: tests["judges"].p for identity, _, tests in assessed}


def find_compared_groups(question: Question, declared: DeclaredTest) -> ResolvedGroups | None:
    """Find the groups of judges that a test compares, with no person counted twice; None without data."""
    comparison = question.comparison
    if comparison.rows and not declared.takes_rows:
        able = ", ".join(sorted(test.name for test in TESTS.values() if test.takes_rows))
        raise ConfigError(
            f"comparisons.{comparison.id}: {declared.name} does not compare rows; use one of {able}"
        )
    if not declared.takes_groups:
        return shared_people.ResolvedGroups({})
    samples = question.source.select_samples(comparison)
    if samples is None:
        return None
    cohorts = question.source.study.tasks[comparison.task].cohorts
    people = all(cohorts[name].judge_kind == "human" for name in comparison.cohorts)
    compared = declared.needs == "groups" and len(samples) > 1
    compared = compared and not comparison.rows and comparison.against is None
    if question.reading != "recommended" or not (people and compared):
        return shared_people.ResolvedGroups(samples)
    settled = shared_people.separate_shared_people(samples, declared.paired is not None)
    if len(comparison.cohorts) > 1 and not shared_people.has_common_registers(samples):
        note = "; ".join(filter(None, [settled.note, shared_people.UNKNOWN]))
        return settled._replace(note=note)
    return settled


def adjust_families(table: pd.DataFrame) -> pd.DataFrame:
    """Correct p values within each family and reading; a family may be declared larger than its tests.

    `p_fdr` is Benjamini and Hochberg's, over all tests of a task in a reading, for exploration: the same in a
    run of that task alone.
    """
    table = table.astype({"p_adjusted": float, "p_fdr": float, "family_size": "Int64"})
    for _, p in table["p"].dropna().groupby([table["reading"], table["task"]]):
        table.loc[p.index, "p_fdr"] = multiplicity.adjust_p_values(p, "fdr_bh")
    for _, members in table[table["family"].notna()].groupby(["family", "reading"]):
        available = members["p"].notna().sum()
        size = int(max(available, members["family_size"].fillna(0).max()))
        correction = members["correction"].iloc[0]
        adjusted = multiplicity.adjust_p_values(members["p"].to_numpy(float), correction, size)
        table.loc[members.index, "p_adjusted"] = adjusted
        table.loc[members.index, "family_size"] = size
    return table
