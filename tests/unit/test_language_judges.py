"""Language models as judges: prompts, reading of answers, verdicts, against a server on this computer."""

import json
import re

import pandas as pd
import pytest
from chat_server import ChatServer, verdict
from project import ROOT, read_study

from turingstats.config import settings as config
from turingstats.config import subset
from turingstats.config.settings import LanguageModels
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import ConfigError
from turingstats.data import schema
from turingstats.judges.llm import answers, chat, language, prompts
from turingstats.stages.job import Job, make_results
from turingstats.workflow.load import load_plan

STUDY = read_study("zhang2025")
PROMPTS = str(ROOT / "config/prompts")
TASKS = ("caption", "word", "color", "object", "attention", "conversation")
COLORS = {"human": "brown", "azure": "black", "mccq": "red", "google": "green"}


def responses_table(stimuli=6):
    """Responses in every task: stimulus, agent and text, and who speaks when."""
    rows = {task: [] for task in TASKS}
    for n in range(stimuli):
        rows["color"] += [(f"10{n}", agent, f"{color}{n}") for agent, color in COLORS.items()]
        captions = enumerate(("human", "human", "git", "ofa"))
        rows["caption"] += [(f"000{n}", agent, f"a man {agent} {n}{k}") for k, agent in captions]
        rows["word"] += [(f"cue{n}", "human", f"word{n}"), (f"cue{n}", "gpt2", f"other{n}")]
        seen = {"human": "dog", "azure": "cat"}
        rows["object"] += [(f"20{n}", agent, f"car, tree, {it}{n}") for agent, it in seen.items()]
        for k, agent in enumerate(("human", "gbvs")):
            for image in (f"img{n}", f"search_img{n}"):
                rows["attention"].append((image, agent, f"[[{n}, 1], [2, {n}{k}]]"))
        kinds = [("human", "human"), ("human", "davinci"), ("curie", "human"), ("curie", "curie")]
        for kind, agents in enumerate(kinds):
            for turn in range(1, 5):
                side, text = "BA"[turn % 2], f"turn {turn} of {n}-{kind}"
                spoken = f"{n}-{kind}", agents[side == "B"], text, side, turn
                rows["conversation"].append(spoken)
    columns = ["stimulus", "agent", "response", "side", "turn"]
    tables = (
        pd.DataFrame(own, columns=columns[: len(own[0])]).assign(task=task)
        for task, own in rows.items()
    )
    return pd.concat(tables, ignore_index=True).assign(study="zhang2025", responder=None)


RESPONSES = responses_table()


def settings_of(folder, base_url="http://127.0.0.1:9/v1", **values):
    values = {"base_url": base_url, "cache": str(folder / "cache"), "prompts": PROMPTS} | values
    return LanguageModels(**({"models": ("m",)} | values))


def judged(server, folder, responses=RESPONSES, seed=1, **values):
    """Tables that come of judging with a server, and the client that asked."""
    settings = settings_of(folder, server if isinstance(server, str) else server.url, **values)
    client = chat.Client(settings, {})
    study = subset.add_language_judges(STUDY, settings)
    return language.judge_responses(responses, study, settings, seed, client), client


def texts(task, protocol, example=None, **values):
    settings = LanguageModels(prompts=PROMPTS, **values)
    form = STUDY.tasks[task].response
    form = form.model_copy(update={"example": example or form.example})
    found = prompts.make_questions(RESPONSES, task, form, protocol, settings, seed=1)
    return [question.messages[0]["content"] for question in found], found


def test_responses_to_one_stimulus_are_one_prompt_in_shuffled_order():
    made, found = texts("color", "zeroshot")
    assert len(made) == 6
    orders = set()
    for text, question in zip(made, found, strict=True):
        listed = text.split("Estimations:\n")[1].splitlines()
        shown = [line.split(". ")[1] for line in listed]
        number = question.stimulus[-1]
        assert [color[:-1] for color in shown] == [COLORS[i["agent"]] for i in question.items]
        assert {color[-1] for color in shown} == {number}
        assert sorted(COLORS) == sorted(item["agent"] for item in question.items)
        orders.add(tuple(item["agent"] for item in question.items))
    assert len(orders) > 1
    assert made == texts("color", "zeroshot")[0]


