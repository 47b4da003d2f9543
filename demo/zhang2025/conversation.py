"""Generated raw files of the Conversation task.

Conversations are of the kinds H-H, H-M (labels HAI, AIH) and M-M, and of two collections. Rates in the
design are those of an agent in a kind of conversation, such as "blenderbot/M-M"; catch trials have
the kind "catch", and the check-points of the online test the number of exchanges.
"""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from demo.zhang2025 import texts
from demo.zhang2025.model import (
    FEMALE_GUESS,
    Cohort,
    Trial,
    deal_questionnaires,
    draw_stimulus_effects,
    judge_trials,
    make_worker_ids,
    read_cohorts,
)
from turingstats.stats.resampling import make_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

# Two collections, whose numbers collide, and the ten conversations of the first online test.
FIRST, LATER, PILOT = "first", "2025", "pilot"
# Label of a conversation in the files: its kind in the design.
KINDS = {"HH": "H-H", "HAI": "H-M", "AIH": "H-M", "AIAI": "M-M"}
# Right answer to the question for the topic: this many consecutive conversations have it.
TOPIC_KEY = {
    FIRST: (
        (25, "1"), (25, "2"), (25, "3"), (25, "4"), (25, "5"), (25, "1"), (10, "2"), (10, "1"),
        (10, "2"), (10, "3"), (10, "4"), (10, "5"), (10, "1"), (10, "2"), (10, "3"), (10, "4"),
        (10, "5"), (10, "1"), (10, "2"), (10, "3"), (10, "4"), (5, "3"),
    ),
    LATER: ((63, "5"), (46, "1"), (64, "2"), (50, "3"), (50, "4"), (11, "5"), (21, "3")),
}  # fmt: skip

RESULTS = "Conversations/Participants results - datasets"
COLLECTION = f"{RESULTS}/compiled_original_dataset_first_collection.json"
FEEDBACK = f"{RESULTS}/prolific_may30.csv"
PROLIFIC_2025 = f"{RESULTS}/new_results_prolific.csv"
EXPERTS = "Experiments with AI experts/AI experts databases/conversations/AI_experts.csv"
ONLINE = "Conversations/turing_online/trials_all.json"
BY_TOPIC = "Conversations/savedResults_rebuttle/topic_data/compiled_{}.json"
REGISTERS = {
    FIRST: "Conversations/record_conversations_paper.csv",
    LATER: "Conversations/esChat.csv",
}
TURNS = {
    FIRST: "Conversations/turns_first_collection.csv",
    LATER: "Conversations/turns_2025.csv",
    PILOT: "Conversations/turns_online_pilot.csv",
}
SOURCES = {"inlab": "inlab", "prolific": "prolific", "mturk": "amt"}  # key: cohort
CHATGPT_JUDGES = 15  # a source of the first file that cannot be used

TOPICS = tuple(texts.THINGS)
SPELLING = {
    "blenderbot": "Blenderbot", "davinci": "GPT3davinci", "curie": "GPT3curie",
    "chatgpt": "GPT-4o", "claude": "Claude-3.7", "llama": "Llama-3.3-70B",
    "dialogpt": "DialogPT", "chatgpt_2023": "ChatGPT-2023", "gpt35": "GPT3.5-turbo-1106",
}  # fmt: skip
MODELS = {FIRST: ("blenderbot", "davinci", "curie"), LATER: ("chatgpt", "claude", "llama")}
# How many of the 300 conversations of the first collection have each label.
FIRST_LABELS = {"HH": 51, "HAI": 62, "AIH": 65, "AIAI": 122}
# Numbers of the conversations of 2025, and of its long ones.
LATER_LABELS = {
    "HH": (
        35, 46, 58, 61, 62, 63, 75, 96, 126, 127, *range(129, 140), 142, 146, 154, 155, 156, 158,
        159, 162, 164, 171, 174, 175,
    ),
    "HAI": (
        57, 70, 76, 79, 81, 82, 84, 86, 91, 94, 95, 97, 98, 99, 100, 103, 105, 106, 107, 109, 110,
        114, 115, 116, 117, 120, 124,
    ),
    "AIH": (
        60, 65, 67, 68, 69, 73, 80, 83, 85, 87, 88, 89, 90, 93, 101, 104, 111, 113, 118, 121, 122,
        123, 149, 150,
    ),
    "AIAI": tuple(range(176, 267)),
}  # fmt: skip
LONG_LABELS = {
    "HH": (163, 166, 173),
    "HAI": (92, 102, 151, 170, 172, 283),
    "AIH": (55, 112, 119, 152, 161, 169, 282, 284),
    "AIAI": tuple(range(267, 282)),
}
# Long conversations of the register that no judge of the public file saw.
LONG_UNSEEN = {34: "HAI", 36: "HAI", 59: "AIH"}
LONG_PAGES = {
    "HH": "conversations_24long_human_human_formatted",
    "HAI": "conversations_24long_human_AI_formatted",
    "AIH": "conversations_24long_human_AI_formatted",
    "AIAI": "conversation_24long_AIAI_formatted",
}
CATCH_LABELS = {301: "HAI", 302: "AIH", 304: "HAI"}
LENGTHS = tuple(range(3, 25, 3))
WHOLE, LONG_WHOLE = 24, 48  # turns of a conversation, both speakers counted
# People in the conversations of each collection: 217 in total, as in Table S1; shares are assumed.
SPEAKERS = {FIRST: 150, LATER: 57, PILOT: 10}
# The first online test: its conversations have 2.5 exchanges of two turns on average.
PILOT_EXCHANGES = (1, 2, 2, 2, 2, 3, 3, 3, 3, 4)
PILOT_MODELS = ("dialogpt", "chatgpt_2023", "gpt35")
LAST = 305  # conversations of a collection are numbered up to this

