"""The model of a study file of verdicts (`config/studies/*.yaml`): who judged what, what is made of it."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from turingstats.core.errors import ConfigError
from turingstats.core.quantity_names import CALLED_HUMAN, name_for_agent
from turingstats.core.yaml_models import (
    HEADING,
    READINGS,
    Heading,
    JudgeKind,
    Label,
    Model,
    Reading,
    listed,
    require,
)


class Agent(Model):
    """Who made a response, and the names the raw files call it by."""

    label: Label
    aliases: tuple[str, ...] = ()


class Trained(Model):
    """How the machine judges of a cohort are trained here, on the responses of its task."""

    design: Literal["folds", "few", "one", "others"]
    """folds: cross-validated; few: a crowd of judges with a few examples each; one: trained on one agent,
    tested on the others; others: trained on all agents but one, tested on that one."""
    examples: int | None = None
    """Of few: how many, as people had feedback on."""
    judges: int = 25
    """Of few: how many judges."""
    images: Literal["last", "early"] | None = None
    """Layer whose features of the image the judge sees beside the response."""
    variant: str | None = None
    """Variant of the task that all responses at hand belong to."""

    @model_validator(mode="after")
    def examples_given(self):
        if (self.design == "few") != (self.examples is not None):
            raise ValueError("examples belong to the design few, which needs them")
        return self


class Cohort(Model):
    """Judges recruited together under one protocol."""

    label: Label
    judge_kind: JudgeKind = "human"
    setting: Literal["online", "in-lab", "feedback"] | None = None
    """Where people judged; Table S2 adds up cohorts of one setting."""
    agents: tuple[str, ...]
    """By default those of the task."""
    shown_per_judge: int | None = None
    """Trials each judge was shown; with it, trials that the source lacks can be counted."""
    complete: bool = False
    """The source holds every trial shown, where judges were not all shown as many."""
    absent_because: str = ""
    """Why the source holds fewer trials than were shown."""
    absent_failed_control: bool = False
    """The absent trials are just those with a wrong answer to the control question."""
    published_judges: int | None = None
    """The published matrices of this cohort rest on an early state of the file: its first n judges."""
    fixed_control: bool = False
    """The stored answer to the control question is a label of the stimulus, not a judge's: neither reading
    goes by it."""
    training_trials: int = 0
    """Trials at the start of each session that were training and not marked so."""
    published_mean_of: str | None = None
    """The published matrix of the whole cohort is the mean of those of this condition's levels."""
    min_control_right: int | None = None
    """A judge with fewer right control answers (catch trials do not count) is left out."""
    min_catch_control: float | None = None
    """Least share of right control answers on catch trials. The published reading lets the count
    run on from judge to judge; the recommended one takes each judge's own."""
    replicates: int = 1
    """How often the source repeats all verdicts, in equal blocks (identical 'seeds')."""
    unnamed: bool = False
    """The source names no judges: each trial counts as one, and figures show no number of judges."""
    shared_ids: bool = False
    """Judges share one id; questionnaire and trial counter tell them apart."""
    pools: tuple[str, ...] = ()
    """Cohorts whose trials this one puts together; it has no files of its own."""
    trained: Trained | None = None
    """Of machine judges that are trained here; the cohort has no files of its own."""


class Defect(Model):
    """A known defect of the source, and the readings that leave out the trials it touches."""

    reason: str
    left_out_in: tuple[Reading, ...]
    session: bool = False
    """It is one of whole sessions: where they are left out, nothing of them is counted, catch trials and
    judges in the source included."""


class Texts(Model):
    """What Table S5 compares of a task's texts; the recommended reading leaves nothing out."""

    unit: str
    """What one response is."""
    agents: tuple[str, ...]
    collection: str | None = None
    """The published table has the conversations of this collection only."""
    without_shared: bool = False
    """It leaves out stimuli to which a person and a model gave the same answer."""