def test_scan_paths_and_conversations_have_a_prompt_each():
    made, found = texts("attention", "zeroshot")
    assert len(made) == 12
    assert {item["variant"] for question in found for item in question.items} == {"free viewing"}
    # Visual search is not asked about.
    assert all(not question.stimulus.startswith("search") for question in found)
    made, found = texts("conversation", "zeroshot")
    assert len(made) == 24
    assert made[1].endswith("\n".join(f"{'BA'[n % 2]}: turn {n} of 0-1" for n in range(1, 5)))
    assert [item["variant"] for item in found[1].items] == ["H-M", "H-M"]
    assert [item["agent"] for item in found[1].items] == ["human", "davinci"]


def test_one_shot_prompts_show_an_example_that_is_not_judged():
    for task in TASKS:
        (made, found), (zero, whole) = texts(task, "oneshot"), texts(task, "zeroshot")
        assert 0 < len(made) < len(zero)
        assert all("example" in text for text in made)
        (example,) = {q.stimulus for q in whole} - {q.stimulus for q in found}
        if task == "attention":
            # Of its scan paths, the one that would be asked about first.
            asked = [text for text, q in zip(zero, whole, strict=True) if q.stimulus == example]
            first, *others = (re.search(r"\[\[.*\]\]", text)[0] for text in asked)
            assert first in made[0] and not any(path in made[0] for path in {*others} - {first})
    made, found = texts("conversation", "oneshot", example="0-1")
    assert "0-1" not in {question.stimulus for question in found}
    assert "In this example, A is Human; B is AI." in made[0]
    made, _ = texts("color", "oneshot", example="103")
    example = made[0].split("Here is an example:\n")[1].split("Estimations:")[0]
    shown = [line.split(". ")[1] for line in example.splitlines() if ". " in line]
    labels = [line[2:] for line in example.splitlines() if line.startswith("- ")]
    assert {c: la for c, la in zip(shown, labels, strict=True)} == {
        f"{color}3": "Human" if agent == "human" else "AI-generated"
        for agent, color in COLORS.items()
    }


def test_images_are_sent_and_asked_for_by_name(tmp_path):
    (tmp_path / "color").mkdir()
    for n in range(6):
        (tmp_path / f"color/10{n}.jpg").write_bytes(b"\xff\xd8picture")
    made, _ = texts("color", "zeroshot", images=str(tmp_path))
    image, text = made[0]
    assert image["image_url"]["url"].startswith("data:image/jpeg;base64,")
    assert "You will be given a scene image along with 4 corresponding" in text["text"]
    made, _ = texts("color", "oneshot", images=str(tmp_path))
    assert len(made[0]) == 3
    with pytest.raises(ConfigError, match=r"llm.images: there is no .*caption/0000 \(\.jpg"):
        texts("caption", "zeroshot", images=str(tmp_path))


DONE = {"finish_reason": "stop", "refusal": None}
SUMMARY = "1. Human, since ...\n\n### Summary of Classifications\n"
H, M = "human", "machine"


@pytest.mark.parametrize(
    ("kind", "text", "verdicts"),
    [
        ("list", f"{SUMMARY}- Human\n- AI-generated", [H, M]),
        ("list", f"{SUMMARY}1. **Human**\n2. **AI-generated**\n\nThat is my view.", [H, M]),
        ("list", f"{SUMMARY}- Caption 1: Human\n- Caption 2: AI Generated (too long)", [H, M]),
        ("list", f"{SUMMARY}- nice: Human\n- light - AI-generated", [H, M]),
        ("list", f"{SUMMARY}- Human: no AI would say so\n- AI-generated, not human", [H, M]),
        ("single", "**Answer:** Human\nAn AI would look elsewhere.", [H]),
        ("single", "Justification...\nThe answer is: AI-generated.", [M]),
        ("speakers", "A is human. B is AI.", [H, M]),
        ("speakers", "**Agent A:** AI\n**Agent B:** Human", [M, H]),
        ("speakers", "Both A and B are humans.", [H, H]),
        ("speakers", '{"A": "AI", "B": "human"}', [M, H]),
        ("speakers", "A is most likely an AI, and B is probably a human.", [M, H]),
    ],
)
def test_answers_that_are_read(kind, text, verdicts):
    answer = chat.Answer(text=text, **DONE)
    assert answers.read_verdicts(answer, kind, len(verdicts)) == verdicts


