"""The chat client against a real server on this computer that behaves well, slowly, and badly."""

import time

import pytest
from chat_server import ChatServer

from turingstats.config.settings import LanguageModels
from turingstats.core.errors import EndpointError
from turingstats.judges.llm import chat, endpoint

PROMPT = "Answer: one word, following an indicator word"
KEY = "sk-test-0123456789-KEEP-OUT"


@pytest.fixture(autouse=True)
def few_short_attempts(monkeypatch):
    monkeypatch.setattr(endpoint, "ATTEMPTS", 2)


def client_of(server, folder, environment=None, **settings):
    url = server if isinstance(server, str) else server.url
    settings = {"base_url": url, "cache": str(folder), "timeout": 0.5} | settings
    return chat.Client(LanguageModels(**settings), environment or {})


def ask(client, text=PROMPT):
    return client.ask(client.build_request("m", [{"role": "user", "content": text}]))[0]


def test_answer_with_all_that_is_recorded(tmp_path):
    with ChatServer() as server:
        answer = ask(client_of(server, tmp_path, temperature=0.3))
        ask(client_of(server, tmp_path, temperature=None))
    (_, sent), (_, without) = server.requests
    assert sent["temperature"] == 0.3 and sent["max_tokens"] == 1024 and sent["model"] == "m"
    assert "temperature" not in without
    assert answer.text.startswith("Answer: ")
    assert (answer.model, answer.created) == ("m-2024-11-20", 1_700_000_000)
    assert (answer.tokens_in, answer.tokens_out) == (100, 20)


def test_no_question_is_asked_twice(tmp_path):
    with ChatServer() as server:
        first = ask(client_of(server, tmp_path))
        again = client_of(server, tmp_path, max_calls=0)
        assert ask(again) == first
        assert again.calls == 0
        # Anything that may change the answer is another question.
        for other in ({"temperature": 1.0}, {"parameters": {"max_tokens": 9}}):
            ask(client_of(server, tmp_path, **other))
        ask(client_of(server, tmp_path), "another prompt, following an indicator word")
    assert len(server.requests) == 4


@pytest.mark.parametrize("fault", ["cut", "half", "garbage", "shapeless", "hang", 500, 429, 408])
def test_calls_that_fail_on_the_way_are_retried(tmp_path, fault):
    with ChatServer([fault], patience=30) as server:
        client = client_of(server, tmp_path)
        start = time.monotonic()
        assert ask(client).text.startswith("Answer")
        assert time.monotonic() - start < 5
    assert len(server.requests) == 2 == client.calls


def refuse(status, **headers):
    """A fault of the server: a status with this message."""
    return {"status": status, "headers": headers, "body": {"error": {"message": "no such model m"}}}


LATER = r"(.|\n)*run again to continue"


@pytest.mark.parametrize(
    ("fault", "requests", "told"),
    [
        (500, 2, f"keeps failing .status 500{LATER}"),
        ("garbage", 2, f"failed 2 times in a row: a reply that is not JSON{LATER}"),
        ("shapeless", 2, f"not the reply of the protocol .choices: List should have{LATER}"),
        ("hang", 2, f"no answer within 0.5 s{LATER}"),
        # Replies are bounded.
        ("drip", 1, "not complete after 0.5 s"),
        ("huge", 1, "more than 1,000"),
        ("zip", 1, "compressed"),
        # Calls that are wrong, or would wait for hours, are not repeated.
        (refuse(400), 1, "(?s)status 400.*no such model m"),
        (refuse(404), 1, "(?s)status 404.*no such model m"),
        (refuse(401), 1, r"Put the key into \$OPENAI_API_KEY"),
        (refuse(429, **{"Retry-After": "7200"}), 1, "Retry-After: 7200"),
    ],
)
def test_endpoint_that_keeps_failing_is_given_up(tmp_path, fault, requests, told, monkeypatch):
    monkeypatch.setattr(endpoint, "ANSWER_BYTES", 1000)
    start = time.monotonic()
    with ChatServer(always=fault, patience=30) as server:
        with pytest.raises(EndpointError, match=told):
            ask(client_of(server, tmp_path))
        assert len(server.requests) == requests
    assert time.monotonic() - start < 5
    assert not list(tmp_path.rglob("*.json"))


@pytest.mark.parametrize("url", ["http://example.org/v1", "http://10.0.0.7:8000/v1"])
def test_key_is_not_sent_in_the_open(tmp_path, url):
    with pytest.raises(EndpointError, match="without encryption"):
        ask(client_of(url, tmp_path, {"OPENAI_API_KEY": KEY}))


def test_content_filter_is_an_answer_and_tokens_may_be_unknown(tmp_path):
    fault = {"status": 400, "body": {"error": {"code": "content_filter", "message": "no"}}}
    with ChatServer([fault]) as server:
        client = client_of(server, tmp_path)
        assert ask(client).finish_reason == "content_filter"
        assert ask(client).finish_reason == "content_filter"
        assert len(server.requests) == 1
    with ChatServer(["say:12345678"], usage=False) as server:
        answer = ask(client_of(server, tmp_path), "x" * 41)
    assert (answer.tokens_in, answer.tokens_out) == (None, None)


def test_key_goes_into_the_header_and_nowhere_else(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(endpoint, "ATTEMPTS", 1)
    told = {"error": {"message": f"bad key {KEY}"}}
    faults = [{"status": status, "headers": {"X": KEY}, "body": told} for status in (400, 401, 500)]
    with ChatServer([*faults, f"say:Answer: {KEY}"]) as server:
        client = client_of(server, tmp_path, {"MY_KEY": f"{KEY}\n"}, key_variable="MY_KEY")
        for _ in faults:
            with pytest.raises(EndpointError) as error:
                ask(client)
            assert KEY not in str(error.value)
        assert ask(client).text == "Answer: [key]"
        assert [headers["Authorization"] for headers, _ in server.requests] == [f"Bearer {KEY}"] * 4
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(kept) == 1 and KEY not in kept[0].read_text()
    assert KEY not in capsys.readouterr().out


def test_calls_are_limited_with_those_that_are_retried(tmp_path, monkeypatch):
    monkeypatch.setattr(endpoint, "ATTEMPTS", 9)
    with ChatServer(always=500) as server:
        client = client_of(server, tmp_path, max_calls=2)
        with pytest.raises(chat.BudgetError, match=r"max_calls is 2"):
            ask(client)
        assert len(server.requests) == 2


@pytest.mark.parametrize("status", [302, 307, 308])
def test_key_does_not_follow_a_redirect(status, tmp_path):
    with ChatServer() as other:
        where = {"Location": f"{other.url}/elsewhere?key={KEY}"}
        with ChatServer([{"status": status, "headers": where}]) as server:
            with pytest.raises(EndpointError) as error:
                ask(client_of(server, tmp_path, {"OPENAI_API_KEY": KEY}))
            assert len(server.requests) == 1
    assert other.requests == []
    told = str(error.value)
    assert f"redirect (status {status}) to {other.url}" in told and "set llm.base_url to it" in told
    assert KEY not in told


@pytest.mark.parametrize("key", ["sk-secret\nX-Other: 1", "sk-secret\N{EN DASH}1"])
def test_key_that_no_header_can_hold_is_not_shown(key, tmp_path):
    with pytest.raises(EndpointError, match=r"\$OPENAI_API_KEY is no key") as error:
        ask(client_of("http://127.0.0.1:9/v1", tmp_path, {"OPENAI_API_KEY": key}))
    assert "secret" not in str(error.value)