TOPIC_ACCURACY = 0.92  # share of correct topic answers among judges who read
CARELESS = 0.05  # share of judges of the first collection who guess the topic, and are left out
RT_MEDIAN_MS, RT_JUDGE_SD, RT_TRIAL_SD = 48_000, 0.35, 0.6
UNFINISHED = 3  # sessions without an end in each table
FINISHED = 3  # status of a session that was finished
FIRST_WORKER = {"feedback": 2000, "prolific2025": 2100, "expert": 2200}
PSITURK = (
    "uniqueid assignmentid workerid hitid ipaddress browser platform language cond counterbalance "
    "codeversion beginhit beginexp endhit bonus status mode datastring"
).split()


# --- conversations -----------------------------------------------------------------------------


def generate_first_collection(seed: int) -> dict[int, dict[str, Any]]:
    """Return label, speakers and topic of the 300 conversations of the first collection."""
    rng = make_generator(seed, "conversation first collection")
    codes = rng.permutation(np.repeat(list(FIRST_LABELS), list(FIRST_LABELS.values()))).tolist()
    return deal_speakers(rng, dict(enumerate(codes, start=1)), MODELS[FIRST])


def generate_later_collection(seed: int) -> dict[int, dict[str, Any]]:
    """Return label, speakers and topic of the conversations of 2025, including the long ones."""
    rng = make_generator(seed, "conversation 2025 collection")
    codes = {
        number: code
        for labels in (LATER_LABELS, LONG_LABELS)
        for code, numbers in labels.items()
        for number in numbers
    }
    return deal_speakers(rng, dict(sorted(codes.items())) | LONG_UNSEEN, MODELS[LATER])


def generate_pilot() -> dict[int, dict[str, Any]]:
    """Return label, speakers and topic of the ten conversations of the first online test."""
    found = {}
    for number in range(1, len(PILOT_EXCHANGES) + 1):
        model = PILOT_MODELS[number % len(PILOT_MODELS)]
        speakers = ("human", model) if number % 2 else (model, "human")
        topic = TOPICS[number % len(TOPICS)]
        found[number] = {
            "label": "HAI" if number % 2 else "AIH",
            "speakers": speakers,
            "topic": topic,
        }
    return found


