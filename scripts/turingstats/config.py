"""The configuration: one model that checks it, documents it and writes its default file.

`Config` is what a user edits (`config/config.yaml`, subsets, `--config`); `Study` describes a study
(`config/studies/*.yaml`); `Sources` says where its raw files come from (`data/sources/*.yaml`). An
unknown key is an error everywhere.
"""

import re
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from turingstats.errors import ConfigError

READINGS = ("published", "recommended")
Reading = Literal["published", "recommended"]
JudgeKind = Literal["human", "svm", "llm", "detector"]


class Model(BaseModel):
    """A part of the configuration; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def slug(name):
    """A name as a part of an id: lower case, everything but letters and digits an underscore."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


# --- what a user edits -------------------------------------------------------------------------


class Data(Model):
    """Where the raw trials come from."""

    source: str = Field(
        "demo",
        description="demo (generated data, no network), public (the public repository), or the path "
        "of a checkout of it that you already have",
    )
    repository: str | None = Field(
        None, description="git address for source: public; null takes the one in data/sources/"
    )
    commit: str | None = Field(
        None,
        description="commit that the raw files must come from; null takes the one in data/sources/, "
        "'any' accepts whatever a checkout holds",
    )
    allow_missing: bool = Field(
        False, description="true: go on without listed files that the source lacks ('no data')"
    )


class Resamples(Model):
    """How often to resample."""

    bootstrap: int = Field(10_000, ge=100, description="judge-level bootstrap draws per estimate")
    permutation: int = Field(10_000, ge=100, description="label permutations per permutation test")


class Cleaning(Model):
    """Filters of the recommended reading, on top of what the published analysis left out."""

    exclude_failed_control: bool = Field(
        True,
        description="drop trials whose control question was answered wrong in every cohort, as the "
        "first wave did, so that cohorts are filtered alike",
    )
    min_rt_ms: int = Field(0, ge=0, description="drop verdicts faster than this (milliseconds)")
    exclude_constant_judges: bool = Field(
        False, description="drop judges who gave one and the same verdict on every trial"
    )


class Models(Model):
    """Mixed models of single verdicts."""

    second_opinion: bool = Field(
        True, description="fit every mixed model with a second program too and state the difference"
    )


class Equivalence(Model):
    """When an agent counts as equivalent to people, or to chance."""

    margin: float = Field(
        0.1,
        gt=0,
        lt=0.5,
        description="largest difference of the share called human that counts as none (0.1 is 0.05 of "
        "detectability)",
    )
    power: float = Field(
        0.8,
        gt=0,
        lt=1,
        description="power for which the number of judges that would decide is given",
    )


class Figures(Model):
    """How figures look and what they show."""

    reading: Reading = Field("published", description="reading that figures and tables show")
    formats: tuple[Literal["pdf", "svg", "png"], ...] = Field(
        ("pdf", "svg", "png"), min_length=1, description="picture formats"
    )
    dpi: int = Field(300, ge=72, le=1200, description="dots per inch of PNG pictures")
    colormap: Literal["Blues", "Greys", "cividis", "viridis"] = Field(
        "Blues", description="matplotlib colour map of the confusion matrices (0 to 1)"
    )


SECRET = "secret"
"""Type of a fault whose value must not be shown."""


