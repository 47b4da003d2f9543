"""Scoring a new model: its file, its stimuli, its detectability, the table."""

import json

import numpy as np
import pandas as pd
import pytest
from chat_server import ChatServer
from project import ROOT, read_study

from turingstats.config.settings import Judges, LanguageModels
from turingstats.core.errors import ConfigError, InputError
from turingstats.data import schema
from turingstats.new_model import scores as scoring
from turingstats.new_model.responses import AGENT, match_stimuli, read_responses

STUDY = read_study("zhang2025")
OPTIONS = {"seed": 1, "confidence": 0.95}
FEW = Judges(max_responses=60, seeds=1, folds=3, cache=None)
COLORS = ("red", "brown", "gray", "blue", "green")


def table(n=40):
    draw = np.random.default_rng(3)
    rows = []
    for number in range(n):
        for agent in ("human", "human", "azure", "mccq", "google"):
            word = COLORS[draw.integers(len(COLORS))]
            rows.append(
                {"study": "zhang2025", "task": "color", "stimulus": f"{1000 + number}"}
                | {"agent": agent, "response": f"a {word}" if agent == "human" else f"{word} tone"}
            )
    return pd.DataFrame(rows).reindex(columns=list(schema.RESPONSES))


def file_of(folder, content, name="mine.json"):
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("task", "value", "kept"),
    [
        ("caption", " a man\n at a table ", "a man at a table"),
        ("word", "light", "light"),
        ("color", "dark gray", "dark gray"),
        ("object", "car,tree , dog", "car, tree, dog"),
        ("object", ["car", "tree", "dog"], "car, tree, dog"),
        ("attention", [[0, 0], [1279, 1023.4]], "[[0, 0], [1279, 1023]]"),
        ("attention", "[[3, 4], [5, 6]]", "[[3, 4], [5, 6]]"),
        # People, and models trained on them, also look beside the picture; five paths of DeepGazeIII stay
        # in its corner.
        ("attention", [[-20, 1466], [0.4, 0.4]], "[[-20, 1466], [0, 0]]"),
        ("attention", [[0, 0], [0, 0]], "[[0, 0], [0, 0]]"),
        ("conversation", [" Hi  there!", "I\nlike cats."], '["Hi there!", "I like cats."]'),
        ("conversation", '["Hi!"]', '["Hi!"]'),
    ],
)
def test_responses_of_every_task(tmp_path, task, value, kept):
    assert read_responses(file_of(tmp_path, {"1.jpg": value}), task, STUDY) == {"1.jpg": kept}


def test_csv_and_json_of_the_same_responses_are_the_same(tmp_path):
    given = {"4186.jpg": "car, tree, dog", "4187": "café, sun, sea"}
    text = '\ufeffStimulus,response\n4186.jpg,"car, tree, dog"\n\n4187,"café, sun, sea"\n'
    other = read_responses(file_of(tmp_path, text, "mine.csv"), "object", STUDY)
    assert other == read_responses(file_of(tmp_path, given), "object", STUDY) == given
    swapped = 'response,stimulus\n"car, tree, dog",4186.jpg\n'
    assert read_responses(file_of(tmp_path, swapped, "b.csv"), "object", STUDY)["4186.jpg"]