@pytest.mark.parametrize(
    ("kind", "text", "reason"),
    [
        ("list", "- Human\n- Human", "no section"),
        ("list", f"{SUMMARY}- Human", "1 verdicts in place of 2"),
        ("list", f"{SUMMARY}- Human\n- unsure", "without a single classification"),
        ("list", f"{SUMMARY}- not human\n- Human", "without a single classification"),
        ("list", f"{SUMMARY}2. Human\n1. AI-generated", "out of order"),
        ("list", f"{SUMMARY}All of them are hard to tell.", "no list"),
        ("list", "I'm sorry, but I can't help with that.", "refused"),
        ("list", "", "empty answer"),
        ("single", "Human", "no verdict after"),
        ("single", "Answer: Human. On reflection, Answer: AI", "two different verdicts after"),
        ("speakers", "A is not human. B is AI.", "no verdict on agent A"),
        ("speakers", "A: AI. B: AI. No, B is human.", "two different verdicts on agent B"),
        # What the endpoint tells.
        ("list", {"text": "", "finish_reason": "content_filter"}, "content filter"),
        ("list", {"text": "", "refusal": "no"}, "refused"),
        ("list", {"text": "1. Human, bec", "finish_reason": "length"}, "cut off"),
    ],
)
def test_answers_that_are_not_guessed_at(kind, text, reason):
    answer = chat.Answer(**DONE | (text if isinstance(text, dict) else {"text": text}))
    with pytest.raises(answers.Unreadable, match=reason):
        answers.read_verdicts(answer, kind, 1 if kind == "single" else 2)


def keys(table):
    """Which response to which stimulus each row of a table is about."""
    return list(table[["task", "cohort", "trial", "position"]].itertuples(index=False, name=None))


def test_every_response_gets_one_verdict_by_the_rule_of_the_model(tmp_path):
    with ChatServer() as server:
        tables, client = judged(server, tmp_path, models=("m", "Other Model"))
        asked = len(server.requests)
        assert server.most <= 4
    judgments = tables["judgments"]
    assert list(judgments.columns) == list(schema.JUDGMENTS)
    assert tables["unparsed"].empty
    assert len(keys(judgments)) == len(set(keys(judgments)))
    n = {"color": 24, "caption": 24, "word": 12, "object": 12, "attention": 12, "conversation": 48}
    counts = judgments.groupby(["task", "cohort"], observed=True).size()
    assert counts.to_dict() == {
        (task, f"zeroshot_{model}"): number
        for task, number in n.items()
        for model in ("m", "other_model")
    }
    assert asked == len(tables["answers"]) == client.calls == 2 * (6 * 4 + 12 + 24)
    # Verdicts are those of the responses they stand beside, though these were shuffled.
    for row in judgments[judgments["task"] == "color"].to_dict("records"):
        text = f"{COLORS[row['agent']]}{row['stimulus'][-1]}"
        assert row["verdict"] == ("human" if verdict(text) == "Human" else "machine")
    assert set(judgments["judge_kind"]) == {"llm"}
    told = tables["answers"]
    assert set(told["model_reported"]) == {"m-2024-11-20", "Other Model-2024-11-20"}
    assert set(told["temperature"]) == {0.0} and set(told["tokens_in"]) == {100}
    assert set(told["created"]) == {"2023-11-14T22:13:20+00:00"}