class Filter(Model):
    """Trials that both readings leave out, by what the table of verdicts says of them."""

    id: str
    """sizes.csv counts the trials as n_left_out_<id>."""
    reason: str
    column: str | None = None
    """Trials with one of `values` in this column."""
    values: tuple[str, ...] = ()
    run: int | None = None
    """Trials whose judge was shown responses of this `truth` in all of so many trials just before."""
    truth: Literal["human", "machine"] = "machine"

    @model_validator(mode="after")
    def one_kind(self):
        if bool(self.column) == bool(self.run) or bool(self.column) != bool(self.values):
            raise ValueError(f"filter {self.reason!r}: needs either column with values, or run")
        return self


class Codes(Model):
    """How free text was sorted by hand: a column with codes, and the scheme that explains them."""

    task: str
    column: str
    """Column of the judgments; several codes of a trial are separated by semicolons."""
    label: str
    """What a code stands for, such as "strategy"."""
    scheme: str
    """File with the columns code, category, label, in data/published/<study>/."""


class CountContrast(Model):
    """A comparison of how often agents were taken for people, from counts of verdicts alone."""

    id: str
    task: str
    subset: str = "all"
    first: str
    """An agent, or all: one contrast an agent but people and `second`."""
    second: str | None = None
    against: float = Field(0.5, gt=0, lt=1)
    """Without `second`: the rate compared with."""


class Task(Model):
    """One of the Turing-like tests."""

    label: Label
    agents: tuple[str, ...]
    """By default all but people."""
    cohorts: dict[str, Cohort]
    choice: bool = False
    """A trial shows a person's and a machine's response, and the judge says which is which. It is one
    verdict, that on the machine; detectability is the share of right choices."""
    resample: tuple[Literal["judges", "stimuli"], ...] = ("judges",)
    """What recommended intervals resample. Where few stimuli are judged by many, they are a sample too."""
    published_mean_over: Literal["verdicts", "stimuli"] = "verdicts"
    """Of choices: a published rate is that of all verdicts, or the mean of the rates of single stimuli."""
    control_pass: tuple[int, int] | None = None
    """Judges with a smaller share (right, of) of right control answers are left out in both readings;
    of the others all trials count. Without it the recommended reading leaves out single trials."""
    published_control: bool = False
    """The published reading, too, leaves out trials with a wrong control answer and judges who
    gave too many."""
    conditions: tuple[str, ...] = ()
    """Columns of the judgments whose levels get matrices of their own; a plus crosses two, or one with a
    demographic variable: variant+gender."""
    columns: dict[str, Literal["number", "word"]] = {}
    """Further columns of the judgments: for filters, models and codes, without matrices of their own."""
    filters: tuple[Filter, ...] = ()
    """What both readings leave out, in this order."""
    defects: dict[str, Defect] = {}
    """By the name that the adapters give them in the column `defect` of the judgments."""
    features: Literal["text", "cue", "scan path"] = "text"
    """What a judge trained here sees of a response: its embedding, how that differs from the cue's, or
    fixations."""
    page_lengths: tuple[int, ...] = ()
    """Of conversations: lengths, in turns, at which judges saw them. A conversation as long as the last
    one was shown cut at each, any other whole."""
    texts: Texts | None = None
    """Of a language task: how its responses are measured."""
    pooled_humans: tuple[str, ...] = ()
    """Conditions at whose levels detectability sets an agent against people at all levels, not only at its
    own."""


class Procedure(Model):
    """How one reading computes a comparison."""

    test: Literal[
        "wilcoxon",
        "paired_wilcoxon",
        "friedman",
        "friedman_pairs",
        "mann_whitney",
        "permutation",
        "permutation_trials",
        "kruskal",
        "welch_t",
        "welch_t_random",
        "anova_one_way",
        "anova_two_way",
        "two_proportions",
        "chi_square",
        "binomial",
        "pearson",
        "spearman",
        "slopes",
        "residuals",
        "binomial_regression",
        "fleiss_kappa",
    ]
    alternative: Literal["two-sided", "greater", "less"] = "two-sided"
    """Of a binomial test."""
    missing: Literal["zero", "complete", "shortest"] = "complete"
    """Of Friedman's test: what becomes of judges without a trial of some agent (`tests.friedman`)."""
    exact_ties: bool = True
    u: Literal["smaller", "larger"] = "smaller"
    """Of a Mann-Whitney test without exact ties: which U of the two is given."""
    line: Literal["exact", "linregress", "polyfit"] = "exact"
    """Of slopes and residuals, levels alike: the routine that fits the lines. But for `exact`, ties of the
    slopes or residuals fall to its rounding noise."""
    exact_p: bool = False
    """Of a Wilcoxon test against a value: p from all signs of the differences, for small groups."""
    balanced: bool = False
    weighted: bool = False
    """Of slopes and residuals: levels count by their number of verdicts."""
    clustered: bool = False
    """Of a binomial regression: standard errors allow for the verdicts of a judge being alike."""
    family: str | None = None
    family_size: int | None = None
    correction: Literal["bonferroni", "holm"] = "bonferroni"


