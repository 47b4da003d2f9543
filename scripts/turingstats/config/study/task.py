"""Who judged what: agents, cohorts of judges, tasks, and what is left out of them."""

from typing import Literal

from pydantic import model_validator

from turingstats.core.yaml_models import JudgeKind, Label, Model, Reading


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
    def check_examples(self) -> "Trained":
        """Examples go with the design few."""
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
    def check_kind(self) -> "Filter":
        """A filter goes by a column or by a run of trials."""
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


class Response(Model):
    """What a response to a stimulus of a task is, and what a language model that judges it is shown."""

    form: Literal["text", "list", "scan path", "conversation"] = "text"
    """list: several words, which commas separate; scan path: a list of [x, y] in pixels."""
    description: str = "a text"
    """What to give, such as "three objects, such as car, tree, dog"."""
    max_words: int | None = None
    """Of a text."""
    length: int | None = None
    """Of a list: how many words."""
    to_image: bool = False
    """The stimulus is an image."""
    variant: str | None = None
    """Variant of the task that prompts are about."""
    other_variants: tuple[str, ...] = ()
    """How stimuli of variants begin about which there is no published prompt."""
    example: str | None = None
    """The stimulus that is shown as the example of one-shot prompts; without it one is drawn."""


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
    control_ignores: str = ""
    """Regular expression: the part of a stimulus's name that the control question is not about."""
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
    response: Response | None = None
    """Without it new models cannot be scored, and language models take responses for texts."""
    page_lengths: tuple[int, ...] = ()
    """Of conversations: lengths, in turns, at which judges saw them. A conversation as long as the last
    one was shown cut at each, any other whole."""
    texts: Texts | None = None
    """Of a language task: how its responses are measured."""
    pooled_humans: tuple[str, ...] = ()
    """Conditions at whose levels detectability sets an agent against people at all levels, not only at its
    own."""
