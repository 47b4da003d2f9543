"""What machine judges send to an endpoint and take from it, and what the configuration may say of one."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest
from chat_server import ChatServer

from turingstats.config import settings as config
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError, EndpointError, InputError
from turingstats.judges import embeddings
from turingstats.judges.llm import chat

ROOT = Path(__file__).parents[2]
KEY = "sk-test-0123456789-KEEP-OUT"


def ask_chat(url, folder, key=KEY):
    """Ask a chat model."""
    settings = config.LanguageModels(base_url=url, cache=str(folder), timeout=5, attempts=2)
    client = chat.Client(settings, {"OPENAI_API_KEY": key})
    return client.ask(client.build_request("m", [{"role": "user", "content": "?"}]))


def embed(url, folder, texts=("a", "b")):
    """Embed texts with a cache."""
    return embeddings.embed_texts(
        texts, embeddings.Endpoint(url, "small", "OPENAI_API_KEY"), folder
    )


def vectors(*rows):
    """An answer with vectors: pairs of an index and numbers."""
    return {"data": [{"index": index, "embedding": numbers} for index, numbers in rows]}


@pytest.fixture(autouse=True)
def key_of_the_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(embeddings.Endpoint, "attempts", 2)


@pytest.mark.parametrize("status", [302, 307, 308])
@pytest.mark.parametrize(
    ("ask", "setting"), [(ask_chat, "llm.base_url"), (embed, "judges.base_url")]
)
def test_key_does_not_follow_a_redirect(ask, setting, status, tmp_path):
    with ChatServer() as other:
        where = {"Location": f"{other.url}/elsewhere?key={KEY}"}
        with ChatServer([{"status": status, "headers": where}]) as server:
            with pytest.raises(EndpointError) as error:
                ask(server.url, tmp_path)
            assert len(server.requests) == 1
    assert other.requests == []
    told = str(error.value)
    assert f"redirect (status {status}) to {other.url}" in told and f"set {setting} to it" in told
    assert KEY not in told


@pytest.mark.parametrize("key", ["sk-secret\nX-Other: 1", "sk-secret\N{EN DASH}1"])
def test_key_that_no_header_can_hold_is_not_shown(key, tmp_path):
    with pytest.raises(EndpointError, match=r"\$OPENAI_API_KEY is not a key") as error:
        ask_chat("http://127.0.0.1:9/v1", tmp_path, key)
    assert "secret" not in str(error.value)


def test_placeholders_for_keys_are_left_in_answers(tmp_path):
    with ChatServer(["say:Human x"]) as server:
        assert ask_chat(server.url, tmp_path, key="x")[0].text == "Human x"


def test_vectors_in_any_order_are_those_of_their_texts(tmp_path):
    answers = [vectors((1, [2.0, 3]), (0, [1.0, 0])), vectors((0, [1.0]))]
    with ChatServer([{"status": 200, "body": answer} for answer in answers]) as server:
        found = embed(server.url, tmp_path)
        assert found.tolist() == [[1, 0], [2, 3]]
        np.testing.assert_array_equal(embed(server.url, tmp_path), found)
        assert len(server.requests) == 1
        assert server.requests[0][1] == {"model": "small", "input": ["a", "b"]}
        # Vectors of a former model cannot be compared.
        with pytest.raises(InputError, match=r"different lengths: \[1, 2\]"):
            embed(server.url, tmp_path, ["a", "c"])


def test_a_file_that_is_no_cache_is_named(tmp_path):
    path = embeddings.find_cache_file(tmp_path, "small of http://127.0.0.1:9/v1")
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(InputError, match=r"not a usable cache(.|\n)*fix: +delete this file"):
        embed("http://127.0.0.1:9/v1", tmp_path)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"data": []}, "no vectors"),
        ({"data": [{"index": 0}]}, "embedding: Field required"),
        (vectors((0, [1.0]), (0, [1.0])), "not one vector per text"),
        (vectors((0, [1.0]), (1, [1.0, 2.0])), "different lengths"),
        (vectors((0, [0.0]), (1, [1.0])), "without a direction"),
        (vectors((0, [float("nan")]), (1, [1.0])), "without a direction"),
        (vectors((0, [1e300]), (1, [1.0])), "without a direction"),
        (vectors((0, [KEY]), (1, [1.0])), "valid number"),
        (vectors((0, [1.0])), "1 vectors for 2 texts"),
    ],
)
def test_answers_without_a_vector_per_text(answer, told, tmp_path):
    with ChatServer(always={"status": 200, "body": answer}) as server:
        with pytest.raises(EndpointError, match=told) as error:
            embed(server.url, tmp_path)
        assert KEY not in str(error.value)


def test_texts_are_sent_in_batches(monkeypatch, tmp_path):
    answers = [{"status": 200, "body": vectors((0, [float(n)]))} for n in (1, 2)]
    monkeypatch.setattr(embeddings.Endpoint, "batch", 1)
    with ChatServer([answers[0], 503, "cut", answers[1]]) as server:
        monkeypatch.setattr(embeddings.Endpoint, "attempts", 3)
        assert embed(server.url, tmp_path).tolist() == [[1], [2]]
        assert [body["input"] for _, body in server.requests] == [["a"], ["b"], ["b"], ["b"]]


def test_vectors_of_different_lengths_are_refused(monkeypatch, tmp_path):
    answers = [{"status": 200, "body": vectors((0, [1.0] * n))} for n in (2, 3)]
    monkeypatch.setattr(embeddings.Endpoint, "batch", 1)
    with (
        ChatServer(answers) as server,
        pytest.raises(EndpointError, match=r"different lengths: \[2, 3\]"),
    ):
        embed(server.url, tmp_path)


def test_nothing_else_uses_the_network():
    network = "aiohttp ftplib http httpx httpx2 openai requests smtplib socket ssl urllib3".split()
    users = set()
    for path in [
        path for folder in ("scripts", "src", "tools") for path in (ROOT / folder).rglob("*.py")
    ]:
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            start = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            names = [start + alias.name for alias in node.names]
            if any(n.split(".")[0] in network or n.startswith("urllib.request") for n in names):
                users.add(str(path.relative_to(ROOT)))
    # It asks for the name of its own computer, and for a port of it that is free.
    assert users == {"src/turingstats/judges/endpoint.py", "tools/slurm.py"}
    used = re.findall(r"\bsocket\.(\w+)\(", (ROOT / "tools/slurm.py").read_text())
    assert set(used) == {"gethostname", "socket"}


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
        {"user": "Bearer TOPSECRET1"},
        {"user": "sk-TOPSECRET"},
    ],
)
def test_secrets_among_the_parameters_of_requests_are_refused(parameters):
    with pytest.raises(ConfigError, match=r"llm\.parameters\.\S+ looks like a secret") as error:
        yaml_models.build_model(config.Config, {"llm": {"parameters": parameters}}, "mine.yaml")
    assert "TOPSECRET" not in str(error.value)


def test_parameters_that_only_sound_like_secrets_are_taken():
    parameters = {"max_tokens": 9, "prompt_cache_key": "a", "stop_token_ids": [1], "logit_bias": {}}
    found = yaml_models.build_model(config.Config, {"llm": {"parameters": parameters}}, "mine.yaml")
    assert found.llm.parameters == parameters