class Comparison(Model):
    """A declared test, in both readings. `against` is the value tested against."""

    id: str
    task: str
    cohorts: tuple[str, ...] = ()
    """None for a test of the task's responses."""
    quantity: (
        Literal["p_HH", "p_MM", "p_HM", "detectability", "accuracy", "called human"] | None
    ) = None
    """Of people's responses p_HH, of machines' p_MM and p_HM; `called human` is the share judged human of
    any agent, people among them; detectability and accuracy set a machine against people."""
    score: str | None = None
    """Of a correlation over agents: the measure of benchmarks.csv that the quantity is set against."""
    agents: tuple[str, ...] = ("all",)
    rows: tuple[str, ...] = ()
    """In place of groups and agents: agent@level of the condition `by`, to compare shares called human."""
    by: str | None = None
    level: str | None = None
    """Level of the condition `by` at which the cohorts are compared; of slopes, residuals and regressions
    over crossed conditions, such as variant+exchanges: the level of all but the last, which is the scale."""
    held_out: str | None = None
    """Level of the scale that is left out of each judge's line; residuals set it against the line."""
    groups: tuple[str, ...] | None = None
    against: float | None = None
    published: Procedure | None = None
    recommended: Procedure | None = None
    alternative: Procedure | None = None
    """Another way that the published test may have been made, where its text leaves that open."""
    note: str = ""


class VerdictModel(Model):
    """A declared regression of verdicts; see `turingstats.analysis.models`."""

    id: str
    task: str
    cohorts: tuple[str, ...]
    formula: str
    reduced: dict[str, str] = {}
    """Formulas nested in `formula`, each tested against it by a likelihood ratio; by what is tested."""
    only: dict[str, tuple[str, ...]] = {}
    """Levels of columns to keep, in order: the first is what others are compared with."""
    quadrature: int | None = None
    """Nodes per random effect; see `turingstats.stats.mixed.fit.fit_model`."""
    cluster: str | None = None
    """Of a model without random terms: column whose groups the errors allow for."""
    counterpart_of: tuple[str, ...] = ()
    """Comparisons that ask the same; a table sets them beside each other."""
    note: str = ""


class Tested(Model):
    """A test whose result is written into a panel of listed rows."""

    table: Literal["tests", "judge_tests", "models", "contrasts"]
    """The table in statistics/ that holds it ..."""
    where: dict[str, str]
    """... in the one row with these values."""
    label: str = ""
    """What was tested, where the panel's title does not say."""