class LanguageModels(Model):
    """Language models as judges, asked through an OpenAI-compatible chat endpoint."""

    base_url: str | None = Field(
        None,
        description="address of the endpoint, such as http://127.0.0.1:8000/v1; null: no language "
        "model judges",
    )
    models: tuple[str, ...] = Field(
        ("chatgpt-4o-latest",), min_length=1, description="models, each a judge of its own"
    )
    key_variable: str = Field(
        "OPENAI_API_KEY",
        description="name of the environment variable that holds the key; the key itself belongs in "
        "no file",
    )
    tasks: Literal["all"] | tuple[str, ...] = Field(
        "all", description="tasks to judge: all, or a list such as [caption, color]"
    )
    protocols: tuple[Literal["zeroshot", "oneshot", "pairwise"], ...] = Field(
        ("zeroshot",),
        min_length=1,
        description="zeroshot; oneshot (an example with its labels first); pairwise (which of two "
        "conversations has a machine in it)",
    )
    examples: dict[str, str] = Field(
        {"conversation": "first.064"},
        description="stimulus of each task shown as the example of oneshot; elsewhere, and where the "
        "data lack it, one is drawn with the seed",
    )
    stimuli: int | None = Field(
        None,
        ge=1,
        description="judge this many stimuli of each task, drawn with the seed; null: all",
    )
    images: str | None = Field(
        None,
        description="folder of the images, <task>/<stimulus>.jpg; null: images are not shown, and "
        "the judge's name says so",
    )
    prompts: str = Field("config/prompts", description="folder of the prompts' templates")
    temperature: float | None = Field(
        0.0, ge=0, le=2, description="temperature of the answers; null: the endpoint's default"
    )
    parameters: dict[str, JsonValue] = Field(
        {"max_tokens": 1024},
        description="further parameters of each request, passed on as they are",
    )
    max_calls: int = Field(
        10_000,
        ge=0,
        description="most calls of one run, repeated ones included; 0: cached answers only",
    )
    max_cost: float | None = Field(
        None,
        ge=0,
        description="most that one run may cost, in the currency of the prices; null: any",
    )
    price_in: float = Field(0.0, ge=0, description="price of a million tokens sent")
    price_out: float = Field(0.0, ge=0, description="price of a million tokens answered")
    concurrency: int = Field(4, ge=1, le=64, description="calls under way at a time")
    timeout: float = Field(120.0, gt=0, description="seconds until a call is given up")
    attempts: int = Field(
        5, ge=1, description="tries of a call that fails on its way (rate limit, cut connection)"
    )
    cache: str = Field(
        "data/cache/llm", description="folder of all answers received; a rerun asks nothing twice"
    )

    @field_validator("base_url")
    @classmethod
    def address_without_secrets(cls, value):
        if value is None:
            return value
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("not an address; expected something like https://api.example.org/v1")
        if parts.username or parts.password or parts.query:
            raise PydanticCustomError(
                SECRET, "an address must not hold a name, password or query; see key_variable"
            )
        return value.rstrip("/")

    @field_validator("key_variable")
    @classmethod
    def name_and_not_the_key(cls, value):
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", value):
            raise PydanticCustomError(
                SECRET,
                "not the name of an environment variable; the key belongs in that variable, not here",
            )
        return value

    @model_validator(mode="after")
    def limits_can_hold(self):
        if len({slug(name) for name in self.models}) < len(self.models):
            raise ValueError("two models with names that differ in signs or letter case alone")
        taken = {"model", "messages", "temperature", "stream", "n"} & set(self.parameters)
        if taken:
            raise ValueError(f"parameters: {', '.join(sorted(taken))} cannot be set here")
        if self.max_cost is not None:
            if not self.priced:
                raise ValueError("max_cost needs price_in and price_out")
            if self.most_answered is None:
                raise ValueError(
                    "max_cost needs a max_tokens or max_completion_tokens in parameters"
                )
        return self

    @property
    def priced(self):
        """Whether prices are known."""
        return bool(self.price_in or self.price_out)

    @property
    def most_answered(self):
        """Most tokens of an answer, or None where no parameter says so."""
        for name in ("max_completion_tokens", "max_tokens"):
            if isinstance(self.parameters.get(name), int):
                return self.parameters[name]
        return None


class Judges(Model):
    """How machine judges are trained on the responses."""

    train: bool = Field(
        True, description="train the machine judges that the study declares; false: leave them out"
    )
    embeddings: Literal["ngrams", "wordllama", "arrays", "endpoint"] = Field(
        "ngrams",
        description="how texts become numbers: ngrams (hashed character n-grams, no model), wordllama "
        "(a small model with its weights in the package), arrays (a file of vectors), endpoint (any "
        "OpenAI-compatible one)",
    )
    arrays: str | None = Field(
        None,
        description="file of vectors: .npz (arrays texts, vectors) or .parquet (columns text, vector)",
    )
    base_url: str | None = Field(
        None, description="address of the endpoint for embeddings, such as http://127.0.0.1:8000/v1"
    )
    model: str = Field(
        "text-embedding-3-small", description="model asked for at the endpoint for embeddings"
    )
    key_variable: str = Field(
        "OPENAI_API_KEY",
        description="environment variable that holds the endpoint's key; it is written nowhere",
    )
    images: str | None = Field(
        None,
        description="folder with features of the images, <task>.npz: array stimuli and one a layer "
        "(last, early); null: judges that need them are not trained",
    )
    cache: str = Field(
        "data/cache/embeddings",
        description="folder of embeddings, so that no text is embedded twice",
    )
    kernel: Literal["by reading", "linear", "rbf"] = Field(
        "by reading",
        description="by reading: published radial (as the authors' code), recommended linear (as "
        "their Methods); or one of the two for both",
    )
    folds: int = Field(10, ge=2, description="folds of the cross-validation")
    seeds: int = Field(
        3, ge=1, description="how often responses are drawn and dealt to folds; scores are averaged"
    )
    most: int = Field(
        500,
        ge=20,
        description="responses of people, and of machines, that a judge is trained on at most; the "
        "paper's had up to 2000",
    )
    permutations: int = Field(
        1000, ge=100, description="permutations of the test of a judge's accuracy against chance"
    )

    @model_validator(mode="after")
    def no_secrets_in_address(self):
        if self.base_url and ("@" in self.base_url or "?" in self.base_url):
            raise ValueError("base_url: a key belongs in the variable that key_variable names")
        return self