def generate_turns(seed: int, collection: str, conversations: dict[int, dict[str, Any]]) -> str:
    """Return what was said in the conversations of a collection, as CSV, one row per turn."""
    rng = make_generator(seed, TURNS[collection])
    draws = texts.Draws(rng)
    people = [f"speaker{number}" for number in range(SPEAKERS[collection])]
    # Everyone speaks at least once, then in random order.
    sides = sum(entry["speakers"].count("human") for entry in conversations.values())
    spoken = rng.permutation(people + rng.choice(people, max(0, sides - len(people))).tolist())
    waiting = iter(spoken.tolist())
    long = {*LONG_UNSEEN, *(n for numbers in LONG_LABELS.values() for n in numbers)}
    rows = []
    for number, entry in conversations.items():
        length = LONG_WHOLE if collection == LATER and number in long else WHOLE
        if collection == PILOT:
            length = 2 * PILOT_EXCHANGES[number - 1]
        names = ["Human" if agent == "human" else SPELLING[agent] for agent in entry["speakers"]]
        persons = [next(waiting) if agent == "human" else "" for agent in entry["speakers"]]
        said = texts.generate_conversation(draws, entry["speakers"], entry["topic"], length)
        rows += [
            {
                "Conversation id": number,
                "side": side,
                "speaker": names["AB".index(side)],
                "person": persons["AB".index(side)],
                "text": text,
            }
            for side, text in said
        ]
    return format_csv(list(rows[0]), rows)


def deal_speakers(
    rng: np.random.Generator, codes: dict[int, str], models: Sequence[str]
) -> dict[int, dict[str, Any]]:
    """Assign models and topics to labeled conversations; both machines of a pair are one model."""
    topics = rng.choice(TOPICS, size=len(codes)).tolist()
    dealt = dict.fromkeys(KINDS.values(), int(rng.integers(len(models))))
    found = {}
    for (number, code), topic in zip(codes.items(), topics, strict=True):
        dealt[KINDS[code]] += 1
        model = models[dealt[KINDS[code]] % len(models)]
        sides = {"HH": "hh", "HAI": "hm", "AIH": "mh", "AIAI": "mm"}[code]
        speakers = tuple("human" if side == "h" else model for side in sides)
        found[number] = {"label": code, "speakers": speakers, "topic": topic}
    return found


def make_register(collection: str, conversations: dict[int, dict[str, Any]]) -> str:
    """Return the register of a collection as CSV; rows are not in the order of the ids."""
    people = ("Topchat", "Friend") if collection == FIRST else ("Human", "Human")
    rows = [
        {
            "Conversation id": number,
            "Aspeaker": SPELLING.get(entry["speakers"][0], people[number % 2]),
            "Bspeaker": SPELLING.get(entry["speakers"][1], people[number % 2]),
            "topic": entry["topic"],
        }
        for number, entry in conversations.items()
    ]
    return format_csv(list(rows[0]), rows[7:] + rows[:7])


