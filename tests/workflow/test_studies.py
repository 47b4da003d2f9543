"""Each study beside zhang2025, end to end: its numbers are those accepted, and all of it is made."""

import json

import pandas as pd
import pytest
from project import ROOT, STUDIES, fail_unless_accepted, read_study

# Of every study of verdicts.
SAME = "agreement machine_judges model_contrasts sample stimuli wins"
STATISTICS = {
    "turingrsa": "agreement alignment individuals map printed_alignments sizes tests",
    "xturing": f"""{SAME} equivalence estimates lengths models printed_rates protocol random_effects
        signal_detection sizes tests texts what_changes""",
    "jones2024": f"""{SAME} breakdowns codes contrasts equivalence estimates judge_tests models
        printed_equivalence protocol random_effects signal_detection sizes success_rates tests texts
        what_changes""",
    "zhang2022": f"""{SAME} across_tasks equivalence estimates genders models protocol random_effects
        signal_detection sizes tests texts what_changes""",
}
DATA_OF_RATINGS = """distances.parquet exclusions.csv items.csv missing.csv provenance.json ratings.parquet
    sources.csv"""
DATA_OF_VERDICTS = """counts.parquet exclusions.csv flags.csv groups.csv judges.parquet judgments.parquet
    left_out.csv missing.csv provenance.json raw_judgments.parquet reading_notes.csv record_checks.csv
    responses.parquet sources.csv"""
# Made of each study beside the figures and tables that its file declares.
FIGURES = {
    "turingrsa": "",
    "xturing": "exclusions judge_spread signal",
    "jones2024": "equivalence exclusions forest judge_spread signal",
    "zhang2022": "across_tasks exclusions judge_spread signal",
}
TABLES = {
    "turingrsa": "",
    "xturing": "agreement equivalence model_contrasts sample",
    "jones2024": "agreement equivalence model_contrasts sample what_changes",
    "zhang2022": "across_tasks agreement equivalence sample versions",
}
LEDGER = """answers.html claims.csv claims_overview.csv claims_overview.png consistency.csv index.html
    notebooks.html panels.csv settings.csv summary.csv summary.html"""
WITHOUT_ROWS = {
    "turingrsa": {"claims/panels.csv", "data/missing.csv"},
    # Its judges choose between two, which no model, d' or measure of texts is of.
    "xturing": {
        "claims/panels.csv",
        "data/record_checks.csv",
        "data/left_out.csv",
        "data/reading_notes.csv",
        "data/missing.csv",
        "statistics/equivalence.csv",
        "statistics/texts.csv",
        "statistics/what_changes.csv",
        "tables/equivalence.csv",
    },
    "jones2024": {
        "claims/panels.csv",
        "data/left_out.csv",
        "data/reading_notes.csv",
        "data/missing.csv",
        "statistics/machine_judges.csv",
        "statistics/stimuli.csv",
        "statistics/texts.csv",
    },
    "zhang2022": {
        "data/left_out.csv",
        "data/reading_notes.csv",
        "figures/across_tasks.csv",
        "statistics/across_tasks.csv",
        "statistics/model_contrasts.csv",
        "statistics/models.csv",
        "statistics/random_effects.csv",
        "statistics/what_changes.csv",
        "tables/across_tasks.csv",
    },
}
# No two agents are judged on the same stimulus by the same judge: one row says so.
NO_WINS = """agent ci_high ci_low correction family_size judges_against judges_for losses method n_judges
    other p p_adjusted share ties unit wins"""