class Pathvars(Model):
    """Folders that paths in the rules refer to (Snakemake's pathvars)."""

    results: str = Field(
        "results",
        min_length=1,
        description="folder of the results; give a subset one of its own to keep the full run",
    )


class Config(Model):
    """Everything a run can be told."""

    study: str = Field("zhang2025", description="name of a file in config/studies/")
    data: Data = Field(Data(), description="where the raw trials come from")
    tasks: Literal["all"] | tuple[str, ...] = Field(
        "all", description="tasks to analyse: all, or a list such as [color]"
    )
    cohorts: Literal["all"] | tuple[str, ...] = Field(
        "all", description="cohorts to analyse: all, or a list such as [amt, expert]"
    )
    agents: Literal["all"] | tuple[str, ...] = Field(
        "all",
        description="AI agents to analyse: all, or a list such as [azure]; people always stay in",
    )
    judge_kinds: Literal["all"] | tuple[JudgeKind, ...] = Field(
        "all",
        description="judges to analyse: all, or a list of kinds (human, svm, llm, detector)",
    )
    judge_group: dict[str, str] = Field(
        {},
        description="one demographic group, such as {gender: female}: people outside it are left out "
        "as judges, and every result says so",
    )
    seed: int = Field(2025, ge=0, description="seed of every random draw")
    confidence: float = Field(0.95, gt=0.5, lt=1, description="level of all intervals")
    resamples: Resamples = Field(Resamples(), description="how often to resample")
    cleaning: Cleaning = Field(
        Cleaning(), description="filters of the recommended reading (the published one has its own)"
    )
    models: Models = Field(Models(), description="mixed models of single verdicts")
    equivalence: Equivalence = Field(
        Equivalence(), description="when an agent counts as equivalent to people, or to chance"
    )
    judges: Judges = Field(Judges(), description="machine judges that are trained here")
    figures: Figures = Field(Figures(), description="what figures and tables show, and how")
    llm: LanguageModels = Field(LanguageModels(), description="language models as judges")
    responses: str | None = Field(
        None,
        description="file with a new model's responses, one a stimulus, for `snakemake benchmark`: "
        ".json ({stimulus: response}) or .csv (stimulus,response)",
    )
    task: str | None = Field(None, description="task of these responses, such as caption")
    model_name: str | None = Field(
        None, description="name of the new model on its page; null takes that of the file"
    )
    pathvars: Pathvars = Field(Pathvars(), description="where results go")
    csv: str | None = Field(
        None,
        description="of `snakemake init`: a table of verdicts (CSV or parquet) to write a study for",
    )
    name: str | None = Field(
        None, description="of `snakemake init`: name of the new study; null takes the file's"
    )
    columns: dict[str, str] = Field(
        {},
        description="of `snakemake init`: columns that it cannot tell by their names, such as "
        "{judge: Beurteiler, verdict: Urteil}",
    )
    values: dict[str, Literal["human", "machine", "unsure"]] = Field(
        {},
        description="of `snakemake init`: what words in the table mean, such as "
        "{Mensch: human, KI: machine}",
    )

    @model_validator(mode="after")
    def responses_have_a_task(self):
        if (self.responses is None) != (self.task is None):
            raise ValueError("responses and task belong together: a file, and the task it is of")
        return self

    @property
    def submitted_name(self):
        """Name of the new model, if there is one."""
        return self.model_name or (self.responses and Path(self.responses).stem)

    @property
    def submission(self):
        """The new model and its task as the name of a folder."""
        return f"{self.task}_{slug(self.submitted_name) or 'model'}" if self.responses else None


# --- what describes a study --------------------------------------------------------------------