def format_csv(columns: Sequence[str], rows: Sequence[dict[str, Any]]) -> str:
    """Return rows as CSV."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


# --- trials ------------------------------------------------------------------------------------


def find_right_topic(collection: str, number: int) -> int:
    """Return the right answer, 1 to 5, to the question for the topic of a conversation."""
    key = "".join(answer * length for length, answer in TOPIC_KEY[collection])
    return int(key[number - 1])


def make_trial(number: int, code: str, kind: str, length: int, **marks: bool) -> dict[str, Any]:
    """Return what is known about a trial before it is judged; `kind` is a kind or "catch"."""
    return {"number": number, "label": code, "kind": kind, "length": length} | marks


def draw_random_sessions(rng, conversations, lengths_of_sessions):
    """Return conversations for each judge, drawn at random without repetition, at random lengths."""
    sessions = []
    for n in lengths_of_sessions:
        numbers = rng.choice(list(conversations), size=n, replace=False).tolist()
        lengths = rng.choice(LENGTHS, size=n).tolist()
        sessions.append(
            [
                make_trial(number, entry["label"], KINDS[entry["label"]], length)
                for number, length in zip(numbers, lengths, strict=True)
                for entry in (conversations[number],)
            ]
        )
    return sessions


def draw_planned_sessions(rng, n_judges, numbers_of, numbers_each, catch_at, long_at):
    """Return for each judge a number of conversations of each label, with catch and long ones in place.

    Parameters
    ----------
    rng : numpy.random.Generator
    n_judges : int
    numbers_of : dict of str to sequence of int
        Conversations of each label.
    numbers_each : dict of str to int
        How many of each label a judge sees.
    catch_at : sequence of int
        Positions of the catch trials, from 0.
    long_at : dict of int to tuple of str
        Positions of the long conversations, and the possible labels of each.
    """
    sessions = []
    for _ in range(n_judges):
        trials = [
            make_trial(number, code, KINDS[code], int(rng.choice(LENGTHS)))
            for code, n in numbers_each.items()
            for number in rng.choice(numbers_of[code], size=n, replace=False).tolist()
        ]
        trials = [trials[i] for i in rng.permutation(len(trials))]
        special = {
            at: make_trial(
                number, CATCH_LABELS[number], "catch", int(rng.choice(LENGTHS)), catch=True
            )
            for at, number in zip(
                catch_at, rng.permutation(list(CATCH_LABELS)).tolist(), strict=True
            )
        }
        for at, codes in long_at.items():
            code = codes[int(rng.integers(len(codes)))]
            number = int(rng.choice(LONG_LABELS[code]))
            special[at] = make_trial(number, code, KINDS[code], 24, long=True)
        for at in sorted(special):
            trials.insert(at, special[at])
        sessions.append(trials)
    return sessions


def judge_sessions(
    rng: np.random.Generator,
    cohort: Cohort,
    sessions: list[list[dict[str, Any]]],
    collection: str,
    conversations: dict[int, dict[str, Any]],
    effects: dict[str, np.ndarray],
) -> list[list[dict[str, Any]]]:
    """Return the trial records of each judge: verdict on both speakers, topic, time, genders."""
    sides = []
    for judge, trials in enumerate(sessions):
        for trial in trials:
            speakers = conversations.get(trial["number"], {}).get("speakers")
            if trial["kind"] == "catch":
                speakers = tuple(
                    "machine" if side == "m" else "human"
                    for side in {"HAI": "hm", "AIH": "mh"}[trial["label"]]
                )
            sides += [
                Trial(judge, side, 2 * trial["number"] + side, f"{agent}/{trial['kind']}")
                for side, agent in enumerate(speakers)
            ]
    verdicts = iter(judge_trials(rng, sides, cohort.rates, effects, human_judges=True))
    code_of = {"human": "H", "machine": "AI"}
    # In psiTurk's tables, judges who failed the first catch trial did not finish.
    careless = rng.random(len(sessions)) < (CARELESS if cohort.name in SOURCES.values() else 0)
    speed = rng.normal(0, RT_JUDGE_SD, len(sessions))
    records = []
    for judge, trials in enumerate(sessions):
        n = len(trials)
        right = rng.random(n) < (0.3 if careless[judge] else TOPIC_ACCURACY)
        off = rng.integers(1, 5, n)
        times = RT_MEDIAN_MS * np.exp(speed[judge] + rng.normal(0, RT_TRIAL_SD, n))
        female = rng.random((n, 2)) < FEMALE_GUESS
        own = []
        for i, trial in enumerate(trials):
            option = find_right_topic(collection, trial["number"])
            answer = option if right[i] else (option - 1 + int(off[i])) % 5 + 1
            own.append(
                {
                    "hit": trial["number"],
                    "topic": str(answer),
                    "hit_len": trial["length"],
                    "Aclass": code_of[next(verdicts)] + code_of[next(verdicts)],
                    "rt": int(times[i]),
                    "Agender": "F" if female[i, 0] else "M",
                    "Bgender": "F" if female[i, 1] else "M",
                }
            )
        records.append(own)
    return records


# --- files -------------------------------------------------------------------------------------


def make_collection_file(judges_of: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Return judges by source in the nesting of the public file."""
    return {source: {"datastring": judges} for source, judges in judges_of.items()}


