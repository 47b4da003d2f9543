"""What machine judges send to an endpoint and take from it, against servers that lead astray."""

import contextlib
import json
import socket
import threading
import time

import pytest
from chat_server import ChatServer
from turingstats.config import settings as config
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError, SourceError
from turingstats.judges import embeddings, endpoint
from turingstats.judges.llm import chat

KEY = "sk-test-0123456789-KEEP-OUT"


@contextlib.contextmanager
def answering(*answers):
    """A server that sends each answer, bytes as they are, to one request; yields its address and requests."""
    requests, over = [], threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.05)

    def serve():
        left = list(answers)
        while left and not over.is_set():
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            with connection:
                connection.settimeout(5)
                requests.append(connection.recv(65_536))
                with contextlib.suppress(OSError):
                    connection.sendall(left.pop(0))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1", requests
    finally:
        over.set()
        thread.join(5)
        listener.close()


def reply(content, status="200 OK", *headers):
    """Bytes of an answer."""
    content = content if isinstance(content, bytes) else json.dumps(content).encode()
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(content)}", "Connection: close", *headers]
    return "\r\n".join([*head, "", ""]).encode() + content


def transport(url, key=KEY):
    return endpoint.Transport(url, key, "llm.base_url", timeout=5)


def chat_of(url, folder):
    settings = config.LanguageModels(base_url=url, cache=str(folder), timeout=5, attempts=2)
    client = chat.Client(settings, {"OPENAI_API_KEY": KEY})
    client.first_pause = 0.01
    return lambda: client.ask(client.build_request("m", [{"role": "user", "content": "?"}]))


def embeddings_of(url, monkeypatch):
    monkeypatch.setenv("TEST_KEY", KEY)
    monkeypatch.setattr(embeddings.Endpoint, "pause", 0.01)
    source = embeddings.Endpoint(url, "small", "TEST_KEY")
    return lambda: source.embed(["a"])


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("client", ["chat", "embeddings"])
def test_key_does_not_follow_a_redirect(client, status, tmp_path, monkeypatch):
    vectors = {"data": [{"index": 0, "embedding": [1.0, 2.0]}]}
    with answering(reply(vectors)) as (other, stolen):
        redirect = reply({}, f"{status} Moved", f"Location: {other}?key={KEY}")
        with answering(redirect) as (url, asked):
            ask = chat_of(url, tmp_path) if client == "chat" else embeddings_of(url, monkeypatch)
            with pytest.raises((chat.EndpointError, SourceError)) as error:
                ask()
        assert len(asked) == 1 and KEY.encode() in asked[0]
    assert stolen == []
    told = str(error.value)
    setting = "llm.base_url" if client == "chat" else "judges.base_url"
    assert f"redirect (status {status}) to {other}" in told and f"set {setting} to it" in told
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


@pytest.mark.parametrize(
    "answer",
    [
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 -7 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 3, 4\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
        b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(200)) + b"\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000 + b"\r\n\r\n",
        reply(b"\xff\xfe not json"),
        reply(b"[" * 100_000),
        reply(b'{"data": ' + b"9" * 5000 + b"}"),
        reply(b"no gzip", "200 OK", "Content-Encoding: gzip"),
    ],
    ids=lambda answer: answer[:30].decode(errors="replace"),
)
def test_malformed_answers_may_be_tried_again(answer):
    with answering(answer) as (url, _), pytest.raises(endpoint.Failed) as error:
        transport(url).post({})
    assert error.value.billed


def test_an_answer_has_a_limit_of_size(monkeypatch):
    monkeypatch.setattr(endpoint, "LONGEST_BODY", 1000)
    too_long = pytest.raises(endpoint.Failed, match="more than 1,000 bytes")
    with answering(reply(b" " * 5000)) as (url, _), too_long:
        transport(url).post({})


@pytest.mark.parametrize(
    "data",
    [
        None,
        "no",
        [{"index": 0}],
        [{"index": 0, "embedding": [float("nan")]}],
        [{"index": 0, "embedding": [10**400]}],
        [{"index": 0, "embedding": ["x" * 10_000]}],
        [{"index": 1, "embedding": [1.0]}],
    ],
)
def test_answers_without_vectors_are_one_short_error(data, monkeypatch):
    given_up = pytest.raises(SourceError, match="no vectors in 5 attempts")
    with answering(*[reply({"data": data})] * 5) as (url, asked), given_up as error:
        embeddings_of(url, monkeypatch)()
    assert len(asked) == 5 and len(str(error.value)) < 1000


def test_vectors_of_different_lengths_are_refused(monkeypatch):
    answers = [reply({"data": [{"index": 0, "embedding": [1.0] * n}]}) for n in (2, 3)]
    with answering(*answers) as (url, _):
        monkeypatch.setattr(embeddings.Endpoint, "batch", 1)
        embeddings_of(url, monkeypatch)
        source = embeddings.Endpoint(url, "small", "TEST_KEY")
        with pytest.raises(SourceError, match=r"different lengths: \[2, 3\]"):
            source.embed(["a", "b"])


def test_key_is_replaced_in_all_that_is_read():
    escaped = KEY.replace("-", "\\u002d")
    text = f'{{"a": ["{KEY}", {{"{KEY}": "{escaped}"}}], "b": 1}}'
    with answering(reply(text.encode())) as (url, _):
        assert transport(url).post({}) == {"a": ["[key]", {"[key]": "[key]"}], "b": 1}
    # The words of a server are cut where half the key would be left.
    words = b"x" * (endpoint.TOLD - 10) + KEY.encode()
    with answering(reply(words, "400 Bad")) as (url, _), pytest.raises(endpoint.Refused) as error:
        transport(url).post({})
    assert KEY[:8] not in error.value.error["message"]
    long = {"error": {"message": "x" * 10_000}}
    with answering(reply(long, "400 Bad")) as (url, _), pytest.raises(endpoint.Refused) as error:
        transport(url).post({})
    assert len(error.value.error["message"]) == endpoint.TOLD


@pytest.mark.parametrize("key", ["sk-secret\nX-Other: 1", "sk-secret\N{EN DASH}1"])
def test_key_that_no_header_can_hold_is_not_shown(key):
    with pytest.raises(endpoint.Refused, match="not allowed in a header") as error:
        transport("http://127.0.0.1:9/v1", key).post({})
    assert "secret" not in str(error.value)


def test_certificates_are_checked():
    pool = transport("https://127.0.0.1:9/v1")._open_connections()
    assert pool.connection_pool_kw["cert_reqs"] == "CERT_REQUIRED"


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
    busy = reply({}, "429 Busy", "Retry-After: 7200")
    with answering(busy) as (url, _):
        ask = chat_of(url, tmp_path) if client == "chat" else embeddings_of(url, monkeypatch)
        with pytest.raises((chat.EndpointError, SourceError), match="asks to wait 7200 seconds"):
            ask()


def test_tokens_that_cannot_be_are_not_counted(tmp_path):
    answer = {
        "choices": [{"message": {"content": "Human"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": -5, "completion_tokens": True},
    }
    with answering(reply(answer)) as (url, _):
        assert not chat_of(url, tmp_path)()[0].counted


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
