"""Generated raw files of Word association."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from demo.zhang2025.language import deal_trials, number_records, shuffle_agents
from demo.zhang2025.model import (
    FEMALE_GUESS,
    Cohort,
    Trial,
    deal_questionnaires,
    draw_response_times,
    draw_sessions,
    draw_stimulus_effects,
    judge_trials,
    make_predictions,
    make_worker_ids,
    read_cohorts,
)
from turingstats.stats.resampling import make_generator

if TYPE_CHECKING:
    import pandas as pd

MODELS = ("word2vec", "gpt2", "gpt3_embedding", "gpt3_prompt_curie", "gpt3_prompt_davinci")
AGENTS = ("human", *MODELS, "chatgpt", "catch")
LETTER = dict(zip(AGENTS, "abcdefgg", strict=True))  # ChatGPT took over the letter of catch trials
PEOPLE = 5  # answers of people to each cue
PARTICIPANTS, MORE_EACH = 40, 10  # people who answered, and their further answers
N_KEPT = 83  # cues to which no person and model gave the same word
FEEDBACK_TRAINING = 40
# One agent, four spellings: before and after compilation, test phases of 2025, machine judges.
SPELLING_RAW = {
    "word2vec": "word2vec",
    "gpt2": "gpt2",
    "gpt3_embedding": " gpt3 (embedding)",
    "gpt3_prompt_curie": " gpt3 (prompt curie)",
    "gpt3_prompt_davinci": " gpt3 (prompt davinvci)",
}
SPELLING_COMPILED = {name: raw.strip() for name, raw in SPELLING_RAW.items()}
SPELLING_COMPILED |= {"human": "", "catch": "other"}
SPELLING_2025 = {
    "human": "",
    "word2vec": "Word2Vec",
    "gpt2": "GPT2",
    "gpt3_embedding": "GPT3(Emb)",
    "gpt3_prompt_curie": "GPT3(pr, Curie)",
    "gpt3_prompt_davinci": "GPT3(pr, DaVinci)",
    "chatgpt": "ChatGPT",
}
SPELLING_MACHINE = {
    "human": "",
    "word2vec": "word2vec",
    "gpt2": "gpt2",
    "gpt3_embedding": "gpt3emb",
    "gpt3_prompt_curie": "gpt3promptcurie",
    "gpt3_prompt_davinci": "gpt3promptdav",
}
# Judge, and the agent that it does not judge because it is its own model.
SVM_JUDGES = {"word2vec": "word2vec", "gpt2": "gpt2", "gpt3": "gpt3_embedding"}
FIRST_WORKER = {"amt": 2000, "feedback": 2066, "gpt4o_agent": 2112, "expert": 2200, "inlab": 2300}

DATA = "wordAssociation/Plot/Data_all"
SAVED = "wordAssociation/Plot/savedResults"
WORD_AMT = f"{DATA}/dict_human_judge_from_noga_to_mengmi_april.json"
WORD_COMPILED = f"{SAVED}/compiled.json"
WORD_VERSIONS = f"{SAVED}/compiled_TwoVersion.json"
WORD_FLAGS = f"{SAVED}/DataValidity.json"
WORD_EXPERT = (
    "Experiments with AI experts/AI experts databases/word association/compiled_AIexperts.json"
)
WORD_FEEDBACK = f"{DATA}/humanjudge_Word_Feedback_testphase.json"
WORD_CHATGPT = f"{DATA}/humanjudge_Word_ChatGPT_testphase.json"
WORD_SVM_FEEDBACK = f"{DATA}/AIjudge_compiled_Word_Feedback_testphase.json"
WORD_ZEROSHOT = "colorDetection/Plot/Data_all/ai_judge_zeroshot_wordassoc.json"
WORD_DICTIONARY = "benchmarking/groundtruth_dictionaries/word.json"
WORD_MORE = "benchmarking/groundtruth_dictionaries/word_more.json"

NOUNS = (
    "anchor basket bridge candle castle circle coffee corner cotton desert dinner doctor engine "
    "family feather finger flower forest garden hammer harbor island jacket kettle kitchen ladder "
    "lantern letter lemon market meadow mirror mountain needle ocean orchard paper pencil pepper "
    "pillow pocket river saddle school shadow silver spider ticket tunnel window"
).split()
VERBS = (
    "argue bake borrow build carry chase choose climb collect compare cook count dance deliver "
    "divide drink earn escape explain follow gather grow guard hide hunt imagine invite join jump "
    "knock laugh learn listen measure melt mend paint plant pour promise protect read repair rest "
    "search sing sleep travel whisper write"
).split()
ADJECTIVES = (
    "ancient angry awkward bitter bold bright broken calm cheap clever cloudy cold cruel damp "
    "dark deep dry dusty eager empty fragile gentle golden hollow honest humble hungry lazy loud "
    "lucky narrow noisy pale plain proud quick quiet rare rough round salty sharp shy silent "
    "slow smooth steep strange sweet tender"
).split()
CUES = (*NOUNS, *VERBS, *ADJECTIVES)
# Related words: words on the same line are more often answers to each other.
THEMES = [
    line.split()
    for line in (
        "anchor bridge harbor island ocean river deep salty travel rough steep narrow",
        "basket candle kettle kitchen coffee dinner lemon pepper market bake cook drink pour melt",
        "castle lantern mountain desert ancient escape guard hide hunt explore golden",
        "cotton needle jacket feather pillow mend soft smooth tender gentle silver",
        "doctor family school letter paper pencil ticket read write learn listen explain argue",
        "engine hammer ladder build repair broken hollow carry deliver knock loud noisy sharp",
        "flower forest garden meadow orchard spider plant grow gather damp dry dusty cloudy",
        "mirror window corner circle shadow dark bright pale cold quiet silent sleep rest",
        "finger pocket saddle chase climb dance jump join sing whisper laugh invite",
        "bitter sweet hungry bold proud shy lazy humble honest clever awkward angry cruel",
        "borrow choose collect compare count divide earn measure promise protect cheap plain rare",
    )
]


def generate_associations(seed: int) -> tuple[list[dict[str, Any]], list[bool]]:
    """Return the words of people and models for each cue, and whether they share a word.

    Answers are drawn from the cues, mostly from the cue's theme, people's more than models'; people say
    short words more often, models words of the cue's own part of speech. The words of GPT3 (prompt
    davinci) are those of GPT2, as in the public files.
    """
    rng = make_generator(seed, "word associations")
    shared = np.ones(len(CUES), dtype=bool)
    shared[rng.choice(len(CUES), size=N_KEPT, replace=False)] = False
    answers = []
    for number, cue in enumerate(CUES):
        others = [word for word in CUES if word != cue]
        people = rng.choice(
            others, PEOPLE, replace=False, p=weigh_words(others, "human", cue)
        ).tolist()
        others = [word for word in others if word not in people]
        weights = weigh_words(others, "machine", cue)
        machine = rng.choice(others, len(MODELS) - 1, replace=False, p=weights).tolist()
        machine.append(machine[1])
        if shared[number]:
            machine[int(rng.integers(len(MODELS) - 1))] = people[int(rng.integers(PEOPLE))]
            machine[-1] = machine[1]
        answers.append({"human": people, "AI": machine})
    return answers, shared.tolist()


def weigh_words(words: Sequence[str], speaker: str, cue: str) -> np.ndarray:
    """Return the probability of each word as an answer of people, or of models, to a cue."""
    close = {word for theme in THEMES if cue in theme for word in theme}
    kind = next(kind for kind in (NOUNS, VERBS, ADJECTIVES) if cue in kind)
    weights = np.array(
        [
            (40 if word in close else 1) / len(word) ** 3
            if speaker == "human"
            else (15.0 if word in close else 1.0) * (3.0 if word in kind else 1.0)
            for word in words
        ]
    )
    return weights / weights.sum()


def generate_more_answers(
    seed: int, answers: Sequence[dict[str, Any]]
) -> dict[str, list[dict[str, str]]]:
    """Return the answers that are not public: the words of ChatGPT-4o, and ten more of each person.

    Together with those of the dictionary they are the 2,050 of Table S1, whose composition is not stated.
    """
    rng = make_generator(seed, WORD_MORE)
    said: dict[str, list[tuple[str, str, str]]] = {cue: [] for cue in CUES}
    for cue in CUES:
        others = [word for word in CUES if word != cue]
        word = rng.choice(others, p=weigh_words(others, "machine", cue))
        said[cue].append(("", "ChatGPT", str(word)))
    for person in range(1, PARTICIPANTS + 1):
        for number in rng.choice(len(CUES), MORE_EACH, replace=False).tolist():
            # Not a word of a model, because this decides whether a cue is kept.
            others = [w for w in CUES if w != CUES[number] and w not in answers[number]["AI"]]
            word = rng.choice(others, p=weigh_words(others, "human", CUES[number]))
            said[CUES[number]].append((f"Participant_{person}", "", str(word)))
    return {
        cue: [
            {
                "cueWord": cue,
                "response": word,
                "groundtruth": "human" if person else "machine",
                "human_groundtruth": person,
                "machine_groundtruth": model,
            }
            for person, model, word in own
        ]
        for cue, own in said.items()
    }


def generate_dictionary(
    seed: int, answers: Sequence[dict[str, Any]]
) -> dict[str, list[dict[str, str]]]:
    """Return the ten answers to each cue, in shuffled order."""
    rng = make_generator(seed, WORD_DICTIONARY)
    cues = {}
    for cue, words in zip(CUES, answers, strict=True):
        said = [("human", word) for word in words["human"]]
        said += list(zip(MODELS, words["AI"], strict=True))
        cues[cue] = [
            {
                "cueWord": cue,
                "response": said[i][1],
                "groundtruth": "human" if said[i][0] == "human" else "machine",
                "human_groundtruth": "human" if said[i][0] == "human" else "",
                "machine_groundtruth": SPELLING_MACHINE[said[i][0]],
            }
            for i in rng.permutation(len(said)).tolist()
        ]
    return cues


def deal_online_trials(
    rng: np.random.Generator, cohorts: dict[str, Cohort], shared: Sequence[bool]
) -> list[Trial]:
    """Return the trials of the online judges before the cue filter, in order.

    Which places of a session fall on a kept cue is drawn; agents are assigned over all kept and
    over all other trials, so that both numbers are those of the design.
    """
    amt, rest = cohorts["amt"], cohorts["amt_shared"]
    n_kept, n_rest = sum(amt.n_trials.values()), sum(rest.n_trials.values())
    kept = rng.permutation(np.repeat([True, False], [n_kept, n_rest]))
    kept = kept.reshape(amt.n_judges, amt.trials_per_judge)
    trials = {}
    for agents, wanted in ((amt, True), (rest, False)):
        cues = np.flatnonzero(np.array(shared) != wanted)
        places = [np.flatnonzero(own == wanted) + 1 for own in kept]
        for trial in deal_trials(rng, places, shuffle_agents(rng, agents.n_trials), cues):
            trials[trial.judge, trial.position] = trial
    return [trials[key] for key in sorted(trials)]


def generate_first_wave(
    rng: np.random.Generator,
    cohort: Cohort,
    demographics: pd.DataFrame,
    trials: Sequence[Trial],
    effects: dict[str, np.ndarray],
    workers: Sequence[str],
    mode: str,
) -> list[dict[str, Any]]:
    """Return compiled records of people's judgments of the first wave, in order."""
    said = deal_questionnaires(rng, demographics, cohort, mode, ai_experience=mode == "debug")
    verdicts = judge_trials(rng, trials, cohort.rates, effects, human_judges=True)
    times = draw_response_times(rng, trials)
    female = rng.random(len(trials)) < FEMALE_GUESS
    records = []
    for i, t in enumerate(trials):
        human = t.agent == "human"
        records.append(
            {
                "workerID": workers[t.judge],
                "workerData": said[t.judge],
                "trialData": {
                    "rt": times[i],
                    "hit": f"participant_{t.image}",
                    "trial": t.position,
                    "response_speaker": verdicts[i],
                    "machine_groundtruth": SPELLING_COMPILED[t.agent],
                    "imageID": t.image,
                    "caption": CUES[t.image],
                    "counterbalance": 0,
                    "groundtruth": t.truth,
                    "phase": "TEST",
                    "human_groundtruth": "human" if human else "",
                    "real_gender": ("female" if female[i] else "male") if human else "",
                    "response_gender": "female" if female[i] else "male",
                },
            }
        )
    return records


