"""Language models judge in the workflow: from responses to a matrix in a figure, and a new model's page."""

import json

import pandas as pd
import pytest
from chat_server import ChatServer, verdict
from project import SMOKE, Project

KEY = "sk-workflow-NOWHERE-0123456789"
MODELS = ["gpt-4o", "llama"]
RESULTS = "results/smoke/zhang2025"


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A copy in which two models judged thirty images, zero-shot and one-shot; the bad days included."""
    project = Project(tmp_path_factory.mktemp("asked") / "project")
    limit = {"status": 429, "headers": {"Retry-After": "0.2"}}
    faults = [None, limit, "cut", "say:no", "garbage", "say:I'm sorry, I can't.", 500]
    # A server that repeats the key.
    told = {"error": {"message": KEY, "code": KEY}}
    faults += [{"status": 503, "headers": {"X-Key": KEY}, "body": told}, f"say:{KEY} and more"]
    with ChatServer(faults) as server:
        llm = {"base_url": server.url, "models": MODELS, "stimuli": 30, "concurrency": 1}
        llm |= {"protocols": ["zeroshot", "oneshot"]}
        # Responses of this task are generated: those of the observed trials are not bundled.
        fewer = {"folds": 3, "seeds": 1, "max_responses": 200}
        settings = {"llm": llm, "data": {"source": "demo"}, "judges": fewer}
        environment = {"OPENAI_API_KEY": KEY}
        output = project.make("llm_dry_run", *SMOKE, config=settings)
        assert not server.requests
        output += project.make("llm_judges", *SMOKE, config=settings, environment=environment)
        yield project, settings, server, environment, output


def test_dry_run_shows_prompts_and_calls(judged):
    project, _, _, _, output = judged
    assert "You will be given 6 estimations" in output
    assert "calls to make (llm.max_calls 10000), about " in output
    prompts = (project.folder / RESULTS / "llm/prompts.txt").read_text()
    assert prompts.count("=====") == 4 * 30
    plan = pd.read_csv(project.folder / RESULTS / "llm/plan.csv")
    assert list(plan["questions"]) == [30] * 4


def test_verdicts_reach_the_matrix_of_a_figure(judged):
    project, _, _, _, _ = judged
    top = project.folder / RESULTS
    shown = pd.read_csv(top / "figures/llm.csv")
    judgments = pd.read_parquet(top / "llm/judgments.parquet")
    responses = pd.read_parquet(top / "data/responses.parquet")
    unparsed = pd.read_csv(top / "llm/unparsed.csv")
    for model in ("gpt_4o", "llama"):
        for protocol in ("zeroshot", "oneshot"):
            cohort = f"{protocol}_{model}"
            own = judgments[judgments["cohort"] == cohort]
            lost = unparsed[unparsed["cohort"] == cohort]
            assert len(own) + len(lost) == 30 * 6
            # The rule of the server, applied to the responses themselves.
            asked = responses[responses["stimulus"].isin(own["stimulus"].astype(str))]
            called = asked["response"].map(verdict) == "Human"
            for agent, quantity in (("azure", "p_HM"), ("human", "p_HH")):
                place = {"cohort": cohort, "agent": agent, "quantity": quantity}
                row = shown[(shown[list(place)] == pd.Series(place)).all(axis=1)].iloc[0]
                mine = asked["agent"] == agent
                assert row["n"] == mine.sum()
                assert row["value"] == pytest.approx(called[mine].mean())
    # One answer could not be read, nor could the one after the reminder.
    assert set(unparsed["reason"]) <= {"refused", "no section 'Summary of Classifications'"}
    assert (top / "figures/llm.png").read_bytes().startswith(b"\x89PNG")
    assert shown["data"].eq("generated data").all()


def test_key_is_in_no_file_and_no_output(judged):
    project, _, server, _, output = judged
    assert {headers["Authorization"] for headers, _ in server.requests} == {f"Bearer {KEY}"}
    looked = set()
    for path in project.folder.rglob("*"):
        if path.is_file():
            looked.add(path.relative_to(project.folder).parts[:2])
            assert KEY.encode() not in path.read_bytes(), path
    assert {(".snakemake", "log"), ("data", "cache"), ("results", "smoke")} <= looked
    assert KEY not in output
    # What the server repeated is there, without the key.
    kept = (project.folder / "data/cache").rglob("*.json")
    assert any('"text": "[key] ' in path.read_text() for path in kept)


def test_new_model_gets_a_table(judged):
    project, settings, _, environment, _ = judged
    responses = pd.read_parquet(project.folder / RESULTS / "data/responses.parquet")
    people = responses[responses["agent"] == "human"].drop_duplicates("stimulus")[:40]
    mine = dict(zip(people["stimulus"] + ".jpg", people["response"], strict=True))
    (project.folder / "my_model.json").write_text(json.dumps(mine | {"x.jpg": "red"}))
    config = settings | {"responses": "my_model.json", "task": "color"}
    project.make("benchmark", *SMOKE, config=config, environment=environment)
    top = project.folder / RESULTS / "benchmark/color_my_model"
    page = (top / "detectability.html").read_text()
    assert "my_model: detectability" in page and "1 to unknown stimuli left out" in page
    scores = pd.read_csv(top / "scores.csv")
    new = scores[scores["submitted"] & (scores["reading"] == "recommended")].set_index("judge")
    asked = {f"{p}_{m}" for p in ("zeroshot", "oneshot") for m in ("gpt_4o", "llama")}
    # The task declares no judge that is trained here, so it gets both kinds.
    assert set(new.index) == {"trained", "trained_others", *asked}
    assert (new["n_machine"] <= 40).all() and new["value"].between(0, 1).all()
    assert {"people", *new.index} <= set(scores["judge"])
    assert scores["judge_source"].notna().all()
