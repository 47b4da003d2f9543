"""Everything that a run makes of a study, in the order in which it is made: the project's table of contents.

A result is a file with a title, the function that makes it and the results that this function needs. All
else follows from this list: inputs, outputs and parameters of rules, what a job calls, what a study does not
get and why, titles of pages, what claims may select from, and the page of all results (docs/results.md).

Functions are named as text, since importing them at every start of Snakemake would take seconds; a job finds
them when it runs (`turingstats.stages.job`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from turingstats.workflow import conditions
from turingstats.workflow.conditions import Facts, always

TABLE_FORMATS = (".csv", ".tex", ".html")
SETTINGS = {
    "seed": "seed",
    "confidence": "confidence",
    "correction": "correction",
    "n_bootstrap": "resamples.bootstrap",
    "n_permutation": "resamples.permutation",
    "margin": "equivalence.margin",
    "power": "plan.power",
    "cleaning": "cleaning",
    "training": "judges",
    "llm": "llm",
}
"""Keys of the configuration, by the names under which functions get them."""


@dataclass(frozen=True)
class Result:
    """A file that a run makes of a study, or what a job keeps in memory to make files (`STEPS`)."""

    path: str
    """In the folder of results of the study; empty for a step."""
    title: str
    make: str = ""
    """Module and function that make it, such as "analysis.sample:describe_sample"; several results of one
    function are a dictionary by name. Empty if the script of the rule makes it."""
    needs: tuple[str, ...] = ()
    """What the function is given, in the order of its parameters: names of results (outside of data/ and
    statistics/ with their folder), of steps, or of tables in data/published/. It gets None for what this
    study does not have. Study, level, reading, data and options go by name."""
    options: tuple[str, ...] = ()
    """Names in `SETTINGS` of the keys that it depends on."""
    when: Callable[[Facts], bool] = always
    """Whether a study gets it; the docstring says what it needs."""
    further: Callable[[Facts], list[str]] | None = None
    """Names of needs that depend on the study, which the parameter `results` has by name."""
    draw: str = ""
    """Of numbers of a figure: the function that draws them."""
    reading: str = ""
    """Of a table that is shown: its reading, if that is not the configured one."""
    labeled: bool = True
    """Whether the column `data` says what it was made from."""
    claims: bool = True
    """Whether claims may refer to it, if it is in statistics/."""
    long: bool = False
    """Whether it has so many rows that `make check` holds a summary."""

    @property
    def name(self) -> str:
        """Its name, as in claims and in leave_out."""
        return PurePath(self.path).stem

    @property
    def is_claimable(self) -> bool:
        """Tell whether claims may select from it."""
        return self.claims and self.path.startswith("statistics/") and self.path.endswith(".csv")

    @property
    def write(self) -> str:
        """The function that writes it."""
        if self.path.startswith("tables/"):
            return "tables.writer:write_table"
        return "figures.source_data:write_source_data" if self.draw else "core.files:write_result"

    @property
    def is_shown(self) -> bool:
        """Tell whether it is a figure or table of the report, which may be left out."""
        is_figure = self.path.startswith("figures/") and bool(self.draw)
        return is_figure or self.path.startswith("tables/")

    @property
    def need(self) -> str:
        """What a study needs to get it."""
        text = str(self.when.__doc__).rstrip(".")
        return text[0].lower() + text[1:]

    @property
    def files(self) -> list[str]:
        """Paths of its files: tables that are shown have three."""
        if self.path.startswith("tables/"):
            return [str(PurePath(self.path).with_suffix(ending)) for ending in TABLE_FORMATS]
        return [self.path]


# fmt: off
INVENTORY = Result("figures/inventory.csv", "Figures and tables that are drawn, and why others are not",
                   "claims.inventory:list_panels", ("published/figures", "missing"),
                   further=conditions.list_declared_figures)


STEPS = {
    "raw_files": Result("", "Raw files at hand", "stages.read:list_files", ("sources",)),
    "people": Result("", "The person behind each judge", "data.counts:map_judges_to_people", ("judges",)),
    "all_judgments": Result("", "Judgments that were read, and those of judges trained or asked here",
                            "data.cleaning:append_judged_here",
                            ("raw_judgments", "judges/judgments", "llm/judgments")),
    "pooled": Result("", "Judgments, repeated for each pool of cohorts", "data.counts:add_pooled_cohorts",
                     ("judgments",)),
    "verdicts": Result("", "First verdict of each judge on each response",
                       "analysis.responses:select_first_verdicts", ("judgments", "people")),
    "graded": Result("", "Ratings and scores by cohort", "analysis.graded_verdicts:list_graded",
                     ("judgments", "people")),
    "schemes": Result("", "Published coding schemes", "analysis.codes:read_schemes",
                      further=conditions.list_coding_schemes),
    "asked_of_fits": Result("", "What published tests ask of the fits",
                            "analysis.models.asked:parse_fit_summaries", ("fits",)),
    "shown_tables": Result("", "Tables from which panels of figures pick their numbers",
                           "figures.source_data:select_reading", further=conditions.list_shown_tables),
    "item_list": Result("", "Items that were rated", "ratings.arrays:read_item_list", ("items",)),
    "arrays": Result("", "Ratings of similarity by system", "ratings.arrays:build_rating_arrays",
                     ("ratings", "item_list")),
    "systems": Result("", "Systems of each task in the reading that is shown",
                      "ratings.systems:arrange_all", ("arrays", "distances", "item_list")),
}
"""What jobs keep in memory, by name."""

EVERY_DESIGN: dict[str, tuple[Result, ...]] = {
    "read": (
        Result("data/sources.csv", "Raw files", "data.sources:list_sources", labeled=False),
        Result("data/missing.csv", "Missing files", "data.sources:list_sources", labeled=False),
    ),
    "ledger": (
        Result("claims/claims.csv", "Published and recomputed numbers", when=conditions.has_claims),
        Result("claims/consistency.csv", "Whether printed numbers agree with each other",
               when=conditions.has_claims),
        Result("claims/settings.csv", "Settings that claims are about", when=conditions.has_claims),
        Result("claims/summary.csv", "Number of claims by answer", when=conditions.has_claims),
        Result("claims/panels.csv", "Panels that show the numbers of claims", when=conditions.has_claims),
        Result("claims/index.html", "Every claim and its answer", when=conditions.has_claims),
        Result("claims/summary.html", "The answers on one page", when=conditions.has_claims),
        Result("claims/notebooks.html", "Numbers of the authors' notebooks", when=conditions.has_claims),
        Result("claims/notebooks.csv", "Numbers of notebooks", when=conditions.has_notebooks),
        Result("claims/notebooks_summary.csv", "Their number by answer", when=conditions.has_notebooks),
        Result("claims/claims_overview.csv", "Published and recomputed numbers",
               when=conditions.has_claims, draw="claims.overview:draw"),
    ),
    "report": (
        Result("data/provenance.json", "What the results were made from",
               "stages.report:describe_provenance", ("sources",)),
        Result("report/index.html", "The report", "stages.report:build_page",
               ("data/provenance", "report/findings"), options=("confidence",)),
        Result("report/report.html", "The report in one file, to be sent", "stages.report:inline_page",
               ("report/index",)),
    ),
    "plan": (
        Result("plan/index.html", "Power and cost of a planned study"),
        Result("plan/methods.txt", "Its section on methods"),
        Result("plan/designs.csv", "The cheapest designs"),
        Result("plan/assumptions.csv", "What the plan assumes"),
        Result("plan/power.csv", "Power by judges and trials per judge", draw="figures.planned_power:draw"),
    ),
}
"""What studies of every design have, by rule."""

VERDICTS: dict[str, tuple[Result, ...]] = {
    "read": (
        *(
            Result(f"data/{path}", title, "stages.read:read_verdicts", ("raw_files",), labeled=False)
            for path, title in (
                ("raw_judgments.parquet", "Judgments as they were read"),
                ("judges.parquet", "Judges"),
                ("responses.parquet", "What was judged"),
                ("left_out.csv", "Rows that are no judgments"),
                ("reading_notes.csv", "What was noticed while reading"),
            )
        ),
    ),
    "judges": tuple(
        Result(f"judges/{path}", title, "judges.svm.kept_judges:train_all", ("responses",),
               options=("training", "seed", "confidence"), when=conditions.trains_judges, labeled=labeled)
        for path, title, labeled in (
            ("judgments.parquet", "Verdicts of judges trained here", False),
            ("scores.parquet", "Their scores", True),
            ("evaluation.csv", "How accurate they are", True),
            ("audit.csv", "What gives responses away before any judge is trained", True),
        )
    ),
    "llm_judge": tuple(
        Result(f"llm/{path}", title, "judges.llm.language:judge_responses", ("responses",),
               options=("llm", "seed"), when=conditions.asks_language_models, labeled=labeled)
        for path, title, labeled in (
            ("judgments.parquet", "Verdicts of language models", False),
            ("answers.csv", "What language models answered", True),
            ("unparsed.csv", "Answers without a verdict", True),
        )
    ),
    "clean": (
        Result("data/judgments.parquet", "Judgments, and whether each is analyzed",
               "data.cleaning:clean_judgments", ("all_judgments",), options=("cleaning",), labeled=False),
        Result("data/exclusions.csv", "What was left out, and why", "data.exclusion_log:log_exclusions",
               ("judgments", "left_out", "responses")),
        Result("data/record_checks.csv", "Checks of the records", "data.record_checks:check_records",
               ("all_judgments", "judges", "responses", "reading_notes")),
        Result("data/flags.csv", "Judges who may not have paid attention",
               "data.record_checks:flag_careless_judges", ("judgments",)),
        Result("data/groups.csv", "Demographic groups of judges", "data.counts:group_judges", ("judges",),
               labeled=False),
        Result("data/counts.parquet", "Verdicts by judge, stimulus and agent", "data.counts:count_verdicts",
               ("pooled", "groups", "people")),
        Result("statistics/sizes.csv", "Judges, stimuli and trials", "data.sample_sizes:count_samples",
               ("pooled", "groups", "responses", "people")),
        Result("statistics/protocol.csv", "Constants of the protocol, as measured",
               "data.protocol:measure_protocol", ("all_judgments", "responses")),
    ),
    # The longest first.
    "statistics": (
        Result("statistics/signal_models.csv", "Signal detection as a mixed model",
               "analysis.signal_models:model_signals", ("judgments", "people", "graded"),
               options=("seed", "confidence")),
        Result("statistics/tests.csv", "Declared tests", "analysis.comparisons.compare:run_comparisons",
               ("counts", "groups", "published/benchmarks", "responses"),
               options=("seed", "confidence", "n_bootstrap", "n_permutation")),
        Result("statistics/estimates.csv", "Rates and detectability",
               "analysis.estimates.estimate:estimate_rates", ("counts", "groups"),
               options=("seed", "confidence", "n_bootstrap")),
        Result("statistics/equivalence.csv", "Whether agents are equivalent to people or chance",
               "analysis.estimates.estimate:conclude_equivalence", ("estimates",),
               options=("confidence", "margin", "power")),
        Result("statistics/people_and_machines.csv", "People and machine judges of the same responses",
               "analysis.people_and_machines:compare_people_with_machines", ("verdicts", "responses"),
               options=("seed", "confidence", "n_bootstrap"), when=conditions.has_people_and_machines),
        Result("statistics/agreement.csv", "Agreement of judges about the same responses",
               "analysis.agreement:measure_agreement", ("verdicts",),
               options=("seed", "confidence", "n_bootstrap"), long=True),
        Result("statistics/ratings.csv", "Ratings and scores by agent",
               "analysis.detector_scores:measure_graded", ("graded",), options=("confidence",),
               when=conditions.has_grades, long=True),
        Result("statistics/ordinal_models.csv", "Mixed models of ratings",
               "analysis.ordinal_models:fit_ordinal_models", ("graded",),
               options=("confidence", "correction"), when=conditions.has_grades),
        Result("statistics/sample.csv", "Who judged what", "analysis.sample:describe_sample",
               ("judgments", "judges", "groups", "people")),
        Result("statistics/stimuli.csv", "How often each response was judged human",
               "analysis.responses:tabulate_responses", ("verdicts",), options=("confidence",), long=True),
        Result("statistics/machine_judges.csv", "How right machine judges are",
               "analysis.machine_judges:compare_machine_judges", ("verdicts",),
               options=("confidence", "correction")),
        Result("statistics/texts.csv", "Texts of people and models",
               "analysis.texts:tabulate_text_measures", ("responses",), options=("confidence",)),
        Result("statistics/lengths.csv", "Messages of machines relative to those of people",
               "analysis.message_lengths:measure_message_lengths", ("judgments", "responses"),
               options=("seed", "confidence", "n_bootstrap"), when=conditions.has_choices),
        Result("statistics/breakdowns.csv", "Accuracy by groups of judges and properties of trials",
               "analysis.breakdowns:measure_breakdowns", ("judgments", "groups"), options=("confidence",),
               when=conditions.has_breakdowns),
        Result("statistics/judge_tests.csv", "d' by demographic group",
               "analysis.judge_tests:compare_judge_groups", ("judgments", "groups"),
               options=("confidence", "correction"), when=conditions.has_breakdowns),
        Result("statistics/scales.csv", "Ratings beside the verdict", "analysis.scales:measure_scales",
               ("judgments", "people"), options=("confidence",), when=conditions.has_scales),
        Result("statistics/codes.csv", "Codes of strategies and reasons", "analysis.codes:measure_codes",
               ("judgments", "schemes"), options=("confidence",), when=conditions.has_codes, long=True),
        Result("statistics/genders.csv", "Perceived genders of speakers",
               "analysis.genders:measure_perceived_genders", ("judgments", "groups"),
               options=("confidence",), when=conditions.has_genders),
    ),
    "models": tuple(
        Result(f"statistics/{path}", title, "analysis.models.fits:fit_models",
               ("judgments", "groups", "people"), options=("seed", "confidence", "correction"),
               claims=path == "models.csv")
        for path, title in (
            ("models.csv", "Mixed models of single verdicts"),
            ("model_contrasts.csv", "Agents, and levels of other factors, compared"),
            ("fits.json", "The parts of fits that answer the questions of published tests"),
        )
    ),
    "tables": (
        Result("statistics/what_changes.csv", "What changes when judges and stimuli are random samples",
               "analysis.models.counterparts:build_counterparts", ("asked_of_fits", "tests"),
               options=("confidence",)),
        *(
            Result(f"statistics/{name}.csv", title, "analysis.published_counts:analyze_counts",
                   ("published/counts", "estimates"),
                   options=("confidence", "correction", "margin", "power"),
                   when=conditions.has_printed_counts)
            for name, title in (
                ("success_rates", "Success rates from printed counts"),
                ("contrasts", "Contrasts of agents from printed counts"),
                ("printed_equivalence", "Equivalence from printed counts"),
            )
        ),
        Result("statistics/printed_rates.csv", "Printed rates, and the counts behind them",
               "analysis.printed_rates:measure_printed_rates", ("published/pass_rates", "published/design"),
               options=("confidence",), when=conditions.has_printed_rates),
        Result("figures/forest.csv", "Each agent in the mixed models",
               "figures.model_source_data:select_forest", ("models", "estimates", "equivalence"),
               options=("confidence",), when=conditions.compares_agents, draw="figures.forests:draw_models"),
        Result("figures/equivalence.csv", "Which agents are within the margin of people",
               "figures.model_source_data:select_equivalence", ("equivalence",),
               options=("confidence", "power"), when=conditions.compares_agents,
               draw="figures.forests:draw_equivalence"),
        Result("figures/<figure>.csv", "Figures that the study file declares, or else the default ones",
               "figures.source_data:select_figure_data", ("shown_tables",), options=("confidence",),
               draw="figures.grid:draw_panels"),
        Result("figures/judge_spread.csv", "How far judges differ",
               "analysis.judge_spread:tabulate_judge_shares", ("counts",), options=("confidence",),
               draw="figures.judge_spread:draw", long=True),
        Result("figures/people_and_machines.csv", "Machine judges and people on the same responses",
               "tables.people_and_machines:list_pairs", ("people_and_machines",), options=("confidence",),
               when=conditions.has_people_and_machines, draw="figures.forests:draw_machine_judges"),
        Result("figures/llm.csv", "Language models as judges", "figures.source_data:select_language_models",
               ("llm/answers", "shown_tables"), options=("confidence", "llm"),
               when=conditions.asks_language_models, draw="figures.grid:draw_language_models"),
        INVENTORY,
        Result("tables/<table>.csv", "Tables that the study file declares", "tables.writer:fill_table",
               ("estimates", "sizes", "texts", "missing", "lengths", "genders", "success_rates")),
        Result("tables/sample.csv", "Judges, verdicts and stimuli", "tables.judges:summarize_cohorts",
               ("sample",), reading="recommended"),
        Result("tables/agreement.csv", "Agreement of judges about the same responses",
               "tables.judges:tabulate_agreement", ("agreement",), reading="recommended"),
        Result("tables/rating_summary.csv", "Ratings and scores by agent",
               "tables.rating_summary:tabulate_ratings", ("ratings", "ordinal_models"),
               when=conditions.has_grades),
        Result("tables/scales.csv", "Ratings beside the verdict", "tables.rating_summary:tabulate_scales",
               ("scales",), when=conditions.has_scales, reading="recommended"),
        Result("tables/people_and_machines.csv", "Machine judges and people on the same responses",
               "tables.people_and_machines:tabulate_pairs", ("people_and_machines",),
               options=("confidence",), when=conditions.has_people_and_machines, reading="recommended"),
        Result("tables/signal_models.csv", "Signal detection as a mixed model: d' and criterion of judges",
               "tables.judges:tabulate_signals", ("signal_models",), when=conditions.has_judging_people,
               reading="recommended"),
        Result("tables/what_changes.csv", "What changes when judges and stimuli are random samples",
               "tables.models:tabulate_changes", ("what_changes",), when=conditions.has_counterparts,
               reading="published and recommended"),
        Result("tables/equivalence.csv", "Which agents are within the margin of people",
               "tables.models:tabulate_equivalence", ("equivalence",), reading="recommended"),
        Result("tables/model_contrasts.csv",
               "Agents, and levels of other factors, compared in the mixed models",
               "tables.models:tabulate_contrasts", ("model_contrasts",), when=conditions.has_models,
               reading="recommended"),
    ),
    "report": (
        Result("report/findings.csv", "Answers by task and agent", "analysis.findings:summarize_tasks",
               ("estimates", "equivalence", "tests", "sizes", "claims/claims"), options=("confidence",),
               labeled=False),
    ),
}
"""What a study of verdicts has in addition, by rule."""

RATINGS: dict[str, tuple[Result, ...]] = {
    "read": tuple(
        Result(f"data/{path}", title, "ratings.reading:read_study", ("raw_files",),
               labeled=path == "exclusions.csv")
        for path, title in (
            ("ratings.parquet", "Ratings of similarity"),
            ("items.csv", "Items that were rated"),
            ("distances.parquet", "Distances of items in embeddings"),
            ("exclusions.csv", "Raters, and why some were left out"),
        )
    ),
    "statistics": tuple(
        Result(f"statistics/{name}.csv", title, "ratings.analysis:analyze_ratings",
               ("item_list", "arrays", "distances"),
               options=("seed", "confidence", "n_bootstrap", "n_permutation"),
               long=name in ("alignment", "agreement", "individuals"))
        for name, title in (
            ("alignment", "Alignment of systems with each other"),
            ("agreement", "Agreement within systems"),
            ("individuals", "Alignment of single raters"),
            ("tests", "Declared tests"),
            ("sizes", "Raters and ratings"),
        )
    ),
    "tables": (
        Result("figures/<figure>.csv", "Figures that the study file declares, or else the default ones",
               "ratings.figure_numbers:select_numbers",
               ("systems", "alignment", "agreement", "individuals"), options=("confidence",),
               draw="figures.similarity:draw"),
        INVENTORY,
        Result("tables/<table>.csv", "Tables that the study file declares", "tables.alignment:fill_table",
               ("item_list", "alignment"), options=("confidence",), further=conditions.list_printed_tables),
    ),
}
"""What a study of ratings of similarity has in addition, by rule."""

PAIRS: dict[str, tuple[Result, ...]] = {
    "read": tuple(
        Result(f"data/{path}", title, "rankings.reading:read_study", ("raw_files",),
               labeled=path.endswith(".csv"))
        for path, title in (
            ("comparisons.parquet", "Comparisons of agents"),
            ("exclusions.csv", "What was left out, and why"),
            ("record_checks.csv", "Checks of the records"),
        )
    ),
    "statistics": tuple(
        Result(f"statistics/{name}.csv", title, "rankings.analysis:analyze_pairs", ("comparisons",),
               options=("seed", "confidence", "n_bootstrap", "n_permutation"))
        for name, title in (
            ("strengths", "Strengths and ranks of agents"),
            ("differences", "Differences between agents"),
            ("places", "Whether the place of an agent matters"),
            ("sizes", "Judges and comparisons"),
        )
    ),
    "tables": (
        Result("figures/ranking.csv", "Which agent judges prefer", "figures.model_source_data:add_labels",
               ("strengths",), options=("confidence",), draw="figures.forests:draw_ranking"),
        INVENTORY,
        Result("tables/ranking.csv", "Which agent judges prefer", "tables.rankings:format_ranking",
               ("strengths",)),
        Result("tables/win_rates.csv", "How often the agent of a row won against that of a column",
               "tables.rankings:format_win_rates", ("strengths", "differences")),
    ),
}
"""What a study of pairs has in addition, by rule."""

DESIGNS = {"verdicts": VERDICTS, "ratings": RATINGS, "pairs": PAIRS}
ALL_STUDIES = (
    Result("index.html", "All studies"),
    Result("all-studies/statistics/effects.csv", "Agents of all studies on one scale"),
    Result("all-studies/statistics/left_out.csv", "What cannot be put on it"),
    Result("all-studies/figures/forest.csv", "How often machines are judged human, across all studies",
           draw="figures.forests:draw_synthesis"),
)
"""What a run of all studies makes of them together."""
# fmt: on
RULES = tuple("read judges llm_judge clean statistics models tables ledger report plan".split())
"""Rules of a run in their order."""
ON_REQUEST = ("plan",)
"""Rules whose results are made only if they are asked for."""


def list_results(design: str) -> dict[str, list[Result]]:
    """List the results of a design by rule."""
    return {rule: [*EVERY_DESIGN.get(rule, ()), *DESIGNS[design].get(rule, ())] for rule in RULES}


def find_drawer(name: str, design: str) -> str:
    """Find the function that draws a figure; one that is not in the list is made of panels."""
    every = (result for results in list_results(design).values() for result in results)
    drawn = {result.name: result.draw for result in every if result.draw}
    return drawn.get(name) or drawn["<figure>"]