CROSSED = "crossed_statistic crossed_df p_independent p_judges p_stimuli p_crossed"
DRAWS = "statistic_low statistic_high p_low p_high"
# Columns without a value, by table and in any order.
EMPTY = {
    "turingrsa": {
        "claims/consistency": "finding",
        "data/sources": "cohort",
        "statistics/tests": f"""cohort quantity n_per_group df family ci_low ci_high dropped
            p_published_test {CROSSED} {DRAWS}""",
    },
    "xturing": {
        "claims/consistency": "finding given",
        "data/exclusions": "reason",
        "data/sources": "cohort",
        "report/findings": "people_called_human machines_called_human",
        "statistics/machine_judges": "dropped note",
        "statistics/stimuli": "side",
        "statistics/wins": NO_WINS,
        "statistics/models": "dropped notes",
        "statistics/signal_detection": """detectability d_prime d_prime_se d_prime_low d_prime_high
            criterion criterion_se criterion_low criterion_high note""",
        "statistics/tests": f"n2 df note p_published_test {DRAWS}",
    },
    "jones2024": {
        "claims/consistency": "given",
        "statistics/models": "notes",
        "statistics/agreement": "ci_high ci_low dropped method se value",
        "statistics/equivalence": """both_for_equivalence n_stimuli stimuli_for_equivalence
            trials_for_equivalence""",
        "statistics/estimates": "n_stimuli se_stimuli",
        "statistics/tests": f"n2 df dropped note {CROSSED} {DRAWS}",
        "statistics/what_changes": "crossed_moved_by crossed_p df independent_p mixed_moved_by notes",
        "statistics/wins": NO_WINS,
        "tables/agreement": ["Fleiss' kappa", "Pairs that agree"],
        "tables/equivalence": ["Stimuli now"],
        "tables/what_changes": [
            *("Through", "Through, judges and stimuli", "Why no model"),
            *("p, independent verdicts", "p, judges and stimuli"),
        ],
    },
    "zhang2022": {
        "claims/consistency": "given",
        "statistics/tests": f"note p_published_test {CROSSED} {DRAWS}",
    },
}
SOURCES = {
    "turingrsa": "demo",
    "xturing": "demo",
    "jones2024": "demo",
    "zhang2022": "observed",
}

each_study = pytest.mark.parametrize("study", STUDIES)


def read(project, study, name):
    """A table of results as text."""
    path = project.folder / f"results/studies/{study}/{name}"
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def expand(folder, names, *formats):
    """Paths of files by their folder, names and formats."""
    return {f"{folder}/{name}{format}" for name in names for format in formats or ("",)}


@each_study
def test_numbers_are_those_accepted(studies, study):
    fail_unless_accepted(studies, f"results/studies/{study}", study)


@each_study
def test_everything_is_made_and_nothing_else(studies, study):
    declared = read_study(study)
    verdicts = declared.design == "verdicts"
    figures = [*declared.figures, *FIGURES[study].split()]
    tables = [*declared.tables, *TABLES[study].split()]
    expected = {
        *expand("data", (DATA_OF_VERDICTS if verdicts else DATA_OF_RATINGS).split()),
        *expand("statistics", STATISTICS[study].split(), ".csv"),
        *(["statistics/fits.json"] if verdicts else []),
        *expand("figures", figures, ".csv", ".png"),
        "figures/inventory.csv",
        *expand("tables", tables, ".csv", ".tex", ".html"),
        *expand("claims", LEDGER.split()),
        "report/index.html",
        *(["report/findings.csv"] if verdicts else []),
    }
    made = studies.results(f"results/studies/{study}")
    assert set(made) == expected
    for name, content in made.items():
        if name.endswith(".png"):
            assert content.startswith(b"\x89PNG") and len(content) > 2000, name
        assert content, name


@each_study
def test_no_column_or_table_is_empty_unexpectedly(studies, study):
    without_rows, empty = set(), {}
    for name in studies.results(f"results/studies/{study}"):
        if not name.endswith(".csv"):
            continue
        table = read(studies, study, name)
        # No number of judges, or of stimuli, may be enough; z tests have infinite degrees of freedom.
        infinite = ("df", "_for_equivalence")
        needed = [column for column in table if column.endswith(infinite)]
        spelled = table.drop(columns=needed).isin(["nan", "NaN", "None", "inf", "-inf"]).any()
        assert not spelled.any(), f"{name}: {list(spelled.index[spelled])}"
        if table.empty:
            without_rows.add(name)
        # Panels of a figure fill different columns of its source data.
        elif not name.startswith("figures/"):
            columns = table.columns[(table == "").all()]
            if len(columns):
                empty[name.removesuffix(".csv")] = set(columns)
    assert without_rows == WITHOUT_ROWS[study]
    assert empty == {
        name: set(columns.split() if isinstance(columns, str) else columns)
        for name, columns in EMPTY[study].items()
    }