class Agent(Model):
    """Who made a response, and the names the raw files call it by."""

    label: str
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

    label: str
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
    """How often every independent verdict is repeated in the source (identical 'seeds')."""
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

    label: str
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
    pooled_humans: bool = False
    """Detectability at a level sets an agent against people at all levels, not only at its own."""


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
    missing: Literal["zero", "complete"] = "complete"
    exact_ties: bool = True
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
    score: str | None = None
    """Of a correlation over agents: the measure of benchmarks.csv that the quantity is set against."""
    agents: tuple[str, ...] = ("all",)
    rows: tuple[str, ...] = ()
    """In place of groups: agent@level of the condition `by`, to compare shares called human."""
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
    """A declared regression of verdicts; see `turingstats.models`."""

    id: str
    task: str
    cohorts: tuple[str, ...]
    formula: str
    reduced: dict[str, str] = {}
    """Formulas nested in `formula`, each tested against it by a likelihood ratio; by what is tested."""
    only: dict[str, tuple[str, ...]] = {}
    """Levels of columns to keep, in order: the first is what others are compared with."""
    quadrature: int | None = None
    """Nodes per random effect; see `turingstats.mixed_models.fit`."""
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

    title: str
    panels: dict[str, Panel] = {}


class RateTable(Model):
    """A table of pass rates; see `turingstats.rate_tables`."""

    title: str
    task: str
    by: str
    """Condition whose levels are rows, within agents."""
    label: str
    """What to call these levels."""
    across: str
    """Condition whose levels are columns, within cohorts; `by`+`across` is a condition of the task."""
    order: tuple[str, ...] = ()
    """Of the levels that are columns."""


class GenderTable(Model):
    """A table of the genders that judges took speakers for; see `turingstats.genders`."""

    title: str
    task: str
    by: str
    """Condition whose levels have rows of their own, within speakers."""
    label: str
    """What to call these levels."""
    judges: str
    """Demographic variable whose groups of judges have columns of their own."""
    note: str = ""
    """What a reader of the table must know."""


class Part(Model):
    """The part of a study that is kept; see `subset`."""

    tasks: Literal["all"] | tuple[str, ...] = "all"
    cohorts: Literal["all"] | tuple[str, ...] = "all"
    agents: Literal["all"] | tuple[str, ...] = "all"
    judge_kinds: Literal["all"] | tuple[str, ...] = "all"


def listed(value):
    """A list, or one value as a list of it."""
    return value if isinstance(value, list | tuple) else [value]


class AnyStudy(Model):
    """What a study of any design says of itself."""

    study: str
    """By default the name of its file."""
    title: str
    reference: str = ""
    readings: tuple[Reading, ...] = Field(READINGS, min_length=1)
    """A study that nobody has published yet has the recommended one alone."""
    tables: dict[str, str | RateTable | GenderTable] = {}
    claims: tuple[str, ...] = ()
    """Papers whose claims are checked on this study's data (folders of data/published/)."""
    versions: str | None = None
    """Another paper on the same data, whose printed numbers stand beside this study's in a table."""
    not_drawn: dict[str, str] = {}
    """Figures and tables of the paper that rest on data and are not made here, and why."""


class Study(AnyStudy):
    """A study: who judged what, which groups, which tests, which figures."""

    design: Literal["verdicts"] = "verdicts"
    """What was collected; `turingstats.ratings_study` describes studies of pairwise ratings."""
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
        ids = [comparison.id for comparison in self.comparisons]
        repeated = {i for i in ids if ids.count(i) > 1}
        if repeated:
            raise ValueError(f"comparisons: id used twice: {', '.join(sorted(repeated))}")
        return self

    @property
    def gender_tables(self):
        """The tables of genders that judges took speakers for."""
        return {name: own for name, own in self.tables.items() if isinstance(own, GenderTable)}


# --- where raw files come from -----------------------------------------------------------------


class RawFile(Model):
    """A raw file of the source and the adapter that reads it."""

    path: str
    format: str
    task: str
    cohort: str | None = None
    key: str | None = None
    """Top-level key of the JSON object that holds the records."""
    variant: str | None = None
    """Variant of the task that all records belong to, where they do not say it themselves."""
    judges: int = 1
    """Machine judges whose predictions follow each other in equal parts."""
    columns: dict[str, str] = {}
    """Of a table: its column for each name of the data contract (`turingstats.schema`)."""
    optional: tuple[str, ...] = ()
    """Of `columns`: those that the table may lack; nothing is known of them then."""
    values: dict[str, dict[str, str | None]] = {}
    """Of a table: by name of the contract, what its values mean there; null leaves the row out."""
    where: dict[str, tuple[str, ...]] = {}
    """Of a table: only rows that have one of these values in this column of the file."""
    questionnaire: str | None = None
    """Of a table of verdicts: the file with the judges' answers about themselves, a row a judge."""

    @field_validator("values", "where", mode="before")
    @classmethod
    def as_text(cls, described):
        """Take numbers as the text that a table holds; YAML's yes and no have lost theirs."""

        def text(value):
            if isinstance(value, bool):
                raise ValueError("put yes, no, true and false in quotes: YAML reads them otherwise")
            return str(value) if isinstance(value, int | float) else value

        if not isinstance(described, dict):
            return described
        return {
            name: {text(key): text(value) for key, value in known.items()}
            if isinstance(known, dict)
            else [text(value) for value in listed(known)]
            for name, known in described.items()
        }

    public: bool = True
    """False: only the authors' archive has it, so that its absence is no error."""
    would_supply: str | None = None
    """Of a file that is not public: what it is needed for."""


