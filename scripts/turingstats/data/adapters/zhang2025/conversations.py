"""Shared by the adapters of the Conversation task: labels, topics, questionnaires.

A judge reads a conversation between speakers A and B and says of each whether it is a person, so one trial
gives two judgments. The conversations come from two collections with overlapping numbers (34-284 are
different conversations in the collection of 2025), so a conversation is named by collection and number.
"""

from turingstats.data.adapters import records
from turingstats.data.adapters.zhang2025 import people

FIRST, LATER = "first", "2025"
PILOT = "pilot"
"""The ten conversations of the first online test; no judgments of them are public."""
LONG = 48
"""Exchanges of the long conversations. Their `hit_len` is 24, which means 24 per speaker there."""

# Labels of conversations, also used for joint verdicts: what speaker A is, and what B is.
LABELS = {
    "HH": ("human", "human"),
    "HAI": ("human", "machine"),
    "AIH": ("machine", "human"),
    "AIAI": ("machine", "machine"),
}
# What the judge took a speaker for; 0 where the judge was not asked.
GENDERS = {"F": "female", "M": "male", 0: None, "": None, None: None}
VARIANTS = {"HH": "H-H", "HAI": "H-M", "AIH": "H-M", "AIAI": "M-M"}

# The control question asks for the topic: last number of a range of conversations, correct option.
OPTIONS = {
    FIRST: (
        (25, 1), (50, 2), (75, 3), (100, 4), (125, 5), (150, 1), (160, 2), (170, 1), (180, 2),
        (190, 3), (200, 4), (210, 5), (220, 1), (230, 2), (240, 3), (250, 4), (260, 5), (270, 1),
        (280, 2), (290, 3), (300, 4), (305, 3),
    ),
    LATER: ((63, 5), (109, 1), (173, 2), (223, 3), (273, 4), (284, 5), (305, 3)),
}  # fmt: skip


def find_topic_option(collection, number):
    """Find the correct answer, 1 to 5, to the topic question; None for an unknown conversation."""
    return next((option for last, option in OPTIONS[collection] if 1 <= number <= last), None)


def find_collection(data, *, path, row):
    """Find the collection of a trial's conversation from the folder of the page that was shown."""
    page = str(records.require_field(data, "conversationID", path=path, row=row))
    return LATER if "dataset_new" in page else FIRST


def name_conversation(collection, number):
    """Name a conversation by collection and number, such as "2025.163"."""
    return f"{collection}.{int(number):03d}"


def check_label(value, *, path, row, column):
    """Return a label or joint verdict; raise `InputError` if it is not one of the four."""
    if value not in LABELS:
        raise records.make_vocabulary_error(value, list(LABELS), path=path, row=row, column=column)
    return value


def parse_perceived_gender(data, column, *, path, row):
    """Parse the gender that the judge took a speaker for; None where the judge was not asked."""
    answer = data.get(column)
    if answer not in GENDERS:
        raise records.make_vocabulary_error(
            answer, ["F", "M", "0 (not asked)"], path=path, row=row, column=column
        )
    return GENDERS[answer]


def extract_judgments(data, *, path, row):
    """Extract the two judgments of a trial, as far as its record tells.

    Returns
    -------
    list of dict
        For side A and side B: stimulus, exchanges, side, verdict, perceived_gender, rt_ms, control_ok,
        and variant and truth where the record has the label of the conversation. The record does not say
        who spoke.
    """
    where = {"path": path, "row": row}
    number = records.parse_whole_number(
        records.require_field(data, "hit", **where), column="hit", **where
    )
    collection = find_collection(data, **where)
    verdict = check_label(records.require_field(data, "Aclass", **where), column="Aclass", **where)
    truth = data.get("trueLabel")
    if truth is not None:
        check_label(truth, column="trueLabel", **where)
    length = records.parse_whole_number(data.get("hit_len"), column="hit_len", **where)
    option = find_topic_option(collection, number)
    common = {
        "stimulus": name_conversation(collection, number),
        "variant": VARIANTS.get(truth),
        "exchanges": LONG if data.get("isFixed") else length,
        "rt_ms": records.parse_whole_number(data.get("rt"), column="rt", **where),
        "control_ok": None if option is None else str(data.get("topic")) == str(option),
    }
    return [
        common
        | {
            "side": side,
            "truth": LABELS[truth][i] if truth is not None else None,
            "verdict": LABELS[verdict][i],
            "perceived_gender": parse_perceived_gender(data, f"{side}gender", **where),
        }
        for i, side in enumerate("AB")
    ]


def make_side_rows(stimulus, code, file, study, **others):
    """Make the rows of the stimuli table that follow from the label of a conversation."""
    return [
        {
            "study": study.study,
            "task": file.task,
            "stimulus": stimulus,
            "side": side,
            "truth": truth,
            "variant": VARIANTS[code],
        }
        | others
        for side, truth in zip("AB", LABELS[code], strict=True)
    ]


def read_questionnaire(answers, *, path, row):
    """Read a judge's answers about themselves; age bands above 50 are merged, as in the other tasks."""
    age = str(records.require_field(answers, "age", path=path, row=row))
    age = people.AGE_SPELLINGS.get(age, age)
    if age[:2].isdigit() and int(age[:2]) > 50:
        age = "51+"
    return {
        "gender": answers.get("gender"),
        "age_band": records.require_allowed_value(
            age, people.AGE_BANDS, path=path, row=row, column="questiondata.age"
        ),
        "education": answers.get("education"),
    }