@each_study
def test_every_panel_that_the_inventory_calls_drawn_is_there(studies, study):
    made = studies.results(f"results/studies/{study}")
    inventory = read(studies, study, "figures/inventory.csv")
    there = [
        f"figures/{name}.png" in made or f"tables/{name}.csv" in made
        for name in inventory["figure"]
    ]
    drawn = inventory["drawn"].isin(["yes", "judge trained here"])
    assert inventory.loc[drawn & ~pd.Series(there), "figure"].empty
    assert (inventory.loc[~drawn, "why"] != "").all()


@each_study
def test_the_report_shows_every_picture_and_table(studies, study):
    made = studies.results(f"results/studies/{study}")
    report = made["report/index.html"].decode()
    for name in made:
        if name.startswith("figures/") and name.endswith(".png"):
            assert f"../{name}" in report, name
        if name.startswith("tables/") and name.endswith(".csv") and name not in WITHOUT_ROWS[study]:
            assert f"../{name}" in report, name


@each_study
def test_provenance_names_the_study_and_what_it_was_made_from(studies, study):
    folder = studies.folder / f"results/studies/{study}"
    provenance = json.loads((folder / "data/provenance.json").read_text())
    assert provenance["config"]["study"] == study
    assert provenance["source"]["kind"] == SOURCES[study]


def kept_judgments(project, study):
    """Judgments that the published reading keeps, with whether the judge said human."""
    path = project.folder / f"results/studies/{study}/data/judgments.parquet"
    judgments = pd.read_parquet(path)
    judgments = judgments[judgments["kept_published"]]
    return judgments.assign(passed=judgments["verdict"] == "human")


@pytest.mark.parametrize(("subset", "games"), [("all", "all games"), ("first", "first games")])
def test_a_rate_table_has_the_printed_counts(studies, subset, games):
    printed = pd.read_csv(ROOT / "data/published/jones2024/counts.csv")
    agents = read_study("jones2024").agents
    printed = printed[(printed["subset"] == subset) & printed["agent"].isin(list(agents))]
    assert len(printed) == 14
    table = read(studies, "jones2024", "tables/table1.csv").set_index("Agent")
    for row in printed.itertuples():
        cell = table.loc[agents[row.agent].label, f"Published counts, {games}"]
        assert cell.startswith(f"{row.rate:.2f} [") and cell.endswith(f" ({row.n:,})")
    assert set(table["data"]) == {"published counts"}


@pytest.mark.parametrize("first", [False, True])
def test_a_rate_table_of_games_is_counted_from_judgments(studies, first):
    agents = read_study("jones2024").agents
    judgments = kept_judgments(studies, "jones2024")
    if first:
        judgments = judgments[judgments["first_game"] == "yes"]
    table = read(studies, "jones2024", "tables/games.csv").set_index("Agent")
    column = "Judgments, first games" if first else "Judgments, all games"
    for agent in ("eliza", "gpt35_november", "gpt4_dragon"):
        passed = judgments.loc[judgments["agent"] == agent, "passed"]
        cell = table.loc[agents[agent].label, column]
        assert cell.startswith(f"{passed.mean():.2f} [") and cell.endswith(f" ({len(passed):,})")
    assert set(table["data"]) == {"generated data"}


@pytest.mark.parametrize(
    ("name", "task", "by", "column"),
    [
        ("table1", "turns", "exchanges", "Turns"),
        ("table2", "history", "history", "Turns of history"),
    ],
)
def test_a_table_of_pass_rates_is_counted_from_judgments(studies, name, task, by, column):
    table = read(studies, "xturing", f"tables/{name}.csv")
    judgments = kept_judgments(studies, "xturing")
    judgments = judgments[(judgments["task"] == task) & (judgments["cohort"] == "people")]
    judgments = judgments[judgments["agent"] == "gpt4"]
    rows = table[table["Model"] == "GPT-4"].set_index(column)
    assert len(rows) == 3
    for level, row in rows.iterrows():
        own = judgments[judgments[by].astype(float) == float(level)]
        for variant in ("ping-pong", "burst"):
            own_variant = own[own["variant"] == variant]
            # As published, every topic counts the same.
            rate = 100 * own_variant.groupby("topic", observed=True)["passed"].mean().mean()
            assert row[f"People: {variant}"].startswith(f"{rate:.1f} ± "), (level, variant)