class AbsentFile(Model):
    """A file that the analysis would need and that was never made public."""

    path: str
    task: str
    cohort: str | None = None
    would_supply: str


class Sources(Model):
    """The public repository of a study and its raw files."""

    repository: str | None = None
    commit: str | None = None
    folder: str | None = None
    """Where the raw files are, for a study whose data are at hand; there is no other source then."""
    generator: str | None = None
    """The module of turingstats.simulate that generates all raw files of the study at once, for
    data.source demo; None: one module a task."""
    generated_from: tuple[str, ...] = ("design", "demographics")
    """Tables of data/published/<study>/ that generated files start from."""
    generated: bool = False
    """The files in `folder` were generated: nobody was observed, and every result says so."""
    shared_with: str | None = None
    """The study whose raw files these are; they are fetched or generated for both at once."""
    files: tuple[RawFile, ...] = ()
    not_public: tuple[AbsentFile, ...] = ()


def made_from(sources, data):
    """What a study's results are made from, as every result says.

    Parameters
    ----------
    sources : Sources
    data : Data

    Returns
    -------
    str
        "public data" only for the public repository, or for files that its pinned commit vouches for;
        a folder of one's own holds "observed data".
    """
    if sources.folder:
        return "generated data" if sources.generated else "observed data"
    if data.source == "demo":
        return "generated data"
    cloned = data.source == "public" and data.repository is None
    pinned = sources.commit not in (None, "any") and data.commit in (None, sources.commit)
    return "public data" if cloned or pinned else "observed data"


# --- reading and checking ----------------------------------------------------------------------


def check_procedure(comparison, procedure, choice, where):
    """Say what a declared test lacks, or has too much."""
    correlates = procedure.test in ("pearson", "spearman")
    along = procedure.test in ("slopes", "residuals", "binomial_regression")
    if correlates != bool(comparison.score):
        raise ValueError(f"{where}: a correlation needs a score, and no other test takes one")
    if bool(comparison.rows) != (comparison.quantity == "called human"):
        raise ValueError(f"{where}: rows go with the quantity 'called human', and only with it")
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
    if procedure.test == "chi_square" and comparison.quantity not in ("p_HH", "p_MM"):
        raise ValueError(f"{where}: chi_square takes p_HH or p_MM")
    if (procedure.test == "residuals") and comparison.held_out is None:
        raise ValueError(f"{where}: residuals need a level that is held out")


def require(name, known, where, what):
    """Return `name` if it is one of `known`; else say what would have been."""
    if name not in known:
        raise ValueError(
            f"{where}: unknown name {name!r}; {what} known: {', '.join(sorted(known))}"
        )
    return name