@pytest.mark.parametrize(
    ("name", "content", "task", "words"),
    [
        ("a.json", "{", "caption", ["not valid JSON", "line 1"]),
        ("a.json", "{}", "caption", ["no responses"]),
        ("a.json", '{"1": "a", "1": "b"}', "caption", ["the key 1 occurs twice"]),
        ("a.json", '{"1": 3}', "caption", ["not a text", "key '1'", "response", "'3'"]),
        ("a.json", '{"1": " "}', "caption", ["empty"]),
        ("a.json", '{"1": "car, tree, dog, cat"}', "object", ["4 entries, more than 3"]),
        ("a.json", '{"1": "car, , dog"}', "object", ["an entry is empty"]),
        ("a.json", '{"1": "it is a light word"}', "word", ["5 words"]),
        ("a.json", '{"1": [[1, 2], [3]]}', "attention", ["fixation 2 is not a pair"]),
        ("a.json", '{"1": [[1, 2], [10001, 3]]}', "attention", ["fixation 2", "10,000 pixels"]),
        ("a.json", '{"1": [[1, 2], [true, 3]]}', "attention", ["fixation 2 is not a pair"]),
        ("a.json", '{"1": [[0.1, 0.2], [1, 0]]}', "attention", ["shares of the", "x to 1280"]),
        ("a.json", '{"1": "hello"}', "conversation", ["not a list of turns", '["Hi there!", ']),
        ("a.json", '{"1": []}', "conversation", ["not a list of turns"]),
        ("a.json", '{"1": ["a", 3]}', "conversation", ["not a list of turns"]),
        ("a.json", '{"1": ["a", " "]}', "conversation", ["a turn is empty", "leave the turn out"]),
        ("a.csv", "image,text\n1,a\n", "caption", ["column is missing", "stimulus,response"]),
        ("a.csv", "stimulus,response\n1,a, b, c\n", "object", ["4 cells", "row:     2", "quote"]),
        ("a.csv", "stimulus,response\n1,a\n1,b\n", "caption", ["two responses", "line 3"]),
        ("a.csv", "", "caption", ["its first line is empty", "row:     1"]),
        ("a.txt", "", "caption", [".json, .csv"]),
    ],
)
def test_faults_name_file_row_column_and_remedy(tmp_path, name, content, task, words):
    path = file_of(tmp_path, content, name)
    with pytest.raises(InputError) as error:
        read_responses(path, task, STUDY)
    for word in (str(path), *words):
        assert word in str(error.value)


@pytest.mark.parametrize("task", ["caption", "word", "color", "object", "attention"])
def test_every_bundled_response_may_be_given(tmp_path, task):
    path = ROOT / f"data/observed/zhang2025/{task}_responses.csv"
    bundled = pd.read_csv(path, dtype=str, keep_default_na=False)["response"]
    numbered = bundled.set_axis(bundled.index.astype(str))
    kept = read_responses(file_of(tmp_path, numbered.to_dict()), task, STUDY)
    assert list(kept.values()) == bundled.str.split().str.join(" ").tolist()
    some = numbered.iloc[::20].rename_axis("stimulus").to_csv(header=["response"])
    again = read_responses(file_of(tmp_path, some, "mine.csv"), task, STUDY)
    assert again == {stimulus: kept[stimulus] for stimulus in numbered.index[::20]}


def test_stimuli_are_matched_and_what_is_not_is_told():
    given = {"1000.jpg": "red", "1001": "blue", "77.jpg": "gray"}
    rows, matching = match_stimuli(given, table(4), "color", STUDY, "mine.json")
    assert list(rows["stimulus"]) == ["1000", "1001"]
    assert set(rows["agent"]) == {AGENT} and list(rows["response"]) == ["red", "blue"]
    assert list(rows.columns) == list(schema.RESPONSES)
    told = matching.set_index("stimulus")["note"].to_dict()
    assert told.pop("77.jpg") == "unknown stimulus, left out"
    assert told == dict.fromkeys(["1000", "1001"], "") | dict.fromkeys(
        ["1002", "1003"], "no response"
    )
    with pytest.raises(InputError, match=r"(?s)none of its 1 stimuli.*1000, 1001"):
        match_stimuli({"x": "red"}, table(2), "color", STUDY, "mine.json")
    with pytest.raises(InputError, match=r"(?s)the same stimulus.*1000 and 1000\.jpg"):
        match_stimuli({"1000": "red", "1000.jpg": "red"}, table(2), "color", STUDY, "mine.json")


def test_detectability_and_its_interval_rest_on_stimuli():
    # Ten stimuli, each with two people and one machine; the judge is right on a whole stimulus or
    # wrong on all of it.
    rows = [
        {"stimulus": str(number), "agent": agent, "right": number < 6}
        for number in range(10)
        for agent in ("human", "human", "m")
    ]
    (row,) = scoring.estimate_detectability(pd.DataFrame(rows), ["m", "absent"], OPTIONS)
    assert (row["agent"], row["n_human"], row["n_machine"], row["n_stimuli"]) == ("m", 20, 10, 10)
    assert row["value"] == pytest.approx(0.6)
    # The spread of a mean of ten independent stimuli, far above that of thirty verdicts.
    assert row["ci_high"] - row["ci_low"] == pytest.approx(2 * 1.96 * np.sqrt(0.24 / 10), rel=0.15)


