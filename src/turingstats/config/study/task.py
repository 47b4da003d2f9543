"""Agents, cohorts of judges, tasks, and exclusions."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import model_validator

from turingstats.config.study.base import Labeled, TaskPart
from turingstats.core.yaml_models import LABEL, JudgeKind, Label, Model, Reading

Role = Annotated[
    Literal[
        "people",
        "laboratory",
        "online",
        "Prolific",
        "experts",
        "paper's classifier",
        "paper's classifier, few examples",
        "classifier trained here",
        "classifier trained here, few examples",
        "language model",
        "detector",
    ],
    LABEL,
]
"""Roles of judges, each with a color and a marker of its own (`turingstats.figures.palette.ROLES`)."""


class Agent(Labeled):
    """Whoever makes responses: people, who are always the agent `human`, or a model."""

    aliases: tuple[str, ...] = ()
    """Other names of the agent in the raw files, beside its key and label, in any letter case."""
    kind: Label = ""
    """What the agent is; agents of a kind share a color in figures of similarity."""
    several: bool = False
    """Whether these are several machines whose names are not known, others in each cohort; the synthesis of
    all studies never averages them."""
    model: str = ""
    """Only for ratings of similarity: the model, the same for agents that are one model asked in
    several ways."""


class Trained(Model):
    """How the machine judges of a cohort are trained here, on the responses of its task."""

    design: Literal["folds", "few", "one", "others"]
    """`folds`: cross-validation; `few`: 25 judges with a few examples each; `one`: trained on one
    agent, tested on the others; `others`: trained on all agents but one, tested on that one."""
    examples: int | None = None
    """Only for `few`, which needs it: examples per judge."""

    def list_faults(self) -> Iterator[str]:
        """Check that examples are given for the design few, and only for it."""
        if (self.design == "few") != (self.examples is not None):
            yield "examples belong to the design few, which needs them"


class Cohort(Labeled):
    """Judges recruited together under one protocol."""

    judge_kind: JudgeKind = "human"
    """Who judges: people (`human`), trained classifiers (`svm`), language models (`llm`) or detectors of
    machine-made text (`detector`)."""
    role: Role | None = None
    """Who the judges are, which decides their color and marker in figures; by default, the kind of
    judge and the order of cohorts do."""
    setting: Literal["online", "in-lab", "feedback"] | None = None
    """Where people judged; the table `settings` adds up cohorts with the same setting."""
    agents: tuple[str, ...]
    """Machines whose responses the cohort judged; by default, all agents of the task."""
    shown_per_judge: int | Literal["all"] | None = None
    """Trials shown to each judge, to count those that the source lacks; `all` if it lacks none."""
    counted: Literal["shown", "source", "analyzed"] = "shown"
    """Which trials the tables `sizes` and `settings` count: those shown, in the source, or analyzed."""
    absent_because: str = ""
    """Why the source contains fewer trials than were shown."""
    absent_failed_control: bool = False
    """Whether the absent trials are those with a wrong control answer."""
    published_judges: int | None = None
    """Number of judges, the first in the file, on which the published matrices are based."""
    fixed_control: bool = False
    """Whether the stored answer to the control question is a label of the stimulus, not the judge's answer:
    neither reading uses it."""
    published_mean_of: str | None = None
    """The published matrix of the whole cohort is the mean of the matrices at this condition's levels."""
    min_control_right: int | None = None
    """A judge with fewer right control answers (catch trials do not count) is left out."""
    min_catch_control: float | None = None
    """Minimum share of right control answers on catch trials."""
    replicates: int = 1
    """How often the source repeats all verdicts, in equal blocks (identical 'seeds')."""
    unnamed: bool = False
    """Whether the source has no judge ids, so that each trial counts as one judge."""
    pools: tuple[str, ...] = ()
    """Cohorts whose trials are pooled in this one."""
    trained: Trained | None = None
    """Only for machine judges that are trained here."""

    @property
    def trials_shown(self) -> int | None:
        """Trials shown to each judge, if this is known and the same for all."""
        return None if self.shown_per_judge == "all" else self.shown_per_judge

    def find_role(self) -> str | None:
        """Find the role of the judges; None for people whose role is not declared."""
        if self.role or self.judge_kind == "human":
            return self.role
        if self.trained:
            few = self.trained.design == "few"
            return "classifier trained here" + (", few examples" if few else "")
        return {"svm": "paper's classifier", "llm": "language model", "detector": "detector"}[
            self.judge_kind
        ]