def check(model, values, where):
    """Build `model` from `values`; turn the first faults into one kind message.

    Parameters
    ----------
    model : type of Model
    values : dict
    where : str
        File or place that the values come from.

    Raises
    ------
    ConfigError
        Names each faulty key, what was found and, for an unknown key, the known ones.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        lines = [f"{where} is not valid:"]
        for fault in error.errors():
            key = ".".join(str(part) for part in fault["loc"])
            if fault["type"] == "extra_forbidden":
                known = ", ".join(known_keys(model, fault["loc"][:-1]))
                lines.append(f"  {key}: unknown key; known here: {known}")
            else:
                hidden = isinstance(fault["input"], dict) or fault["type"] == SECRET
                found = "" if hidden else f" (found {fault['input']!r})"
                lines.append(f"  {key or 'file'}: {fault['msg']}{found}")
        lines.append("Every key is described in docs/configuration.md.")
        raise ConfigError("\n".join(lines)) from None


def known_keys(model, location):
    """Keys that `model` knows at a nested location."""
    for part in location:
        field = getattr(model, "model_fields", {}).get(part)
        if field is None or not isinstance(field.annotation, type):
            return ["see docs/configuration.md"]
        model = field.annotation
    return sorted(getattr(model, "model_fields", {})) or ["see docs/configuration.md"]


def read_yaml(path):
    """Read a YAML file."""
    import yaml

    path = Path(path)
    if not path.exists():
        options = sorted(p.stem for p in path.parent.glob("*.yaml"))
        raise ConfigError(f"There is no {path}; known: {', '.join(options) or 'none'}")
    try:
        # The loader in C where there is one: study files are long, and read at every start.
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        return yaml.load(path.read_text(), Loader=loader) or {}
    except yaml.YAMLError as error:
        raise ConfigError(f"{path} is not valid YAML: {error}") from None


def read_parts(path):
    """Read a YAML file and the files it names under `include`, merged into one.

    A study or its sources may be spread over one file a task: mappings are merged, lists joined. Of a
    part that belongs to another study, `{file: ..., only: [...]}` takes the named keys alone.
    """
    path = Path(path)
    merged = read_yaml(path)
    for entry in merged.pop("include", []):
        entry = entry if isinstance(entry, dict) else {"file": entry}
        part = path.parent / entry["file"]
        values = read_yaml(part)
        absent = [key for key in entry.get("only", ()) if key not in values]
        if absent:
            raise ConfigError(
                f"{path}: {part} has no {', '.join(absent)}; it has {', '.join(values)}"
            )
        values = {key: values[key] for key in entry.get("only", values)}
        merged = joined(merged, values, part)
    return merged


def joined(one, other, where):
    """Merge two parts of a YAML tree; a plain value in both is an error."""
    if isinstance(one, dict) and isinstance(other, dict):
        shared = {key: joined(one[key], other[key], where) for key in one.keys() & other.keys()}
        return {key: shared.get(key, {**one, **other}[key]) for key in {**one, **other}}
    if isinstance(one, list) and isinstance(other, list):
        return one + other
    if one == other:
        return one
    raise ConfigError(f"{where}: {other!r} was set to {one!r} in an earlier part")


def load_study(path):
    """Read and check a study file with its parts; the study is named after the file.

    Its `design` says of which model it is. A study that takes tasks of another has the cohorts
    (tasks, agents) that its key `keep` names.
    """
    values, name = read_parts(path), Path(path).stem
    keep = values.pop("keep", None)
    if values.setdefault("study", name) != name:
        raise ConfigError(
            f"{path}: study is {values['study']!r}, but the file is named {name}\n"
            f"  remedy: leave the key out, or rename the file to {values['study']}.yaml"
        )
    if not re.fullmatch(r"[A-Za-z0-9_]+", name):
        raise ConfigError(f"{path}: the name of a study may have letters, digits and _ alone")
    if values.get("design") == "ratings":
        from turingstats.ratings_study import RatingsStudy

        return check(RatingsStudy, values, str(path))
    study = check(Study, values, str(path))
    return subset(study, check(Part, keep, f"{path}: keep")) if keep else study


def load_sources(path):
    """Read and check a file of raw sources with its parts."""
    return check(Sources, read_parts(path), str(path))


def subset(study, config, strict=True):
    """Keep the tasks, cohorts and AI agents that the configuration asks for.

    Parameters
    ----------
    study : Study
    config : Config or Part
    strict : bool
        Whether every name must be one of the study; else those that are none are passed over, and a
        study that knows none of them stays whole in that respect.

    Returns
    -------
    Study
        With its comparisons, panels and tables of single tasks cut to what is left.

    Raises
    ------
    ConfigError
        A name is unknown to the study, or nothing is left.
    """
    if study.design == "ratings":
        for what, names in (("tasks", study.tasks), ("agents", study.systems)):
            asked = getattr(config, what)
            unknown = sorted(set() if asked == "all" else set(asked) - set(names))
            if unknown:
                raise ConfigError(
                    f"{what}: {', '.join(unknown)} unknown to study {study.study}; "
                    f"known: {', '.join(sorted(names))}"
                )
        return study.cut(config.tasks, config.agents)
    known = {
        "tasks": set(study.tasks),
        "cohorts": {name for task in study.tasks.values() for name in task.cohorts},
        "agents": set(study.agents) - {"human"},
    }
    chosen = {}
    for what, names in known.items():
        asked = getattr(config, what)
        chosen[what] = names if asked == "all" else set(asked)
        unknown = sorted(chosen[what] - names)
        if what == "tasks" and isinstance(config, Config) and config.llm.tasks != "all":
            unknown += sorted(set(config.llm.tasks) - names)
        if not strict:
            chosen[what] = chosen[what] & names or names
        elif unknown:
            raise ConfigError(
                f"{what}: {', '.join(unknown)} unknown to study {study.study}; "
                f"known: {', '.join(sorted(names))}"
            )
    tasks = {}
    for task_name, task in study.tasks.items():
        if task_name not in chosen["tasks"]:
            continue
        cohorts = {}
        for name, cohort in task.cohorts.items():
            agents = tuple(a for a in cohort.agents if a in chosen["agents"])
            kept = config.judge_kinds == "all" or cohort.judge_kind in config.judge_kinds
            if {name, *cohort.pools} <= chosen["cohorts"] and agents and kept:
                cohorts[name] = cohort.model_copy(update={"agents": agents})
        if cohorts:
            left = {agent for cohort in cohorts.values() for agent in cohort.agents}
            agents = tuple(a for a in task.agents if a in left)
            tasks[task_name] = task.model_copy(update={"agents": agents, "cohorts": cohorts})
    if not tasks:
        raise ConfigError(
            f"tasks {config.tasks}, cohorts {config.cohorts}, agents {config.agents} and judge_kinds "
            f"{config.judge_kinds} leave no cohort of study {study.study}; widen one of them"
        )

    def present(task, cohorts):
        return task in tasks and set(cohorts) <= set(tasks[task].cohorts)

    def left(names, task, cohorts):
        """The agents, or agents at a level, that the cohorts or else the task still have."""
        described = tasks[task]
        own = {a for c in cohorts for a in described.cohorts[c].agents} or set(described.agents)
        return tuple(a for a in names if a.split("@")[0] in {"human", "all", *own})

    comparisons = tuple(
        comparison.model_copy(update={"agents": agents})
        for comparison in study.comparisons
        if present(comparison.task, comparison.cohorts)
        and (agents := left(comparison.agents, comparison.task, comparison.cohorts))
    )
    tested = {comparison.id for comparison in comparisons}
    models = []
    for model in study.models:
        cohorts = tuple(c for c in model.cohorts if present(model.task, (c,)))
        # A comparison of cohorts goes on with those that are left.
        if cohorts == model.cohorts or len(cohorts) > 1:
            left_of = tuple(i for i in model.counterpart_of if i in tested)
            models.append(model.model_copy(update={"cohorts": cohorts, "counterpart_of": left_of}))
    figures = {}
    for name, figure in study.figures.items():
        panels = {}
        for letter, panel in figure.panels.items():
            cohorts = [c for c in (panel.cohort, *panel.cohorts) if c]
            if present(panel.task, cohorts):
                kept = {k: left(getattr(panel, k), panel.task, cohorts) for k in ("agents", "rows")}
                panels[letter] = panel.model_copy(update=kept)
        figures[name] = figure.model_copy(update={"panels": panels})
    figures = {name: figure for name, figure in figures.items() if figure.panels}
    tables = {
        name: table
        for name, table in study.tables.items()
        if isinstance(table, str) or table.task in tasks
    }
    return study.model_copy(
        update={
            "tasks": tasks,
            "comparisons": comparisons,
            "models": tuple(models),
            "figures": figures,
            "tables": tables,
        }
    )


def group_of(study, config):
    """The demographic group of judges that the configuration asks for, as (variable, group), or None.

    Raises
    ------
    ConfigError
        More than one is named, or the study does not know it.
    """
    if not config.judge_group:
        return None
    known = {by: list(groups) for by, groups in study.demographics.items()}
    asked = list(config.judge_group.items())
    if len(asked) > 1 or asked[0][1] not in known.get(asked[0][0], []):
        listed = "; ".join(f"{by}: {', '.join(groups)}" for by, groups in known.items())
        raise ConfigError(
            f"judge_group: {config.judge_group} is not one group of judges of study {study.study}; "
            f"known: {listed}"
        )
    return asked[0]


PROTOCOLS = {"zeroshot": "zero-shot", "oneshot": "one-shot", "pairwise": "pairwise"}


def language_judges(task, settings):
    """The language models that judge a task, as cohorts.

    Parameters
    ----------
    task : str
    settings : LanguageModels

    Yields
    ------
    name : str
        Of the cohort, such as zeroshot_gpt_4o.
    model, protocol, label : str
    """
    blind = task not in ("word", "conversation") and settings.images is None
    for protocol in settings.protocols:
        # Pairs are of conversations.
        if protocol == "pairwise" and task != "conversation":
            continue
        for model in settings.models:
            label = f"{model}, {PROTOCOLS[protocol]}{', no image' if blind else ''}"
            yield f"{protocol}_{slug(model)}", model, protocol, label


def with_language_judges(study, settings):
    """Add the language models that judge here to the cohorts of a study.

    Parameters
    ----------
    study : Study
    settings : LanguageModels
        Without an endpoint nothing is added.

    Returns
    -------
    Study

    Raises
    ------
    ConfigError
        A cohort of that name is there already.
    """
    if settings.base_url is None:
        return study
    tasks = dict(study.tasks)
    for name in judged_tasks(study, settings):
        cohorts = dict(tasks[name].cohorts)
        for cohort, _, _, label in language_judges(name, settings):
            if cohort in cohorts:
                raise ConfigError(f"llm.models: task {name} has a cohort {cohort} already")
            cohorts[cohort] = Cohort(label=label, judge_kind="llm", agents=tasks[name].agents)
        tasks[name] = tasks[name].model_copy(update={"cohorts": cohorts})
    return study.model_copy(update={"tasks": tasks})


def only_trained(study):
    """Cut a study to what the training of its judges uses.

    Parameters
    ----------
    study : Study

    Returns
    -------
    Study
        Tasks and cohorts with judges that are trained here, and no label, condition, test or figure: a
        change of these trains no judge anew.
    """
    tasks = {}
    for name, task in study.tasks.items():
        cohorts = {
            key: Cohort(
                label=key, judge_kind=own.judge_kind, agents=own.agents, trained=own.trained
            )
            for key, own in task.cohorts.items()
            if own.trained
        }
        if cohorts:
            used = {agent for own in cohorts.values() for agent in own.agents}
            agents = tuple(agent for agent in study.agents if agent in used)
            tasks[name] = Task(label=name, agents=agents, cohorts=cohorts, features=task.features)
    used = {agent for task in tasks.values() for agent in task.agents}
    agents = {name: Agent(label=name) for name in study.agents if name in used}
    return Study(study=study.study, title="", reference="", agents=agents, tasks=tasks)


def judged_tasks(study, settings):
    """Tasks of a study that language models judge, in the study's order."""
    if settings.tasks == "all":
        return list(study.tasks)
    # One that the run leaves out is no error; one that is not known at all is found by `subset`.
    return [name for name in study.tasks if name in settings.tasks]