def undo_compilation(
    rng: np.random.Generator, records: Sequence[dict[str, Any]], trials: Sequence[Trial]
) -> list[dict[str, Any]]:
    """Return records as they were before compilation: ``AI`` for machines, a model on every trial."""
    models = rng.choice(MODELS, size=len(trials)).tolist()
    raw = []
    for record, trial, leftover in zip(records, trials, models, strict=True):
        data = dict(record["trialData"])
        data["guess_gender"] = data.pop("response_gender")
        human = trial.agent == "human"
        data["machine_groundtruth"] = SPELLING_RAW[leftover if human else trial.agent]
        data["real_gender"] = data["real_gender"] or "AI"
        for key in ("groundtruth", "response_speaker"):
            data[key] = "AI" if data[key] == "machine" else "human"
        raw.append(record | {"trialData": data})
    return raw


def split_versions(
    rng: np.random.Generator, records: Sequence[dict[str, Any]]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return filtered records in two halves, free and prompted, each half of either truth."""
    free = set()
    for truth in ("human", "machine"):
        own = [i for i, r in enumerate(records) if r["trialData"]["groundtruth"] == truth]
        free |= set(rng.permutation(own)[: len(own) // 2].tolist())
    return {
        "mturk-free": number_records([r for i, r in enumerate(records) if i in free]),
        "mturk-prompted": number_records([r for i, r in enumerate(records) if i not in free]),
    }


def generate_svm_file(
    seed: int, cohort: Cohort, kept: Sequence[int], effects: dict[str, np.ndarray]
) -> dict[str, dict[str, Any]]:
    """Return the verdicts of the three machine judges on the kept cues, their own words left out."""
    trials = [
        Trial(judge, position, cue, agent)
        for judge, own in enumerate(SVM_JUDGES.values())
        for position, (cue, agent) in enumerate(
            [(cue, "human") for cue in kept for _ in range(PEOPLE)]
            + [(cue, agent) for agent in MODELS if agent != own for cue in kept],
            start=1,
        )
    ]
    verdicts = judge_trials(
        make_generator(seed, "word machine judges"),
        trials,
        cohort.rates,
        effects,
        human_judges=False,
    )
    names = list(SVM_JUDGES)
    return number_records(
        [
            {
                "workerID": names[t.judge],
                "trialData": {
                    "trial": t.position,
                    "caption": CUES[t.image],
                    "response_speaker": verdict,
                    "machine_groundtruth": SPELLING_COMPILED[t.agent],
                    "groundtruth": t.truth,
                    "human_groundtruth": "human" if t.agent == "human" else "",
                },
            }
            for t, verdict in zip(trials, verdicts, strict=True)
        ]
    )


def generate_test_phase(
    seed: int,
    path: str,
    cohort: Cohort,
    demographics: pd.DataFrame,
    trials: Sequence[Trial],
    effects: dict[str, np.ndarray],
) -> dict[str, dict[str, Any]]:
    """Return the test phase of an experiment of 2025: ``{"Trial_Word_<k>": {...}}``.

    `hit` names another page, and only in the first half of a session.
    """
    rng = make_generator(seed, path)
    workers = make_worker_ids(seed, FIRST_WORKER[cohort.name], cohort.n_judges)
    said = deal_questionnaires(rng, demographics, cohort, "live", ai_experience=True)
    verdicts = judge_trials(rng, trials, cohort.rates, effects, human_judges=True)
    times = draw_response_times(rng, trials)
    answer = rng.integers(0, PEOPLE, len(trials)).tolist()
    other = rng.integers(0, len(CUES), len(trials)).tolist()
    records = []
    for i, t in enumerate(trials):
        data: dict[str, Any] = {"rt": times[i], "Aclass": verdicts[i].capitalize()}
        if 2 * t.position <= cohort.trials_per_judge:
            data["hit"] = f"{other[i]}_a_{answer[i]}.html"
        k = answer[i] if t.agent == "human" else 0
        data |= {
            "trial": t.position,
            "page_name": f"https://example.org/word/{t.image}_{LETTER[t.agent]}_{k}.html",
            "phase": "TEST",
            "response_gender": "NA",
            "response_speaker": verdicts[i],
            "groundtruth": t.truth,
            "machine_groundtruth": SPELLING_2025[t.agent],
        }
        records.append(
            {"workerID": workers[t.judge], "workerData": said[t.judge], "trialData": data}
        )
    return number_records(records, "Trial_Word_")


def generate_files(design: pd.DataFrame, demographics: pd.DataFrame, seed: int) -> dict[str, Any]:
    """Return all files of Word association as ``{path: content}``.

    Parameters
    ----------
    design, demographics : pandas.DataFrame
        Rows of this task.
    seed : int
        Seed of the whole demo.
    """
    cohorts = read_cohorts(design)
    effects = draw_stimulus_effects(seed, "word", AGENTS, len(CUES) - 1)

    def make_numbered_predictions(name: str, cohort: str, trials: Sequence[Trial]):
        return number_records(
            make_predictions(seed, name, cohorts[cohort], trials, effects, SPELLING_MACHINE)
        )

    answers, shared = generate_associations(seed)
    kept = [number for number, out in enumerate(shared) if not out]
    made: dict[str, Any] = {
        WORD_DICTIONARY: generate_dictionary(seed, answers),
        WORD_MORE: generate_more_answers(seed, answers),
        WORD_FLAGS: {
            cue: words | {"flag": out}
            for cue, words, out in zip(CUES, answers, shared, strict=True)
        },
    }

    rng = make_generator(seed, WORD_AMT)
    amt = cohorts["amt"]
    trials = deal_online_trials(rng, cohorts, shared)
    workers = make_worker_ids(seed, FIRST_WORKER["amt"], amt.n_judges)
    online = generate_first_wave(rng, amt, demographics, trials, effects, workers, "live")
    made[WORD_AMT] = number_records(undo_compilation(rng, online, trials))
    filtered = [r for r, t in zip(online, trials, strict=True) if not shared[t.image]]
    made[WORD_VERSIONS] = split_versions(rng, filtered)

    # Everyone in the laboratory was logged in as the same person.
    rng = make_generator(seed, WORD_COMPILED)
    inlab = cohorts["inlab"]
    account = make_worker_ids(seed, FIRST_WORKER["inlab"], 1) * inlab.n_judges
    trials = draw_sessions(rng, inlab, kept)
    lab = generate_first_wave(rng, inlab, demographics, trials, effects, account, "sandbox")
    half = len(lab) // 2
    made[WORD_COMPILED] = {
        "inlab": number_records(lab),
        "inlab_gender": number_records(lab[:half]),
        "inlab_nogender": number_records(lab[half:]),
        "mturk": number_records(filtered),
        "machine": generate_svm_file(seed, cohorts["svm"], kept, effects),
        "combined": number_records(lab + filtered),
    }

    # The filter used the number of a wrong cue, so any cue may remain.
    rng = make_generator(seed, WORD_EXPERT)
    expert = cohorts["expert"]
    trials = draw_sessions(rng, expert, range(len(CUES)))
    workers = make_worker_ids(seed, FIRST_WORKER["expert"], expert.n_judges)
    records = generate_first_wave(rng, expert, demographics, trials, effects, workers, "debug")
    for record, t in zip(records, trials, strict=True):
        data = record["trialData"]
        data["hit"] = f"{t.image}_{LETTER[t.agent]}_0.html"
        data["response_speaker"] = data["response_speaker"].capitalize()
    made[WORD_EXPERT] = {"AIexperts": number_records(records)}

    # The judges with feedback and the classifiers that imitate them were given the same trials.
    rng = make_generator(seed, "word feedback trials")
    feedback = cohorts["feedback"]
    share = {agent: n // feedback.n_judges for agent, n in feedback.n_trials.items()}
    late = np.arange(FEEDBACK_TRAINING + 1, feedback.trials_per_judge + 1)
    places = [
        np.sort(rng.choice(late, size=sum(share.values()), replace=False))
        for _ in range(feedback.n_judges)
    ]
    agents = [agent for _ in places for agent in shuffle_agents(rng, share)]
    trials = deal_trials(rng, places, agents, range(len(CUES)))
    made[WORD_FEEDBACK] = generate_test_phase(
        seed, WORD_FEEDBACK, feedback, demographics, trials, effects
    )
    twice = trials + [replace(t, judge=t.judge + feedback.n_judges) for t in trials]
    made[WORD_SVM_FEEDBACK] = make_numbered_predictions(WORD_SVM_FEEDBACK, "svm_feedback", twice)

    chatgpt = cohorts["gpt4o_agent"]
    trials = draw_sessions(
        make_generator(seed, "word chatgpt trials"), chatgpt, range(len(CUES)), balanced=True
    )
    made[WORD_CHATGPT] = generate_test_phase(
        seed, WORD_CHATGPT, chatgpt, demographics, trials, effects
    )

    # The zero-shot judge goes through the dictionary in its order.
    canonical = {spelled: agent for agent, spelled in SPELLING_MACHINE.items()}
    trials = [
        Trial(0, position, number, canonical[answer["machine_groundtruth"]])
        for number, cue in enumerate(CUES)
        for position, answer in enumerate(made[WORD_DICTIONARY][cue], start=1)
    ]
    made[WORD_ZEROSHOT] = make_numbered_predictions(WORD_ZEROSHOT, "zeroshot", trials)
    return made
