"""People's judgments: `{"Trial_1": {"workerID", "workerData", "trialData"}, ...}` (`format: trials`).

The files of five tasks have this form; what they say of the response differs (of words, see `word_trials`).

Image captioning: the kind of an image follows from its number. The files have a kind, too (`imagetype`), but
it is the same for all trials of a judge (that of the last trial), so it is not read.

Color estimation and Object detection: files of the first wave have their records under a top-level key and
lack trials with a wrong control answer. Those of the 2025 experiments are flat and include the control
answers: `object_groundtruth` 0 means that the statement is true, and `response_object` is 1 for true and 2
for false.

Attention prediction: in the first wave a `workerID` identifies a session, and the control answers are not
recorded. Those of 2025 are nouns, correct when equal, and the same for nearly every judge of a picture: a
label rather than an answer. In the feedback experiment the first trials of each session are training;
`groundtruth` can also be `catch` (one point fixated again and again, as no person does) and `swapped` (a
person's eye movements on another picture). Those two have the `machine_groundtruth` of an earlier trial,
which is meaningless.
"""

from collections.abc import Callable
from typing import Annotated, Any, Generic, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from converters.zhang2025 import records, scanpaths
from converters.zhang2025.records import AnyRecord, Filled, Judged, Record, Source
from turingstats.data import schema

Describe = Callable[[Source, Any, str, str], dict[str, Any]]
"""Names columns of a judgment, from the trial, its row, and its worker."""
KEY = r"Trial_(?:[A-Z][A-Za-z]{0,20}_)?(?:0|[1-9][0-9]{0,6})"
"""Form of the key of a trial, such as Trial_12 or Trial_FV_12."""
PAGE = r"([0-9]{1,5})_([a-g])_([0-9]{1,5})\.html/?$"
"""Page of a response: picture or cue, letter of the agent, number. The letter a is a person's."""
SHARED_IDS = {("caption", "inlab"), ("word", "inlab")}
"""Tasks and cohorts whose judges share one id, the test account of the laboratory."""
DOMAINS, PER_DOMAIN = ("COCO", "in-domain", "near-domain", "out-of-domain"), 250
"""Images 1 to 250 are from COCO, the next 250 from each part of nocaps."""
CATCH = "catch"
"""Agent of catch trials."""
SPECIAL = {
    CATCH: {"agent": CATCH, "truth": "machine"},
    "swapped": {"agent": "human", "truth": "human"},
}
"""Agent and truth of the trials that are neither a person's nor a model's."""


def map_letters(source: Source) -> dict[str, str]:
    """Map the letters of pages to agents, or to the catch trials."""
    agents = source.agents | {CATCH: CATCH}
    return {chr(ord("a") + place): agents[name] for place, name in enumerate(source.file.letters)}


def check_control(answer: str | None, truth: str | None) -> bool | None:
    """Check an answer (1: true, 2: false) to a statement (0: it is true); None where either is absent."""
    return int(answer) == int(truth) + 1 if answer and truth else None


class Trial(Judged):
    """A person's verdict."""

    trial: records.Position
    rt: records.Milliseconds


class Controlled(Trial):
    """A verdict that may stand with the answer to a control question."""

    response_object: Filled | None = None
    object_groundtruth: Filled | None = None

    @model_validator(mode="after")
    def check_control(self) -> Self:
        """Refuse half of a control question."""
        if (self.response_object is None) != (self.object_groundtruth is None):
            raise ValueError("a control question without its answer, or the reverse")
        return self


class CaptionTrial(Trial):
    """A verdict on a caption."""

    imageID: Annotated[str, Field(pattern=r"\b(0[0-9]{3}|1000)\.jpg$")]


class PictureTrial(Controlled):
    """A verdict on an answer to a picture."""

    page_name: Annotated[str, Field(pattern=f"^{PAGE}")]
    response_object: Literal["1", "2"] | None = None
    object_groundtruth: Literal["0", "1"] | None = None


class ScanpathTrial(Controlled):
    """A verdict on eye movements."""

    groundtruth: Annotated[  # type: ignore[assignment]
        Literal["human", "machine", "catch", "swapped"], BeforeValidator(records.spell_side)
    ]
    imageID: scanpaths.Address


class JudgedBy(Record, Generic[AnyRecord]):
    """A record of a trial, with who judged."""

    workerID: Annotated[str, Field(pattern="^[!-~]+$")]
    workerData: records.Answers
    trialData: AnyRecord


def read(source: Source) -> records.Tables:
    """Read `judgments` and `judges` from a file of people's judgments."""
    return read_trials(source, *MODELS[source.file.task])


def read_trials(source: Source, model: type[Trial], describe: Describe) -> records.Tables:
    """Read `judgments` and `judges`; `describe` names the columns that tell the response of a trial."""
    names: dict[Any, dict[str, str]] = {}
    shares_id = (source.file.task, source.file.cohort) in SHARED_IDS
    position = 0
    for row, value in source.load(KEY, "Trial_12"):
        record: Any = source.check(JudgedBy[model], value, row)  # type: ignore[valid-type]
        data, worker = record.trialData, record.workerID
        # The first wave of Attention prediction joins the worker and the session by a colon.
        person = worker.partition(":")[0] if source.file.workers else None
        if shares_id:
            # A new judge begins when the counter does not increase.
            worker, person = len(names) + (not names or data.trial <= position), None
            position = data.trial
        if worker not in names:
            answers = {schema.WORKER: person} | record.workerData.list_columns()
            names[worker] = source.add_judge(**answers)
        judged = {
            "trial": int(row.rsplit("_", 1)[-1]),
            "position": data.trial,
            "phase": "test",
            "verdict": data.response_speaker,
            "rt_ms": data.rt,
        }
        judged |= describe(source, data, row, record.workerID)
        source.judgments.append(names[worker] | judged)
    return source.build_tables()


def describe_caption(source: Source, data: Any, row: str, worker: str) -> dict[str, Any]:
    """Describe a trial of Image captioning; the kind of an image follows from its number."""
    image = data.imageID[-8:-4]
    domain = DOMAINS[(int(image) - 1) // PER_DOMAIN]
    return {"stimulus": image, "domain": domain} | source.find_author(data, row)


def describe_picture(source: Source, data: Any, row: str, worker: str) -> dict[str, Any]:
    """Describe a trial of Color estimation or Object detection."""
    control_ok = check_control(data.response_object, data.object_groundtruth)
    about = {"stimulus": data.page_name.partition("_")[0], "control_ok": control_ok}
    return about | source.find_author(data, row)


def describe_scanpath(source: Source, data: Any, row: str, worker: str) -> dict[str, Any]:
    """Describe a trial of Attention prediction."""
    phase: str = data.groundtruth
    if phase in SPECIAL:
        author = SPECIAL[phase]
    else:
        author = source.find_author(data, row)
        phase = "train" if data.trial <= source.file.training else "test"
    control_ok = scanpaths.check_answer(data.response_object, data.object_groundtruth)
    about = scanpaths.describe_address(data.imageID, source.path, row)
    return about | {"phase": phase, "control_ok": control_ok} | author


MODELS: dict[str, tuple[type[Trial], Describe]] = {
    "caption": (CaptionTrial, describe_caption),
    "color": (PictureTrial, describe_picture),
    "object": (PictureTrial, describe_picture),
    "attention": (ScanpathTrial, describe_scanpath),
}
"""What a trial of a task holds, and what describes it."""