# --- what is written from the model ------------------------------------------------------------


def default_yaml(model=Config, depth=0):
    """The default configuration as commented YAML; `config/config.yaml` is exactly this text."""
    lines = []
    pad = "  " * depth
    for name, field in model.model_fields.items():
        lines.append(f"{pad}# {field.description}")
        default = field.default
        if isinstance(default, Model):
            lines.append(f"{pad}{name}:")
            lines.append(default_yaml(type(default), depth + 1))
        else:
            lines.append(f"{pad}{name}: {flow(default)}")
    return "\n".join(lines) + ("\n" if depth == 0 else "")


def flow(value):
    """A default value in YAML flow style."""
    import yaml

    if isinstance(value, tuple):
        value = list(value)
    text = yaml.safe_dump(value, default_flow_style=True, width=1000)
    return text.removesuffix("...\n").strip()


def reference_markdown(model=Config, prefix=""):
    """The reference of every key as a Markdown table; `docs/configuration.md` holds it."""
    rows = [] if prefix else ["| key | default | meaning |", "| --- | --- | --- |"]
    for name, field in model.model_fields.items():
        if isinstance(field.default, Model):
            rows.append(f"| `{prefix}{name}` | | {field.description} |")
            rows.append(reference_markdown(type(field.default), f"{prefix}{name}.").rstrip("\n"))
        else:
            rows.append(f"| `{prefix}{name}` | `{flow(field.default)}` | {field.description} |")
    return "\n".join(rows) + "\n"