def blank_gender_answers(records: list[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """Return records of judges who were not asked for the genders of the speakers."""
    return [[record | {"Agender": 0, "Bgender": 0} for record in own] for own in records]


def make_first_judges(people, records, folder="static/dataset"):
    """Return judges of the first collection's file: a dummy trial, then their own."""
    dummy = dict.fromkeys("hit topic hit_len Aclass rt Agender Bgender".split(), 0)
    judges = []
    for person, own in zip(people, records, strict=True):
        entries = [{"trialdata": dummy | {"conversationID": ".html"}}]
        for record in own:
            page = f"{folder}/conv{record['hit']}_len{record['hit_len']}.html"
            entries.append({"trialdata": record | {"conversationID": page}})
        said = {k: person[k] for k in ("gender", "age", "native", "education", "country")}
        judges.append({"questiondata": said, "data": entries})
    return judges


def make_chatgpt_judges(rng: np.random.Generator, records: list[list[dict[str, Any]]]):
    """Return judges of the source `chatgpt`: other pages, and the topic as a word."""
    person = {"gender": "male", "age": "26-30", "native": "yes"}
    person |= {"education": "bachelor", "country": "United States"}
    words = [
        [record | {"topic": "games", "hit": 1 + record["hit"] % 40} for record in own]
        for own in records[:CHATGPT_JUDGES]
    ]
    return make_first_judges(
        [person] * len(words), blank_gender_answers(words), "static/dataset_chatgpt"
    )


def split_by_topic(content: dict[str, Any], topic_of: dict[int, str]) -> dict[str, Any]:
    """Return the first collection's file split by topic."""
    made = {}
    for topic in TOPICS:
        sources = {}
        for source, judges in content.items():
            kept = []
            for judge in judges["datastring"]:
                trials = [
                    {"trialdata": entry["trialdata"] | {"assigned_topic": topic}}
                    for entry in judge["data"]
                    if topic_of.get(entry["trialdata"]["hit"]) == topic
                ]
                if trials:
                    kept.append({"questiondata": judge["questiondata"], "data": trials})
            sources[source] = {"datastring": kept}
        made[BY_TOPIC.format(topic)] = sources
    return made


def make_psiturk_table(seed, path, cohort, people, sessions, records, told, folder):
    """Return a table of psiTurk.

    Parameters
    ----------
    seed, path : int, str
    cohort : Cohort
    people : list of dict
        Questionnaires.
    sessions, records : list of list of dict
        Trials as shown, and as judged.
    told : bool
        Trials have labels and marks of catch, long and feedback trials; the experts' do not.
    folder : str
        Of the pages.
    """
    rng = make_generator(seed, f"{path} table")
    workers = make_worker_ids(seed, FIRST_WORKER[cohort.name], cohort.n_judges + UNFINISHED)
    asked = "gender age education native country engagement difficulty".split()
    rows = []
    for judge, worker in enumerate(workers):
        uid = f"{worker}:ASSIGNMENT{judge:03d}"
        row = dict.fromkeys(PSITURK, "") | {
            "uniqueid": uid,
            "assignmentid": f"ASSIGNMENT{judge:03d}",
            "workerid": worker,
            "hitid": "HIT",
            "ipaddress": f"203.0.113.{judge}",
            "browser": "chrome",
            "platform": "linux",
            "mode": "debug",
            "status": 1,
        }
        if judge < cohort.n_judges:
            data = [
                {"uniqueid": uid, "current_trial": 0, "trialdata": {"phase": "INSTRUCTIONS"}},
                {"uniqueid": uid, "current_trial": 1, "trialdata": {"phase": "prequestionnaire"}},
            ]
            feedback_until = 16
            for i, (trial, record) in enumerate(zip(sessions[judge], records[judge], strict=True)):
                if trial.get("catch"):
                    page = f"catch/conv{record['hit']}.html"
                elif trial.get("long"):
                    page = f"{LONG_PAGES[trial['label']]}/conv{record['hit']}.html"
                else:
                    page = f"conv{record['hit']}_len{record['hit_len']}.html"
                record = record | {"phase": "TEST", "trial": i + 1}
                record["conversationID"] = f"{folder}/{page}"
                record["response"] = "___".join(
                    record[k] for k in ("Aclass", "Agender", "Bgender", "topic")
                )
                if told:
                    record |= {"trueLabel": trial["label"], "isCatch": bool(trial.get("catch"))}
                    record["hasFeedback"] = i < feedback_until
                    if cohort.name == "prolific2025":
                        record |= {"isFixed": bool(trial.get("long")), "fixedType": None}
                data.append({"uniqueid": uid, "current_trial": i + 2, "trialdata": record})
            said = {key: people[judge][key] for key in asked} | {"prolific_pid": worker}
            said["aiuse"] = str(rng.choice(("Never", "Few", "Often", "Everyday")))
            row["datastring"] = json.dumps(
                {"workerId": worker, "data": data, "questiondata": said, "eventdata": []}
            )
            row["status"] = FINISHED
        rows.append(row)
    return format_csv(PSITURK, rows)


def generate_online_file(seed: int, cohort: Cohort) -> dict[str, list[dict[str, str]]]:
    """Return the choices of the online test: with as many correct ones per check-point as in the design."""
    rng = make_generator(seed, ONLINE)
    machine_is_a = rng.random(cohort.n_judges) < 29 / 47
    points = [cell.split("/")[1] for cell in cohort.rates if cell.startswith("human/")]
    wrong = {p: round(cohort.rates[f"human/{p}"] * cohort.n_trials[f"human/{p}"]) for p in points}
    skill = rng.normal(0, 1, cohort.n_judges)
    made: dict[str, list[dict[str, str]]] = {}
    for point in points:
        # The conversations with the lowest sum of luck and skill are judged incorrectly.
        order = np.argsort(skill + rng.normal(0, 1, cohort.n_judges))
        mistaken = set(order[: wrong[point]].tolist())
        for i in range(cohort.n_judges):
            truth = "machine" if machine_is_a[i] else "human"
            other = "human" if machine_is_a[i] else "machine"
            choice = {"groundtruth": truth, "response": other if i in mistaken else truth}
            made.setdefault(f"{i + 1}.txt", []).append(choice | {"reason": "generated"})
    return made


def generate_files(design: pd.DataFrame, demographics: pd.DataFrame, seed: int) -> dict[str, Any]:
    """Return all files of the Conversation task as ``{path: content}``.

    Parameters
    ----------
    design, demographics : pandas.DataFrame
        Rows of this task.
    seed : int
        Seed of the whole demo.
    """
    cohorts = read_cohorts(design)
    first, later = generate_first_collection(seed), generate_later_collection(seed)
    cells = sorted({cell for cohort in cohorts.values() for cell in cohort.rates})
    effects = draw_stimulus_effects(seed, "conversation", cells, 2 * LAST + 1)

    def deal_people(name, rng):
        return deal_questionnaires(rng, demographics, cohorts[name], "debug", ai_experience=False)

    judges_of = {}
    for source, name in SOURCES.items():
        rng = make_generator(seed, f"{COLLECTION} {source}")
        people = deal_people(name, rng)
        sessions = draw_random_sessions(rng, first, [20] * cohorts[name].n_judges)
        records = judge_sessions(rng, cohorts[name], sessions, FIRST, first, effects)
        if source == "inlab":
            half = len(records) // 2
            records = [*blank_gender_answers(records[:half]), *records[half:]]
        judges_of[source] = make_first_judges(people, records)
        if source == "prolific":
            judges_of["chatgpt"] = make_chatgpt_judges(rng, records)
    content = make_collection_file(judges_of)
    made: dict[str, Any] = {COLLECTION: content}
    made |= split_by_topic(content, {number: entry["topic"] for number, entry in first.items()})

    def group_numbers(collection, codes):
        return {c: [n for n, entry in collection.items() if entry["label"] == c] for c in codes}

    for name, path, collection, folder in (
        ("feedback", FEEDBACK, FIRST, "static/dataset"),
        ("prolific2025", PROLIFIC_2025, LATER, "/static/dataset_new"),
        ("expert", EXPERTS, FIRST, "static/dataset"),
    ):
        rng = make_generator(seed, path)
        cohort = cohorts[name]
        n = cohort.n_judges
        people = deal_people(name, rng)
        conversations = first if collection == FIRST else later
        if name == "feedback":
            each = {"HH": 8, "AIAI": 8, "AIH": 7, "HAI": 6}
            sessions = draw_planned_sessions(
                rng, n, group_numbers(first, each), each, (4, 10, 20), {}
            )
        elif name == "prolific2025":
            each = {"HH": 7, "AIAI": 7, "AIH": 6, "HAI": 5}
            long_at = {7: ("AIAI",), 15: ("HAI", "AIH"), 25: ("HH",)}
            sessions = draw_planned_sessions(rng, n, LATER_LABELS, each, (4, 11, 22), long_at)
        else:
            sessions = draw_random_sessions(rng, first, [20, 20] + [30] * (n - 2))
        records = judge_sessions(rng, cohort, sessions, collection, conversations, effects)
        made[path] = make_psiturk_table(
            seed, path, cohort, people, sessions, records, name != "expert", folder
        )
    made[ONLINE] = generate_online_file(seed, cohorts["online"])
    made[REGISTERS[FIRST]] = make_register(FIRST, first)
    made[REGISTERS[LATER]] = make_register(LATER, later)
    for collection, conversations in ((FIRST, first), (LATER, later), (PILOT, generate_pilot())):
        made[TURNS[collection]] = generate_turns(seed, collection, conversations)
    return made