def score(new, known, task, score_by, settings):
    """Detectabilities of a new model under judges of one kind, as a table; and judges not available."""
    rows, _ = match_stimuli(new, known, task, STUDY, "mine.json")
    whole = pd.concat([known, rows], ignore_index=True)
    matched = scoring.add_agent(STUDY, task, "Mine")
    found, absent = score_by(whole, matched, task, settings, OPTIONS)
    scores = scoring.build_scores(found, matched, STUDY, task)
    return scores[scores["reading"] == "recommended"], absent


def test_language_models_judge_only_what_the_new_model_responded_to(tmp_path):
    options = {"cache": str(tmp_path), "prompts": str(ROOT / "config/prompts"), "models": ("m",)}
    with ChatServer() as server:
        options["protocols"] = ("zeroshot", "oneshot")
        settings = LanguageModels(base_url=server.url, **options)
        new = {str(1000 + n): "red tone" for n in range(20)}
        by = scoring.score_by_language_models
        scores, absent = score(new, table(), "color", by, settings)
        assert len(server.requests) == 20 + 19
        first = server.requests[0][1]["messages"][0]["content"]
    assert "6 estimations" in first and "red tone" in first
    assert "Language models" not in absent
    own = scores[scores["judge"] == "zeroshot_m"]
    new = own[own["submitted"]].iloc[0]
    assert (new["n_human"], new["n_machine"], new["n_stimuli"]) == (40, 20, 20)
    assert new["agent_label"] == "Mine"
    assert set(own["agent"]) == {*"azure mccq google submitted".split()}
    # Without an endpoint, it is told.
    scores, absent = score({"1000": "red"}, table(), "color", by, LanguageModels())
    assert scores.empty
    assert absent["Language models"] == "no endpoint to ask (llm.base_url)"


def test_the_papers_machine_judges_stand_beside_and_say_what_they_are():
    rows = [
        {"task": "color", "cohort": cohort, "group_by": "all", "agent": agent, "n": 150}
        | {"reading": "recommended", "quantity": "detectability", "value": 0.6}
        | {"ci_low": None, "ci_high": None, "method": "x"}
        for cohort in ("svm_word", "trained_word", "zeroshot", "amt")
        for agent in ("azure", "all")
    ]
    rows += [rows[0] | {"quantity": "p_MM", "n": 30}]
    rows += [rows[0] | {"quantity": "p_HH", "agent": "human", "n": 120}]
    people, only = scoring.list_known_scores(
        pd.DataFrame(rows), STUDY, "color", ("zeroshot",), False
    )
    assert (people["judge"], people["cohort"], people["agent"]) == ("people", "amt", "azure")
    assert (only["judge"], only["agent"]) == ("svm_word", "azure")
    assert (only["n_human"], only["n_machine"]) == (120, 30)
    assert only["judge_label"] == "Paper's SVM judge, color word only"
    assert only["judge_source"] == "predictions published by the paper"
    _, *machines = scoring.list_known_scores(pd.DataFrame(rows), STUDY, "color", (), True)
    assert {row["judge"] for row in machines} == {"svm_word", "zeroshot"}
    assert {row["judge_source"] for row in machines} == {"simulated as the paper's judge"}


RESPONSES = {
    "caption": ("a man at a table", "table with a man"),
    "word": ("sea", "ocean"),
    "color": ("red", "dark gray"),
    "object": ("car, tree, dog", "person, outdoor, sky"),
    "attention": (str([[n, 3 * n] for n in range(12)]), str([[640, 512]] * 12)),
    "conversation": ("hi there", "I am fine"),
}
"""What a person, and what a machine responds in each task."""
JUDGES = {
    task: {"trained_word" if task == "color" else "trained", "trained_few", "trained_others"}
    for task in RESPONSES
}
"""The judges trained here that score a new model."""


