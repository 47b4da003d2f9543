"""What machine judges send to an endpoint and take from it, against servers that lead astray."""

import ast
import re
import time
from pathlib import Path

import pytest
from chat_server import ChatServer
from hostile_server import HostileServer, respond

from turingstats.config import settings as config
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError, SourceError
from turingstats.judges import embeddings, endpoint
from turingstats.judges.llm import chat

ROOT = Path(__file__).parents[2]
KEY = "sk-test-0123456789-KEEP-OUT"


def transport(url, key=KEY):
    return endpoint.Transport(url, key, "llm.base_url", timeout=5)


def chat_of(url, folder):
    settings = config.LanguageModels(base_url=url, cache=str(folder), timeout=5, attempts=2)
    client = chat.Client(settings, {"OPENAI_API_KEY": KEY})
    client.first_pause = 0.01
    return lambda: client.ask(client.build_request("m", [{"role": "user", "content": "?"}]))


def client_of(name, url, folder, monkeypatch):
    return chat_of(url, folder) if name == "chat" else embeddings_of(url, monkeypatch)


def embeddings_of(url, monkeypatch):
    monkeypatch.setenv("TEST_KEY", KEY)
    monkeypatch.setattr(embeddings.Endpoint, "pause", 0.01)
    source = embeddings.Endpoint(url, "small", "TEST_KEY")
    return lambda: source.embed(["a"])


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("client", ["chat", "embeddings"])
def test_key_does_not_follow_a_redirect(client, status, tmp_path, monkeypatch):
    vectors = {"data": [{"index": 0, "embedding": [1.0, 2.0]}]}
    with HostileServer(respond(vectors)) as other:
        redirect = respond({}, f"{status} Moved", f"Location: {other.url}?key={KEY}")
        with HostileServer(redirect) as server:
            ask = client_of(client, server.url, tmp_path, monkeypatch)
            with pytest.raises((chat.EndpointError, SourceError)) as error:
                ask()
        assert len(server.requests) == 1 and KEY.encode() in server.requests[0]
    assert other.requests == []
    told = str(error.value)
    setting = "llm.base_url" if client == "chat" else "judges.base_url"
    assert f"redirect (status {status}) to {other.url}" in told and f"set {setting} to it" in told
    assert KEY not in told


def test_both_clients_use_the_one_transport(tmp_path, monkeypatch):
    posted = []

    def post(self, body):
        posted.append(self.url)
        raise endpoint.Refused("no", 400, {"message": "no"})

    monkeypatch.setattr(endpoint.Transport, "post", post)
    for ask in (chat_of("http://h/v1", tmp_path), embeddings_of("http://h/v1", monkeypatch)):
        with pytest.raises((chat.EndpointError, SourceError), match="400"):
            ask()
    assert posted == ["http://h/v1/chat/completions", "http://h/v1/embeddings"]


def test_vectors_of_different_lengths_are_refused(monkeypatch):
    answers = [respond({"data": [{"index": 0, "embedding": [1.0] * n}]}) for n in (2, 3)]
    monkeypatch.setattr(embeddings.Endpoint, "batch", 1)
    with HostileServer(*answers) as server:
        source = embeddings.Endpoint(server.url, "small", "TEST_KEY")
        with pytest.raises(SourceError, match=r"different lengths: \[2, 3\]"):
            source.embed(["a", "b"])


def test_key_is_replaced_in_all_that_is_read():
    escaped = KEY.replace("-", "\\u002d")
    text = f'{{"a": ["{KEY}", {{"{KEY}": "{escaped}"}}], "b": 1}}'
    with HostileServer(respond(text.encode())) as server:
        found = transport(server.url).post({})
    assert found == {"a": ["[key]", {"[key]": "[key]"}], "b": 1}
    long = {"error": {"message": "x" * 10_000}}
    refused = pytest.raises(endpoint.Refused)
    with HostileServer(respond(long, "400 Bad")) as server, refused as error:
        transport(server.url).post({})
    assert len(error.value.error["message"]) == endpoint.TOLD


def test_nothing_else_uses_the_network():
    network = "aiohttp ftplib http httpx requests smtplib socket ssl urllib3".split()
    users = set()
    for path in [
        path for folder in ("scripts", "src", "tools") for path in (ROOT / folder).rglob("*.py")
    ]:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in getattr(node, "names", [])]
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{name}" for name in names]
            elif not isinstance(node, ast.Import):
                continue
            if any(n.split(".")[0] in network or n.startswith("urllib.request") for n in names):
                users.add(str(path.relative_to(ROOT)))
    # The others ask for the name of their own computer, and one for a port of it that is free.
    others = {
        "src/turingstats/workflow/runs.py": {"gethostname"},
        "tools/slurm.py": {"gethostname", "socket"},
    }
    assert users == {"src/turingstats/judges/endpoint.py", *others}
    for path, used in others.items():
        assert set(re.findall(r"\bsocket\.(\w+)\(", (ROOT / path).read_text())) == used