class Exclusion(Model):
    """Trials that are left out."""

    reason: str
    """Why the trials are left out, for the exclusion log."""


class Defect(Exclusion):
    """A known defect of the raw data."""

    left_out_in: tuple[Reading, ...]
    """Readings that leave out the trials."""
    session: bool = False
    """Whether whole sessions are left out, with their catch trials and judges."""


class Texts(Model):
    """How the table `texts` measures the responses of a language task; the recommended reading
    measures all of them."""

    unit: str
    """What one response is called, in the singular."""
    agents: tuple[str, ...]
    """Machines that the table shows, after people."""
    collection: str | None = None
    """The published table includes only conversations of this collection."""
    without_shared: bool = False
    """The published table leaves out stimuli to which a person and a model gave the same answer."""


class Filter(Exclusion):
    """A rule for trials that both readings leave out."""

    id: str
    """Short name of the rule; `sizes.csv` counts the trials as `n_left_out_<id>`."""
    column: str | None = None
    """Column of the judgments: trials with one of `values` are left out."""
    values: tuple[str, ...] = ()
    """Only with `column`, which needs it: the values."""
    run: int | None = None
    """Trials that follow this many trials of the same judge with machines' responses are left out;
    they need a position."""

    def list_faults(self) -> Iterator[str]:
        """Check that a filter has either a column or a run of trials."""
        if bool(self.column) == bool(self.run) or bool(self.column) != bool(self.values):
            yield f"filter {self.reason!r}: needs either column with values, or run"


class Codes(TaskPart):
    """Manual codes of free text, such as the judges' reasons."""

    column: str
    """Column of the judgments; several codes are separated by semicolons."""
    label: str
    """What a code represents."""
    scheme: str = ""
    """File in `data/published/<study>/` with the columns code, category, label and location; by
    default, codes have no categories."""


class Response(Model):
    """Form of the responses of a task, for scoring new models and for the prompts of language models that
    judge."""

    form: Literal["text", "list", "scan path", "conversation"] = "text"
    """`text`: free text; `list`: several words, separated by commas; `scan path`: a list of [x, y] in pixels;
    `conversation`: turns of two speakers."""
    description: str = "a text"
    """What a response is, in words that prompts use."""
    words: int | None = None
    """Maximum number of words of a `text`, or of entries of a `list`, for responses of new
    models."""
    to_image: bool = False
    """Whether responses are to images, which language models see if `llm.images` is set."""
    variant: str | None = None
    """Variant of the task that prompts are about and judges are trained on."""
    other_variants: tuple[str, ...] = ()
    """Prefixes of the stimuli of variants without a published prompt."""
    example: str | None = None
    """Stimulus of the example in one-shot prompts; by default a random one."""