def known_responses(task, n=24):
    """Responses of people and two models to n stimuli; in conversations, two turns of either speaker."""
    spoken, rows = task == "conversation", []
    agents = STUDY.tasks[task].cohorts["trained_few"].agents[-2:]
    for stimulus in range(n):
        for agent in ("human", agents[stimulus % 2]) if spoken else ("human", *agents):
            rows += [(f"first.{stimulus}", "AB"[agent != "human"], turn, agent) for turn in (1, 2)][
                : 1 + spoken
            ]
    made = pd.DataFrame(rows, columns=["stimulus", "side", "turn", "agent"])
    made["response"] = [RESPONSES[task][agent != "human"] for agent in made["agent"]]
    made = made if spoken else made.drop(columns=["side", "turn"])
    return made.assign(study="zhang2025", task=task).reindex(columns=list(schema.RESPONSES))


@pytest.mark.parametrize("task", RESPONSES)
def test_a_new_model_is_scored_in_every_task(tmp_path, task):
    known = known_responses(task)
    like_machine = RESPONSES[task][1]
    given = {
        f"first.{n}": [like_machine] * 2 if task == "conversation" else like_machine
        for n in range(24)
    }
    submitted = read_responses(file_of(tmp_path, given), task, STUDY)
    rows, matching = match_stimuli(submitted, known, task, STUDY, "mine.json")
    assert matching["matched"].all() and len(rows) == 24 * (1 + (task == "conversation"))
    scores, absent = score(submitted, known, task, scoring.score_by_trained_judges, FEW)
    new = scores[scores["agent"] == AGENT]
    assert set(new["judge"]) == JUDGES[task] and not absent
    # It responds as the other models do, and people as no model does.
    assert (new["value"] == 1).all() and (new["n_stimuli"] > 1).all()


def test_conversations_of_a_new_model_are_its_own():
    given = {"a": '["Hi!", "Bye."]', "b": '["Hm."]'}
    known = known_responses("conversation")
    rows, matching = match_stimuli(given, known, "conversation", STUDY, "mine.json")
    assert rows[["stimulus", "side", "turn", "response"]].to_numpy().tolist() == [
        ["submitted.a", "A", 1, "Hi!"],
        ["submitted.a", "A", 2, "Bye."],
        ["submitted.b", "A", 1, "Hm."],
    ]
    assert set(rows["agent"]) == {AGENT} and matching["matched"].all()
    settings = LanguageModels(base_url="http://127.0.0.1:1/v1")
    scores, absent = scoring.score_by_language_models(
        rows, STUDY, "conversation", settings, OPTIONS
    )
    assert not scores and "both speakers" in absent["Language models"]
    # What was said in the paper's conversations is not public.
    with pytest.raises(ConfigError, match=r"(?s)no responses of people.*fix:.*demo"):
        match_stimuli(given, known.iloc[:0], "conversation", STUDY, "mine.json")


def test_judges_that_saw_nothing_of_the_new_model_are_told():
    known = known_responses("attention")
    short = {f"first.{n}": "[[1, 2], [3, 4]]" for n in range(24)}
    scores, absent = score(short, known, "attention", scoring.score_by_trained_judges, FEW)
    assert len(scores) and AGENT not in set(scores["agent"])
    cohorts = scoring.add_agent(STUDY, "attention", "Mine").tasks["attention"].cohorts
    assert set(absent) == {cohorts[name].label for name in JUDGES["attention"]}
    assert all("10 fixations" in reason for reason in absent.values())