def test_a_rerun_costs_nothing_and_gives_the_same(tmp_path):
    with ChatServer() as server:
        first, _ = judged(server, tmp_path, protocols=("zeroshot", "oneshot"))
        asked = len(server.requests)
        again, client = judged(server, tmp_path, protocols=("zeroshot", "oneshot"), max_calls=0)
        assert len(server.requests) == asked
    assert client.calls == 0
    for name, table in first.items():
        pd.testing.assert_frame_equal(table, again[name])
    assert {c.split("_")[0] for c in first["judgments"]["cohort"]} == {"zeroshot", "oneshot"}


def test_unreadable_answers_are_asked_again_once_and_then_counted(tmp_path):
    color = RESPONSES[RESPONSES["task"] == "color"]
    wrong = "say:**Summary of Classifications**\n- Human\n- Human"
    refusal = "say:I'm sorry, I can't help with that."
    faults = [wrong, None, refusal, refusal, wrong, refusal]
    with ChatServer(faults) as server:
        tables, _ = judged(server, tmp_path, color, tasks=("color",), concurrency=1)
        again, client = judged(server, tmp_path, color, tasks=("color",), concurrency=1)
        assert len(server.requests) == 9
    assert client.calls == 0
    judgments, unparsed, told = (tables[name] for name in ("judgments", "unparsed", "answers"))
    pd.testing.assert_frame_equal(unparsed, again["unparsed"])
    assert list(told["attempts"]) == [2, 2, 2, 1, 1, 1]
    assert list(told["unparsed"]) == [0, 4, 4, 0, 0, 0]
    assert set(unparsed["reason"]) == {"refused"}
    assert len(judgments) == 16 and len(unparsed) == 8
    assert not set(keys(judgments)) & set(keys(unparsed))
    # The second request repeats the first, its answer, and says what was wrong.
    first, second, reminder = server.requests[1][1]["messages"]
    assert first == server.requests[0][1]["messages"][0]
    assert second["role"] == "assistant" and second["content"] == wrong[4:]
    assert "2 verdicts in place of 4" in reminder["content"]
    # The answer of each can be looked up.
    key = unparsed["answer"].iloc[0]
    kept = json.loads((tmp_path / "cache" / key[:2] / f"{key}.json").read_text())
    assert "sorry" in kept["answer"]["text"]


def test_budget_is_checked_before_the_first_call(tmp_path):
    told = r"(?s)needs 60 calls.*max_calls is 50.*Nothing was"
    with ChatServer() as server:
        with pytest.raises(chat.BudgetError, match=told):
            judged(server, tmp_path, max_calls=50)
        assert not server.requests


def test_judges_become_cohorts_of_the_study(tmp_path):
    settings = settings_of(tmp_path, models=("GPT-4o",), protocols=("zeroshot", "oneshot"))
    study = subset.add_language_judges(STUDY, settings)
    cohort = study.tasks["color"].cohorts["zeroshot_gpt_4o"]
    assert (cohort.label, cohort.judge_kind) == ("GPT-4o, zero-shot, no image", "llm")
    assert "oneshot_gpt_4o" in study.tasks["conversation"].cohorts
    assert subset.add_language_judges(STUDY, LanguageModels()) == STUDY
    with pytest.raises(ConfigError, match=r"tasks: colour unknown"):
        subset.cut_study(STUDY, config.Config(llm=LanguageModels(tasks=("colour",))))


def test_a_run_writes_what_models_answered(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    files.write_frame(RESPONSES, tmp_path / "data/responses.parquet")
    with ChatServer() as server:
        asked = settings_of(tmp_path, server.url, tasks=("color",))
        settings = config.Config(llm=asked.model_dump())
        described = load_plan("zhang2025", settings, ROOT).describe_job("llm_judge")
        described["settings"]["study"] = Study(**described["settings"]["study"])
        make_results(Job(**described, folder=tmp_path))
        _, client = judged(server, tmp_path, seed=settings.seed, tasks=("color",))
    # The same questions: all were answered before.
    assert client.calls == 0
    assert len(files.read_frame(tmp_path / "llm/judgments.parquet")) == 6 * len(COLORS)
    for name in ("answers", "unparsed"):
        table = files.read_frame(tmp_path / f"llm/{name}.csv")
        assert list(table["data"]) == ["observed data"] * (6 if name == "answers" else 0)