class Panel(Model):
    """One panel of a figure: what it shows of which cohort."""

    kind: Literal[
        "matrix",
        "pie",
        "bars",
        "lines",
        "heatmap",
        "scatter",
        "examples",
        "conversation",
        "roc",
        "calibration",
        "learning curve",
        "listed",
        "intervals",
        "judges",
    ]
    title: str
    task: str
    cohort: str | None = None
    cohorts: tuple[str, ...] = ()
    """Of bars: cohorts side by side, in place of `cohort` and groups."""
    beside: str | None = None
    """Of a matrix: the judges trained here whose rates stand below it, or that take its place where the
    cohort has no data."""
    agents: tuple[str, ...] = ("all",)
    rows: tuple[str, ...] = ()
    """Of a matrix: agents (human and all, too) and, as agent@level, their parts by the condition `by`;
    of lines and examples: the agents, human and all among them. By default human and `agents`."""
    labels: dict[str, str] = {}
    """What to call rows or agents, where not as the study does."""
    by: str | None = None
    level: str | None = None
    """Of a matrix: the level of the condition `by` that it shows. Of lines over crossed conditions, such
    as variant+exchanges: the level of all but the last, which is the x axis."""
    levels: tuple[str, ...] = ()
    """Of bars: the groups to show, in this order. Of heat maps: the rows that come first."""
    scale: Literal["linear", "logarithmic"] = "linear"
    """Of lines: the x axis."""
    quantity: Literal["called human", "detectability", "right"] = "called human"
    """Of lines and heat maps: the share called human (P(H|H) of people, P(H|M) of machines) or
    detectability. Of
    intervals: detectability, or the share judged right (P(H|H), P(M|M)), which takes people in."""
    share_of: Literal["judges", "topics"] = "judges"
    """Of a pie: what is counted; in the published reading it is trials that stand for judges."""
    score: str | None = None
    """Of a scatter: the measure of benchmarks.csv on the x axis."""
    chance_test: str | None = None
    group_test: str | None = None
    test: str | None = None
    """Of a scatter: the declared correlation that is written into it."""
    table: str | None = None
    """Of listed rows: the table in statistics/ that they are picked from ..."""
    where: dict[str, str | tuple[str, ...]] = {}
    """... by the values of its columns (a list: in this order) ..."""
    name: str = "label"
    """... the column with their names ..."""
    series: str | None = None
    """... and the one that tells apart series drawn side by side."""
    order: Literal["value", "table"] = "table"
    """Of listed rows: largest first, or as in the table."""
    top: int | None = None
    """Of listed rows: how many, by value; with `ends`, as many from each end."""
    ends: bool = False
    count: Literal["n", "k"] = "n"
    """Of listed rows: the number beside each name, trials or how many of them it is."""
    least: int = 1
    """Of listed rows: leave out those that rest on fewer trials."""
    axis: str = "Share"
    """Of listed rows: what the numbers are."""
    reference: float | None = None
    """Of listed rows: where a dashed line stands, such as chance."""
    percent: bool = True
    """Of listed rows: whether the numbers are shares."""
    tested: tuple[Tested, ...] = ()
    """Of listed rows: tests that are written below the title."""
    stimuli: int = 2
    """Of examples: how many stimuli, the first that every agent responded to. Of a conversation, which
    has all of them as speakers: one, the first."""
    show: Literal["text", "color", "scan path"] = "text"
    """Of examples: how a response is drawn."""
    note: dict[Reading, str] = {}
    """What a reader of the panel must know, by reading."""

    @model_validator(mode="after")
    def cohort_named(self):
        if self.kind == "bars" and bool(self.cohort) == bool(self.cohorts):
            raise ValueError(f"panel {self.title!r}: bars need either cohort or cohorts")
        if (self.kind == "listed") != (self.table is not None):
            raise ValueError(f"panel {self.title!r}: listed, and nothing else, needs a table")
        if self.kind not in ("bars", "examples", "conversation", "listed") and not self.cohort:
            raise ValueError(f"panel {self.title!r}: {self.kind} needs a cohort")
        return self


class Figure(Model):
    """A figure of the paper and the panels that are drawn from data."""

    title: Heading
    panels: dict[str, Panel] = {}
    layout: Annotated[tuple[str | tuple[str, ...], ...], HEADING] = ()
    """Letters of the panels in each row, such as [AB, CD]; a space is a gap. In a row written as [A, BCD],
    within brackets of its own, B, C and D stand below each other. By default rows of two."""
    widths: Annotated[tuple[float, ...], HEADING] = ()
    """Of a layout: least width of each column of panels, mm; by default what a matrix needs."""

    @property
    def placed(self):
        """Letters of the layout, each as often as it occurs."""
        return [at for row in self.layout for cell in row for at in cell if at != " "]


