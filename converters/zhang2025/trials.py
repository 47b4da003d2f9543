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

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from converters.zhang2025 import records, scanpaths
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.records import Filled, Judged, Record
from turingstats.config.study import Study
from turingstats.data import schema

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
SPECIAL = {CATCH: (CATCH, "machine"), "swapped": ("human", "human")}
"""Agent and truth of the trials that are neither a person's nor a model's."""


def map_letters(file: RawFile, study: Study) -> dict[str, str]:
    """Map the letters of pages to agents, or to the catch trials."""
    agents = records.map_agent_names(study) | {CATCH: CATCH}
    return {chr(ord("a") + place): agents[name] for place, name in enumerate(file.letters)}


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


class JudgedBy(Record):
    """A record of a trial, with who judged."""

    workerID: Annotated[str, Field(pattern="^[!-~]+$")]
    workerData: records.Answers
    trialData: dict[str, Any]


class Reader:
    """What the trials of one file share, and how those of a task are read."""

    model: type[Trial]

    def __init__(self, file: RawFile, folder: str | Path, study: Study) -> None:
        self.file, self.folder, self.study = file, folder, study
        self.path = Path(folder) / file.path
        self.agents = records.map_agent_names(study)
        self.common = records.make_common_columns(file, study)
        self.judges: dict[Any, dict[str, Any]] = {}
        self.position = 0

    def read(self) -> records.Tables:
        """Read `judgments` and `judges`."""
        judgments = []
        for row, value in records.load_records(self.file, self.folder, KEY, "Trial_12"):
            record = records.check_record(JudgedBy, value, self.path, row)
            data = records.check_record(self.model, record.trialData, self.path, row, "trialData")
            judgment = self.common | {
                "judge": self.name_judge(record, data.trial),
                "trial": int(row.rsplit("_", 1)[-1]),
                "position": data.trial,
                "phase": "test",
                "verdict": data.response_speaker,
                "rt_ms": data.rt,
            }
            judgments.append(judgment | self.describe(data, row, record.workerID))
        return records.build_tables(judgments, list(self.judges.values()))

    def name_judge(self, record: JudgedBy, position: int) -> str:
        """Name the judge of a record, in order of first appearance.

        Where judges share an id, a new one begins when the trial counter does not increase.
        """
        worker: Any = record.workerID
        # The first wave of Attention prediction joins the worker and the session by a colon.
        person = worker.partition(":")[0] if self.file.workers else None
        if (self.file.task, self.file.cohort) in SHARED_IDS:
            begins = not self.judges or position <= self.position
            worker, person, self.position = len(self.judges) + begins, None, position
        if worker not in self.judges:
            name = records.make_pseudonym(self.file, len(self.judges) + 1)
            answers = record.workerData.list_columns()
            self.judges[worker] = self.common | {"judge": name, schema.WORKER: person} | answers
        return self.judges[worker]["judge"]

    def describe(self, data: Any, row: str, worker: str) -> dict[str, Any]:
        """Describe the response of a trial, by columns of its judgment."""
        agent, truth = records.find_agent_and_truth(data, self.agents, self.path, row)
        return {"agent": agent, "truth": truth}


def find_domain(image: str) -> str:
    """Find the kind of an image by its number."""
    return DOMAINS[(int(image) - 1) // PER_DOMAIN]


class CaptionReader(Reader):
    """Image captioning."""

    model = CaptionTrial

    def describe(self, data: CaptionTrial, row: str, worker: str) -> dict[str, Any]:
        """Describe the response of a trial, by columns of its judgment."""
        image = data.imageID[-8:-4]
        about = {"stimulus": image, "domain": find_domain(image)}
        return about | super().describe(data, row, worker)


class PictureReader(Reader):
    """Color estimation and Object detection."""

    model = PictureTrial

    def describe(self, data: PictureTrial, row: str, worker: str) -> dict[str, Any]:
        """Describe the response of a trial, by columns of its judgment."""
        control_ok = None
        if data.object_groundtruth is not None:
            control_ok = int(data.response_object) == int(data.object_groundtruth) + 1
        about = {"stimulus": data.page_name.partition("_")[0], "control_ok": control_ok}
        return about | super().describe(data, row, worker)


class ScanpathReader(Reader):
    """Attention prediction."""

    model = ScanpathTrial

    def describe(self, data: ScanpathTrial, row: str, worker: str) -> dict[str, Any]:
        """Describe the response of a trial, by columns of its judgment."""
        phase: str = data.groundtruth
        if phase in SPECIAL:
            agent, truth = SPECIAL[phase]
        else:
            agent, truth = records.find_agent_and_truth(data, self.agents, self.path, row)
            phase = "train" if data.trial <= self.file.training else "test"
        about = scanpaths.describe_address(data.imageID, self.path, row)
        control_ok = scanpaths.check_answer(data.response_object, data.object_groundtruth)
        judged = {"phase": phase, "agent": agent, "truth": truth, "control_ok": control_ok}
        return about | judged


READERS: dict[str, type[Reader]] = {
    "caption": CaptionReader,
    "color": PictureReader,
    "object": PictureReader,
    "attention": ScanpathReader,
}


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `judgments` and `judges` from a file of people's judgments."""
    return READERS[file.task](file, folder, study).read()