class Task(Labeled):
    """One test: judges say of responses whether a person or a machine made them or, with
    `references`, people and machines rate how similar two items are."""

    agents: tuple[str, ...]
    """Machines whose responses are judged, or that rated similarity, in order; by default all
    agents of the study."""
    cohorts: dict[str, Cohort] = {}
    """Groups of judges, by the name that raw files, tests and panels use."""
    references: tuple[str, ...] = ()
    """Only for ratings of similarity, in place of cohorts: agents with which all others are also
    compared within and between categories of items; the first is the reference of figures."""
    also: tuple[str, ...] = ()
    """Only for ratings of similarity: agents that are compared only with the references."""
    design: Literal["three_party", "pairs"] | None = None
    """`pairs`: choices between responses of two or more agents, who are ranked, as in all tasks of
    the study. `three_party`: a choice in a game in which the judge talked to a person and a
    machine; stimuli are the people who were judged."""
    choice: bool = False
    """Whether a trial shows a person's and a machine's response, and the judge says which is
    which."""
    samples: tuple[Literal["judges", "stimuli"], ...] = ("judges", "stimuli")
    """What conclusions of the recommended reading are about: other judges and, where all stimuli
    are known, other stimuli; with `[judges]` exactly these stimuli."""
    sessions: Literal["first", "all"] = "first"
    """Whether of judges who came several times the first session counts, or all, as verdicts of one
    person."""
    published_mean_over: Literal["verdicts", "stimuli"] = "verdicts"
    """Only for choices: a published rate is that of all verdicts, or the mean rate over single stimuli."""
    control_pass: tuple[int, int] | None = None
    """Judges with a smaller share (right, of) of right control answers are left out in both
    readings; without this key, the recommended reading leaves out single trials."""
    control_ignores: str = ""
    """Regular expression: the part of a stimulus's name that the control question is not about."""
    published_control: tuple[str, ...] = ()
    """Cohorts of which the published reading, too, leaves out trials with a wrong control answer."""
    conditions: tuple[str, ...] = ()
    """Columns whose levels get separate matrices; a plus sign crosses two, or one with a
    demographic variable."""
    columns: dict[str, Literal["number", "word", "check", "scale"]] = {}
    """Further columns of the judgments, without separate matrices. A `check` follows from truth and
    verdict: `data/record_checks.csv` lists contradictions, and no formula may name it. A `scale` is
    a rating beside the verdict, such as of trust."""
    filters: tuple[Filter, ...] = ()
    """Trials that both readings leave out, applied in this order."""
    defects: dict[str, Defect] = {}
    """Known defects, by their name in the column `defect` of the judgments."""
    features: Literal["text", "cue", "scan path"] = "text"
    """What a judge trained here sees: the embedding of the response, its difference from the cue's,
    or fixations."""
    response: Response = Response()
    """What a response is, for new models and for prompts; without this key, a text."""
    page_lengths: tuple[int, ...] = ()
    """Only for conversations: lengths, in turns, at which those of the last length were shown."""
    texts: Texts | None = None
    """Only for language tasks: how responses are measured."""
    pooled_humans: tuple[str, ...] = ()
    """Conditions at whose levels detectability compares an agent with people at all levels."""

    @model_validator(mode="before")
    @classmethod
    def declare_choice(cls, values: Any) -> Any:
        """Declare that games of three parties are choices."""
        is_game = isinstance(values, dict) and values.get("design") == "three_party"
        return values | {"choice": True} if is_game else values

    def list_faults(self) -> Iterator[str]:
        """Check that the task has either cohorts or references."""
        if bool(self.cohorts) == bool(self.references):
            yield "a task needs cohorts (judges give verdicts) or references (similarity is rated)"

    @property
    def condition_names(self) -> tuple[str, ...]:
        """Columns, or demographic variables, that conditions name."""
        return tuple(name for condition in self.conditions for name in condition.split("+"))

    @property
    def scales(self) -> tuple[str, ...]:
        """Ratings given beside the verdict."""
        return tuple(name for name, kind in self.columns.items() if kind == "scale")

    @property
    def numbers(self) -> tuple[str, ...]:
        """Further columns that hold numbers."""
        return tuple(name for name, kind in self.columns.items() if kind in ("number", "scale"))

    @property
    def raters(self) -> tuple[str, ...]:
        """Whoever may have rated similarity: people first, and agents of sweeps last."""
        return ("human", *self.agents, *self.also)