def json_schema():
    """JSON schema of `Config`, for editors; `workflow/schemas/config.schema.json` holds it."""
    import json

    return json.dumps(Config.model_json_schema(), indent=2) + "\n"


def modules_of(scripts, package):
    """Modules of a package that are chosen by name while running, relative to scripts/."""
    folder = Path(scripts) / "turingstats" / package
    return sorted(str(path.relative_to(scripts)) for path in folder.glob("*.py"))


def write_generated(root):
    """Write the files that follow from this module: default configuration, reference, schema."""
    root = Path(root)
    (root / "config/config.yaml").write_text(HEADER + default_yaml())
    (root / "docs/configuration.md").write_text(REFERENCE + reference_markdown())
    (root / "workflow/schemas/config.schema.json").write_text(json_schema())


HEADER = """\
# yaml-language-server: $schema=../workflow/schemas/config.schema.json
# What a run does. Change a key here, on the command line (snakemake --config seed=7, or
# --config data="{source: public}") or in a file of your own (--configfile mine.yaml).

"""
REFERENCE = """\
# Configuration

Every key of `config/config.yaml`. Set one there, with `--configfile mine.yaml` (only the keys that
differ), or with `--config`. An unknown key is an error.

"""

if __name__ == "__main__":
    write_generated(Path(__file__).parents[2])