@pytest.mark.parametrize("key", ["sk-secret\nX-Other: 1", "sk-secret\N{EN DASH}1"])
def test_key_that_no_header_can_hold_is_not_shown(key):
    with pytest.raises(endpoint.Refused, match="not allowed in a header") as error:
        transport("http://127.0.0.1:9/v1", key).post({})
    assert "secret" not in str(error.value)


def test_retry_after_is_a_finite_number_or_a_date():
    later = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 100))
    assert 95 < endpoint.parse_retry_after(later) <= 100
    assert endpoint.parse_retry_after("2.5") == 2.5
    assert (
        endpoint.parse_retry_after("-3")
        == 0
        == endpoint.parse_retry_after("Wed, 21 Oct 2015 07:28:00 GMT")
    )
    for unclear in (None, "soon", "", "nan", "inf", "-inf", "1e999", "Mon, 99 Foo 99999999999"):
        assert endpoint.parse_retry_after(unclear) is None


def test_attempts_pause_ever_longer_up_to_a_limit():
    waited, calls = [], []

    def call():
        calls.append(1)
        raise endpoint.Failed("no", wait={3: 9.0}.get(len(calls)))

    with pytest.raises(endpoint.Failed):
        endpoint.retry_call(
            call, 6, (1.0, 5.0), lambda seconds, failure: waited.append(seconds), 10
        )
    assert waited == [1, 2, 9, 5, 5] and len(calls) == 6


@pytest.mark.parametrize("client", ["chat", "embeddings"])
def test_wait_of_hours_is_an_error(client, tmp_path, monkeypatch):
    busy = respond({}, "429 Busy", "Retry-After: 7200")
    with HostileServer(busy) as server:
        ask = client_of(client, server.url, tmp_path, monkeypatch)
        with pytest.raises((chat.EndpointError, SourceError), match="asks to wait 7200 seconds"):
            ask()


# --- what the configuration may say of an endpoint -----------------------------------------------


@pytest.mark.parametrize("section", ["llm", "judges"])
@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000", "ftp://host/v1", "https://", "/v1", "https://host:port/v1", "http://[::1/v1",
        "https://ho st/v1", "https://host\n/v1", "https://me:TOPSECRET@host/v1",
        "https://TOPSECRET@host", "https://host/v1?key=TOPSECRET", "https://host/v1#TOPSECRET",
        "me:TOPSECRET@host",
    ],
)  # fmt: skip
def test_addresses_that_are_refused(section, url):
    with pytest.raises(ConfigError, match=rf"{section}\.base_url: .*an address") as error:
        yaml_models.build_model(config.Config, {section: {"base_url": url}}, "mine.yaml")
    assert "TOPSECRET" not in str(error.value)


@pytest.mark.parametrize("section", ["llm", "judges"])
def test_addresses_and_variables_that_are_taken(section):
    values = {"base_url": "http://[::1]:8000/v1/", "key_variable": "MY_KEY_OF_2025"}
    found = getattr(yaml_models.build_model(config.Config, {section: values}, "mine.yaml"), section)
    assert (found.base_url, found.key_variable) == ("http://[::1]:8000/v1", "MY_KEY_OF_2025")


@pytest.mark.parametrize("section", ["llm", "judges"])
@pytest.mark.parametrize(
    "value",
    [
        "sk-TOPSECRET", "sk_live_TOPSECRET1", "hf_TOPSECRET2abcDEF", "AIzaTOPSECRET", "", "MY KEY",
        "1KEY", "TOPSECRETa1b2c3d4e5f6a7b8",
    ],
)  # fmt: skip
def test_keys_in_place_of_the_name_of_a_variable_are_refused(section, value):
    with pytest.raises(ConfigError, match="not the name of an environment variable") as error:
        yaml_models.build_model(config.Config, {section: {"key_variable": value}}, "mine.yaml")
    assert "TOPSECRET" not in str(error.value)


@pytest.mark.parametrize(
    "parameters",
    [
        {"api_key": "TOPSECRET"},
        {"apiKey": "TOPSECRET"},
        {"token": "TOPSECRET"},
        {"Authorization": "TOPSECRET"},
        {"extra_headers": {"X-Api-Key": "TOPSECRET"}},
        {"list": [{"client_secret": "TOPSECRET"}]},
        {"user": "Bearer TOPSECRET"},
        {"user": "sk-TOPSECRET"},
    ],
)
def test_secrets_among_the_parameters_of_requests_are_refused(parameters):
    with pytest.raises(ConfigError, match=r"llm\.parameters: \S+ looks like a secret") as error:
        yaml_models.build_model(config.Config, {"llm": {"parameters": parameters}}, "mine.yaml")
    assert "TOPSECRET" not in str(error.value)


def test_parameters_that_only_sound_like_secrets_are_taken():
    parameters = {"max_tokens": 9, "prompt_cache_key": "a", "stop_token_ids": [1], "logit_bias": {}}
    found = yaml_models.build_model(config.Config, {"llm": {"parameters": parameters}}, "mine.yaml")
    assert found.llm.parameters == parameters


def test_answer_of_the_chat_server_passes(tmp_path):
    with ChatServer() as server:
        assert chat_of(server.url, tmp_path)()[0].text