def test_sentences_and_table_show_numbers_and_what_is_missing():
    given = {"1000": "red", "x<y": "blue"}
    _, matching = match_stimuli(given, table(6), "color", STUDY, "mine.json")
    matched = scoring.add_agent(STUDY, "color", "Mine")
    row = {"judge": "j", "judge_label": "Judge", "judge_kind": "svm", "cohort": "j"}
    row |= {"reading": "recommended", "quantity": "detectability", "n_stimuli": 1}
    row |= {"judge_source": "trained here, on ngrams", "n_machine": 1234}
    rows = [
        row | {"agent": "azure", "value": 0.5123, "ci_low": 0.4, "ci_high": 0.6},
        row | {"agent": AGENT, "value": 0.7, "ci_low": 0.6, "ci_high": 0.8},
    ]
    scores = scoring.build_scores(rows, matched, STUDY, "color")
    assert scoring.describe_scores(scores, matching, {"Nobody": "because"}, "Mine") == [
        "One judge could place it: Mine ranks 2 of 2 by Judge (intervals allow 1 to 2); rank 1 is the "
        "hardest to distinguish from people.",
        "1 of 6 stimuli have a response of Mine; 1 to unknown stimuli left out.",
        "Judge: detectability 0.70 (0.60 to 0.80), which is above chance; 1 of 1 other models are "
        "harder to distinguish from people than Mine.",
        "Not available: Nobody: because.",
    ]
    shown = scoring.tabulate_scores(scores)
    assert list(shown["Responses by"]) == ["Mine", STUDY.agents["azure"].label]
    assert list(shown["Detectability"]) == ["0.70 (0.60 to 0.80)", "0.51 (0.40 to 0.60)"]
    assert set(shown["Verdicts on these"]) == {"1,234"}


def conclude(*judges):
    """Conclude from the intervals of a new model and of other models, for each judge."""
    rows = [
        {"judge_label": f"judge {number}", "submitted": at == 0, "value": (low + high) / 2}
        | {"ci_low": low, "ci_high": high}
        for number, intervals in enumerate(judges, 1)
        for at, (low, high) in enumerate(intervals)
    ]
    return list(scoring.conclude_scores(pd.DataFrame(rows), "Mine"))


def test_the_place_of_the_new_model_is_concluded_from_all_judges():
    low, middle, high = (0.4, 0.5), (0.55, 0.65), (0.7, 0.8)
    wide = (0.45, 0.79)
    first, last = [low, middle, high], [high, low, middle]
    rest = "rank 1 is the hardest to distinguish from people."
    assert conclude(first, first) == [
        f"The judges agree: Mine ranks 1 of 3 by judge 1 and 1 of 3 by judge 2; {rest}"
    ]
    (said,) = conclude(first, last)
    assert said == (
        f"The judges contradict each other: Mine ranks 1 of 3 by judge 1 and 3 of 3 by judge 2; {rest}"
    )
    (said,) = conclude(first, [wide, low, middle])
    assert said.startswith("The judges differ by no more than chance allows (ranks 1 to 1): ")
    assert "3 of 3 by judge 2 (intervals allow 1 to 3)" in said
    (said,) = conclude(last)
    assert said.startswith("One judge could place it: ")
    # Intervals that overlap at either end leave both places possible.
    for other in ((0.75, 0.9), (0.6, 0.75)):
        assert "(intervals allow 1 to 2)" in conclude([high, other])[0]
    # A judge that met no other model, or not the new one, places none.
    assert conclude([low]) == []


def test_a_file_that_repeats_a_models_responses_is_told():
    responses = table(6)
    azure = responses[responses["agent"] == "azure"]
    given = dict(zip(azure["stimulus"], azure["response"], strict=True))
    _, matching = match_stimuli(given, responses, "color", STUDY, "mine.json")
    nobody = scoring.build_scores([], STUDY, STUDY, "color")
    sentences = scoring.describe_scores(nobody, matching, {}, "Mine")
    label = STUDY.agents["azure"].label
    assert f"6 of these responses are the same as those of {label}" in sentences[1]


def test_judges_are_trained_on_the_responses_of_the_task_alone():
    known = [known_responses("color"), known_responses("object").query("agent == 'human'")]
    given = {f"first.{n}": "dark gray" for n in range(24)}
    trained = scoring.score_by_trained_judges
    alone, among = (score(given, pd.concat(of), "color", trained, FEW) for of in (known[:1], known))
    pd.testing.assert_frame_equal(alone[0], among[0])