class RateTable(Model):
    """A table of pass rates; see `turingstats.tables.rates`."""

    title: Label
    task: str
    by: str
    """Condition whose levels are rows, within agents."""
    label: Label
    """What to call these levels."""
    across: str
    """Condition whose levels are columns, within cohorts; `by`+`across` is a condition of the task."""
    order: tuple[str, ...] = ()
    """Of the levels that are columns."""


class GenderTable(Model):
    """A table of the genders that judges took speakers for; see `turingstats.analysis.genders`."""

    title: Label
    task: str
    by: str
    """Condition whose levels have rows of their own, within speakers."""
    label: Label
    """What to call these levels."""
    judges: str
    """Demographic variable whose groups of judges have columns of their own."""
    note: Label = ""
    """What a reader of the table must know."""


class ShownTable(Model):
    """A table of a kind that can be made of any study, under any name; see `turingstats.tables.writer`."""

    title: Label
    shows: str
    """What: specification, sizes, settings, catch_trials, chatgpt, texts, or success_rates (of a study whose
    paper prints counts)."""
    source: Literal["published counts", "judgments"] = "published counts"
    """Of success_rates: whether from the counts that the paper prints or from the judgments of this run. A
    table never has both, since judgments may be generated."""


class Part(Model):
    """The part of a study that is kept; see `subset`."""

    tasks: Literal["all"] | tuple[str, ...] = "all"
    cohorts: Literal["all"] | tuple[str, ...] = "all"
    agents: Literal["all"] | tuple[str, ...] = "all"
    judge_kinds: Literal["all"] | tuple[str, ...] = "all"


class AnyStudy(Model):
    """What a study of any design says of itself."""

    study: str
    """By default the name of its file."""
    title: Heading
    reference: Heading = ""
    readings: tuple[Reading, ...] = Field(READINGS, min_length=1)
    """A study that nobody has published yet has the recommended one alone."""
    tables: dict[str, str | ShownTable | RateTable | GenderTable] = {}
    """By name: a title (of those in `turingstats.tables.writer.NAMES`), or what else the table shows."""
    claims: tuple[str, ...] = ()
    """Papers whose claims are checked on this study's data (folders of data/published/)."""
    versions: str | None = None
    """Another paper on the same data, whose printed numbers stand beside this study's in a table."""
    called: str = "trials"
    """What a trial is called on pages, such as games."""
    not_drawn: dict[str, str] = {}
    """Figures and tables of the paper that rest on data and are not made here, and why."""


class Study(AnyStudy):
    """A study: who judged what, which groups, which tests, which figures."""

    design: Literal["verdicts"] = "verdicts"
    """What was collected; `turingstats.config.ratings_study` describes studies of pairwise ratings."""
    agents: dict[str, Agent]
    tasks: dict[str, Task]
    demographics: dict[str, dict[str, dict[Reading, tuple[str, ...]]]] = {}
    ordered: tuple[str, ...] = ()
    """Demographic variables whose groups are in rising order, lowest first: tests of a trend and <name>_rank
    in formulas of models are for these alone."""
    comparisons: tuple[Comparison, ...] = ()
    models: tuple[VerdictModel, ...] = ()
    subsets: dict[str, tuple[str, str] | None] = {"all": None}
    """Of printed counts: the condition and level that each subset of trials is, None for all trials."""
    contrasts: tuple[CountContrast, ...] = ()
    """Computed from printed counts (data/published/<study>/counts.csv) and from the judgments."""
    bands: dict[str, tuple[float, ...]] = {}
    """Accuracy is broken down by these numbers of a trial (position, confidence, ...), from one limit up to
    below the next; the last band is open."""
    codes: dict[str, Codes] = {}
    figures: dict[str, Figure] = {}

    @model_validator(mode="before")
    @classmethod
    def spelled_out(cls, values):
        """Fill in what a short study file leaves out: people, agents of tasks and cohorts, readings."""
        if not isinstance(values, dict):
            return values
        agents = dict(values.get("agents") or {})
        people = agents.get("human", {})
        people = {"label": "Human"} | people if isinstance(people, dict) else people
        agents = {"human": people} | {name: own for name, own in agents.items() if name != "human"}
        machines = [name for name in agents if name != "human"]
        tasks = {}
        for name, task in (values.get("tasks") or {}).items():
            if isinstance(task, dict):
                task = {"agents": machines} | task
                task["cohorts"] = {
                    key: {"agents": task["agents"]} | cohort if isinstance(cohort, dict) else cohort
                    for key, cohort in (task.get("cohorts") or {}).items()
                }
            tasks[name] = task
        demographics = {
            variable: {
                group: answers
                if isinstance(answers, dict)
                else {
                    reading: [str(a) for a in listed(answers)]
                    for reading in values.get("readings", READINGS)
                }
                for group, answers in groups.items()
            }
            for variable, groups in (values.get("demographics") or {}).items()
        }
        return values | {"agents": agents, "tasks": tasks, "demographics": demographics}

    @model_validator(mode="after")
    def names_exist(self):
        for task_name, task in self.tasks.items():
            for agent in task.agents:
                require(agent, self.agents, f"tasks.{task_name}.agents", "agents")
            for name, cohort in task.cohorts.items():
                for agent in cohort.agents:
                    require(agent, self.agents, f"tasks.{task_name}.cohorts.{name}", "agents")
                for part in cohort.pools:
                    require(part, task.cohorts, f"tasks.{task_name}.cohorts.{name}", "cohorts")
        for comparison in self.comparisons:
            where = f"comparisons.{comparison.id}"
            task = self.tasks[require(comparison.task, self.tasks, where, "tasks")]
            for cohort in comparison.cohorts:
                require(cohort, task.cohorts, where, "cohorts")
            for agent in (*comparison.agents, *(row.split("@")[0] for row in comparison.rows)):
                require(agent, {"all", "human", *self.agents}, where, "agents")
            if comparison.by is not None:
                known = {*self.demographics, *task.conditions}
                require(comparison.by, known, where, "demographics and conditions")
                if comparison.level is None and len(comparison.cohorts) > 1:
                    raise ValueError(f"{where}: by needs a single cohort, or a level")
            for reading in (*READINGS, "alternative"):
                procedure = getattr(comparison, reading)
                if procedure:
                    choice = self.tasks[comparison.task].choice
                    check_procedure(comparison, procedure, choice, where)
        for name in self.ordered:
            require(name, self.demographics, "ordered", "demographics")
        for model in self.models:
            where = f"models.{model.id}"
            task = self.tasks[require(model.task, self.tasks, where, "tasks")]
            for cohort in model.cohorts:
                require(cohort, task.cohorts, where, "cohorts")
            for identity in model.counterpart_of:
                require(identity, {c.id for c in self.comparisons}, where, "comparisons")
        for name, table in self.gender_tables.items():
            where = f"tables.{name}"
            task = self.tasks[require(table.task, self.tasks, where, "tasks")]
            known = {part for condition in task.conditions for part in condition.split("+")}
            require(table.by, known - {*self.demographics}, where, "conditions")
            require(table.judges, self.demographics, where, "demographics")
        for name, figure in self.figures.items():
            for letter, panel in figure.panels.items():
                # A panel of a task that is not in the study is not drawn.
                for row in (*panel.agents, *panel.rows) if panel.task in self.tasks else ():
                    where = f"figures.{name}.panels.{letter}"
                    require(row.split("@")[0], {"all", *self.agents}, where, "agents")
                if panel.kind in ("lines", "heatmap") and panel.task in self.tasks:
                    for row in panel.rows or panel.agents:
                        try:
                            name_for_agent(panel.quantity, row.split("@")[0])
                        except ValueError as error:
                            raise ValueError(f"{where}: {error}") from None
        ids = [comparison.id for comparison in self.comparisons]
        repeated = {i for i in ids if ids.count(i) > 1}
        if repeated:
            raise ValueError(f"comparisons: id used twice: {', '.join(sorted(repeated))}")
        return self

    @property
    def gender_tables(self):
        """The tables of genders that judges took speakers for."""
        return {name: own for name, own in self.tables.items() if isinstance(own, GenderTable)}


BY_RIGHT = ("welch_t", "welch_t_random", "anova_one_way", "anova_two_way", "two_proportions")
"""Tests of single verdicts, right or wrong."""


def check_procedure(comparison, procedure, choice, where):
    """Say what a declared test lacks, or has too much."""
    correlates = procedure.test in ("pearson", "spearman")
    along = procedure.test in ("slopes", "residuals", "binomial_regression")
    if correlates != bool(comparison.score):
        raise ValueError(f"{where}: a correlation needs a score, and no other test takes one")
    if comparison.rows and comparison.quantity != CALLED_HUMAN:
        raise ValueError(f"{where}: rows go with the quantity {CALLED_HUMAN!r}, and only with it")
    if choice and (comparison.quantity == "p_HH" or "human" in comparison.agents):
        raise ValueError(
            f"{where}: rates of people's responses are not defined for choices, which are verdicts on "
            "machines alone; p_MM is the share of right choices"
        )
    for agent in () if comparison.rows or comparison.quantity is None else comparison.agents:
        try:
            name_for_agent(comparison.quantity, agent)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    if comparison.quantity == CALLED_HUMAN and procedure.test in BY_RIGHT:
        raise ValueError(
            f"{where}: {procedure.test} takes verdicts as right or wrong, not as human"
        )
    if correlates and comparison.quantity not in ("p_HH", "p_MM", "detectability"):
        raise ValueError(f"{where}: {procedure.test} takes p_HH, p_MM or detectability")
    if (comparison.quantity is None or not comparison.cohorts) != (
        procedure.test == "fleiss_kappa"
    ):
        raise ValueError(f"{where}: every test but fleiss_kappa needs a quantity and cohorts")
    if along and (comparison.by is None or len(comparison.cohorts) != 1):
        raise ValueError(f"{where}: {procedure.test} needs one cohort and a scale (by)")
    if along and comparison.quantity not in ("p_HH", "p_MM"):
        raise ValueError(f"{where}: {procedure.test} takes p_HH or p_MM")
    # Of single verdicts, the share of right ones is no detectability: it follows the mix of responses.
    if procedure.test == "binomial" and comparison.quantity == "detectability" and not choice:
        raise ValueError(f"{where}: of single verdicts two_proportions tests detectability")
    if procedure.test == "two_proportions" and (
        comparison.quantity != "detectability" or comparison.against != 0.5 or choice
    ):
        raise ValueError(
            f"{where}: two_proportions takes detectability against 0.5, of single verdicts"
        )
    if procedure.test == "chi_square" and comparison.quantity not in ("p_HH", "p_MM", CALLED_HUMAN):
        raise ValueError(f"{where}: chi_square takes p_HH or p_MM, or {CALLED_HUMAN!r}")
    if procedure.line != "exact" and (
        procedure.test not in ("slopes", "residuals") or procedure.weighted
    ):
        raise ValueError(f"{where}: line goes with slopes and residuals, levels alike")
    if procedure.u != "smaller" and (procedure.test != "mann_whitney" or procedure.exact_ties):
        raise ValueError(f"{where}: u goes with mann_whitney and exact_ties: false")
    if (procedure.test == "residuals") and comparison.held_out is None:
        raise ValueError(f"{where}: residuals need a level that is held out")


def check_layout(figure, where):
    """Say which panels the layout of a figure lacks, or has twice.

    A letter without a panel takes no room: it is of a task that the study leaves out.
    """
    columns = max(map(len, figure.layout), default=0)
    if figure.widths and len(figure.widths) != columns:
        raise ConfigError(
            f"{where}.widths: {len(figure.widths)} widths, but the layout has {columns} columns\n"
            "  remedy: give one width (mm) for each column, or leave the key out"
        )
    if not figure.layout:
        return
    placed = figure.placed
    faults = {
        "without a place": sorted(set(figure.panels) - set(placed)),
        "placed twice": sorted({at for at in placed if placed.count(at) > 1}),
    }
    told = [f"{', '.join(letters)} {fault}" for fault, letters in faults.items() if letters]
    if told:
        raise ConfigError(
            f"{where}.layout: {'; '.join(told)}\n"
            f"  panels: {', '.join(figure.panels)}\n"
            "  remedy: name each panel once, in the row where it is drawn"
        )
