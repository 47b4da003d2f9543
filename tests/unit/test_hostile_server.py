"""Machine judges against a server that breaks every rule: one table of what it does and what comes of it."""

import base64
import gzip
import json
import re
import shutil
import socket
import ssl
import time
import urllib.parse
from dataclasses import dataclass

import numpy as np
import pytest
from hostile_server import HostileServer, complete, drip, flood, make_certificates, respond

from turingstats.config.settings import LanguageModels
from turingstats.core.errors import InputError, SourceError
from turingstats.judges import embeddings, endpoint
from turingstats.judges.llm import chat
from turingstats.judges.redaction import make_redactor

KEY = "sk-test-0123456789-KEEP-OUT"
FOUND = re.compile(
    f"{KEY}|0123456789|KEEP-OUT|{base64.b64encode(KEY.encode()).decode()[:12]}", re.I
)
PROMPT = "Answer: one word, following an indicator word"
OK = b"HTTP/1.1 200 OK\r\n"
HEAD = OK + b"Content-Length: 5\r\n"
GOOD = respond(complete())
HTML = b"<html><script>alert(1)</script>not today</html>"
PLAIN = json.dumps(complete()).encode()


@dataclass
class Mode:
    """What a server does, what comes of it, and what the error says."""

    name: str
    answer: object
    outcome: str
    """retried (and then a kind error), refused (at once), or accepted."""
    told: str | None = None
    timeout: float = 5.0


def chunked(*pieces):
    """An answer in chunks, as they are."""
    return OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"".join(pieces)


def redirect(status, where):
    """An answer that leads elsewhere."""
    return respond({}, f"{status} Moved", *([] if where is None else [f"Location: {where}"]))


def say(**changes):
    """A chat completion with changes of its members."""
    return respond(complete(**changes))


def use(**usage):
    """A chat completion with this usage."""
    return say(usage=usage)


def choose(**changes):
    """A chat completion with changes of its one choice."""
    return say(choices=[complete()["choices"][0] | changes])


def insert(text):
    """A chat completion, otherwise sound, with a member of this JSON."""
    return respond(PLAIN[:-1] + b', "extra": ' + text + b"}")


def reset_after(*pieces):
    """An answer after which the connection is reset."""
    return lambda request: [*pieces, "reset"]


def escaped(form):
    """An error in whose message each character of the key is escaped."""
    message = "".join(form.format(ord(letter)) for letter in KEY)
    return respond(b'{"error": {"message": "' + message.encode() + b'"}}', "400 Bad")


def blame(message):
    """An error with a message."""
    return respond({"error": {"message": message}}, "400 Bad")


def busy(wait):
    """An answer that asks to wait."""
    return respond({}, "429 Busy", f"Retry-After: {wait}")


SLOW = 0.25
CUT = f"no whole answer within {SLOW} s"
MODES = [
    # Redirects. More of them are in test_endpoint.py.
    *(
        Mode(f"redirect {status} to {where}", redirect(status, where), "refused", f"status {status}")
        for status, where in [
            (301, "http://other.example/v1"),
            (302, "http://127.0.0.1:9/v1"),
            (303, "https://127.0.0.1/v1"),
            (307, "/v1/chat/completions"),
            (308, f"file:///etc/passwd?{KEY}"),
            (300, f"//{KEY}.example"),
            (304, None),
            (399, "\t"),
        ]
    ),
    # Bodies and headers that do not end, or come slowly.
    Mode("body without end", flood(OK + b"\r\n", b" " * 65_536), "retried", "more than 1,000,000"),
    Mode("chunks without end", flood(chunked(), b"400\r\n" + b" " * 1024 + b"\r\n"), "retried",
         "more than 1,000,000"),
    Mode("empty lines without end", flood(b"", b"\r\n"), "retried", "broke off"),
    Mode("100-continue without end", flood(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "retried", CUT, SLOW),
    Mode("trailers without end", flood(chunked(b"0\r\n"), b"X: y\r\n"), "retried", CUT, SLOW),
    Mode("nothing", flood(b"", "wait"), "retried", CUT, SLOW),
    Mode("slow status line", drip(b"", b"H"), "retried", CUT, SLOW),
    Mode("slow headers", drip(OK, b"X: y\r\n"), "retried", CUT, SLOW),
    Mode("slow name of a header", drip(OK, b"x"), "retried", CUT, SLOW),
    Mode("slow body of no length", drip(OK + b"\r\n", b" "), "retried", CUT, SLOW),
    Mode("slow body", drip(OK + b"Content-Length: 999\r\n\r\n", b" "), "retried", CUT, SLOW),
    Mode("slow size of a chunk", drip(chunked(), b"0"), "retried", CUT, SLOW),
    Mode("slow chunk", drip(chunked(b"999\r\n"), b" "), "retried", CUT, SLOW),
    Mode("slow good answer", drip(GOOD[:10], GOOD[10:20], GOOD[20:]), "accepted"),
    # Lengths and chunks.
    Mode("length too long", OK + b"Content-Length: 99999\r\n\r\n" + PLAIN, "retried", "ends early"),
    Mode("length too short", OK + b"Content-Length: 20\r\n\r\n" + PLAIN, "retried", "not JSON"),
    *(
        Mode(f"length {length}", OK + f"Content-Length: {length}\r\n\r\n".encode() + PLAIN, "retried",
             "unclear length")
        for length in ("-1", "3, 4", "x", "", "1e3", "5\r\nContent-Length: 6")
    ),
    Mode("length of many digits", OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}", "retried"),
    Mode("length said twice alike", GOOD.replace(b"\r\n\r\n", b"\r\nContent-Length: %d\r\n\r\n"
                                                 % len(PLAIN), 1), "accepted"),
    Mode("no length", OK + b"\r\n" + PLAIN, "accepted"),
    Mode("good chunks", chunked(b"%x\r\n" % len(PLAIN), PLAIN, b"\r\n0\r\n\r\n"), "accepted"),
    *(
        Mode(f"chunk of size {size}", chunked(size, b"\r\n", PLAIN), "retried")
        for size in (b"zz", b"-5", b"", b"ffffffffffffffff", b"9" * 70_000)
    ),
    Mode("chunks without a last one", chunked(b"%x\r\n" % len(PLAIN), PLAIN, b"\r\n"), "retried"),
    # Encodings.
    Mode("gzip bomb", respond(gzip.compress(bytes(10_000_000)), "200 OK", "Content-Encoding: gzip"),
         "retried", "compressed"),
    Mode("unknown encoding", respond(PLAIN, "200 OK", "Content-Encoding: x"), "retried", "compressed"),
    Mode("named identity", respond(PLAIN, "200 OK", "Content-Encoding: identity"), "accepted"),
    Mode("not UTF-8", respond(b'{"a": "\xff"}'), "retried", "not UTF-8"),
    Mode("UTF-16", respond(PLAIN.decode().encode("utf-16")), "retried", "not UTF-8"),
    # Heads.
    Mode("thousands of headers", OK + b"X: y\r\n" * 5000 + b"\r\n" + PLAIN, "retried", "broke off"),
    Mode("huge header", OK + b"X: " + b"y" * 100_000 + b"\r\n\r\n" + PLAIN, "retried", "broke off"),
    *(
        Mode(f"status line {line}", line + b"\r\n\r\n" + PLAIN, "retried", "broke off")
        for line in (b"nonsense", b"", b"HTTP/1.1 -7 OK", b"HTTP/1.1 20x OK", b"HTTP/7 200 OK", b"\0" * 9,
                     b"HTTP/1.1 99999 OK", b"HTTP/1.1", b"x" * 70_000)
    ),
    Mode("HTTP/0.9", PLAIN, "retried", "broke off"),
    Mode("HTTP/1.0", GOOD.replace(b"1.1", b"1.0"), "accepted"),
    Mode("header without a name", OK + b": y\r\n\r\n" + PLAIN, "accepted"),
    Mode("broken header", OK + b"\xff\xfe nothing\r\n\r\n" + PLAIN, "accepted"),
    # Statuses.
    Mode("101", b"HTTP/1.1 101 Switching\r\n\r\n", "refused", "status 101"),
    Mode("204", b"HTTP/1.1 204 No Content\r\n\r\n", "retried", "not JSON"),
    *(
        Mode(f"{status} with a page", respond(HTML, f"{status} No"), "refused", f"status {status}")
        for status in (400, 401, 403, 404, 407, 410, 413, 418, 422, 451)
    ),
    *(
        Mode(f"{status} with a page", respond(HTML, f"{status} No"), "retried", f"status {status}")
        for status in (408, 425, 429, 500, 502, 503, 529, 599)
    ),
    Mode("200 with a page", respond(HTML), "retried", "not JSON"),
    Mode("a page about filters", respond(b"<p>content_filter</p>", "400 Bad"), "refused", "status 400"),
    Mode("an error of another type", respond({"error": {"code": ["content_filter"], "message": [1]}},
                                             "400 Bad"), "refused", "status 400"),
    # The key comes back.
    Mode("key in the status line", respond({}, f"400 {KEY}"), "refused", "status 400"),
    Mode("key as status line", KEY.encode() + b"\r\n\r\n", "retried", "broke off"),
    Mode("key in headers", respond({}, "400 Bad", f"{KEY}: {KEY}", f"Retry-After: {KEY}"), "refused"),
    Mode("key in Retry-After", busy(KEY), "retried", "status 429"),
    Mode("key in a page", respond(HTML + KEY.encode(), "400 Bad"), "refused", r"\[key\]"),
    Mode("key where the message is cut", blame("x" * (endpoint.TOLD - 9) + KEY), "refused", "x{400}"),
    Mode("key in other case", blame(KEY.upper()), "refused", r"\[key\]"),
    Mode("key in model", say(model=KEY), "accepted"),
    Mode("key in finish_reason", choose(finish_reason=KEY), "accepted"),
    Mode("key in refusal", choose(message={"content": "", "refusal": f"no, {KEY}"}), "accepted"),
    Mode("key in content", say(choices=complete(f"Human {KEY}")["choices"]), "accepted"),
    Mode("key in names", say(**{KEY: {KEY: KEY}}), "accepted"),
    Mode("key in a wrong value", say(choices=KEY), "retried", "choices"),
    Mode("key twice as a name", insert(json.dumps({KEY: 1})[:-1].encode() + b', "%s": 2}' % KEY.encode()),
         "retried", "occurs twice"),
    Mode("key escaped in JSON", escaped("\\u{:04x}"), "refused", r"\[key\]"),
    Mode("key escaped twice", escaped("\\\\u{:04x}"), "refused", r"\[key\]"),
    Mode("key as references", escaped("&#{};"), "refused", r"\[key\]"),
    Mode("key percent-encoded", escaped("%{:02X}"), "refused", r"\[key\]"),
    Mode("key in base64", blame(base64.b64encode(KEY.encode()).decode()), "refused", r"\[key\]"),
    Mode("header in base64", blame(base64.b64encode(f"Bearer {KEY}".encode()).decode()), "refused",
         r"\[key\]"),
    Mode("key in digits", blame(KEY.encode().hex()), "refused", r"\[key\]"),
    # Waits.
    *(
        Mode(f"wait {wait}", busy(wait), "retried", "status 429")
        for wait in ("nan", "inf", "-inf", "-5", "1e999", "soon", "Mon, 99 Foo 99999999999",
                     "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 99999 07:28:00 GMT", "\xff", "9" * 5000)
    ),
    Mode("wait 1e300", busy("1e300"), "refused", "asks to wait"),
    Mode("wait until 2999", busy("Mon, 21 Oct 2999 07:28:00 GMT"), "refused", "asks to wait"),
    # JSON.
    Mode("repeated name", insert(b'{"a": 1, "a": 2}'), "retried", "occurs twice"),
    *(
        Mode(f"extra {text[:9]}", insert(text), "retried", "not JSON")
        for text in (b"NaN", b"-Infinity", b"1e999", b"9" * 5000, b"[" * 300 + b"]" * 300, b"[" * 90_000,
                     b'"\\ud800"', b'{"\\udfff": 1}', b"01", b"'x'", b"1}{")
    ),
    Mode("nothing in the body", respond(b""), "retried", "not JSON"),
    Mode("byte-order mark", respond(b"\xef\xbb\xbf" + PLAIN), "retried", "not JSON"),
    Mode("nested as usual", insert(b"[" * 50 + b"]" * 50), "accepted"),
    # Types.
    *(
        Mode(f"reply {value!r}", respond(value), "retried", "not a chat completion")
        for value in ([], {}, 5, "x", None, True, [complete()])
    ),
    *(
        Mode(f"choices {value!r}", say(choices=value), "retried", "choices")
        for value in ([], None, {"0": {}}, "x", [None], [[]], [{}], [{"message": "x"}])
    ),
    *(
        Mode(f"content {value!r}", choose(message={"content": value}), "retried", "content")
        for value in (5, True, ["Human"], {"text": "Human"}, [{"type": "text", "text": "Human"}])
    ),
    Mode("content null", choose(message={"content": None}), "accepted"),
    *(
        Mode(f"{name} {value!r}", choose(**{name: value}), "retried", name)
        for name, value in [("finish_reason", 5), ("finish_reason", ["stop"]), ("message", None),
                            ("finish_reason", "x" * 201)]
    ),
    *(
        Mode(f"{name} {value!r:.20}", say(**{name: value}), "retried", name)
        for name, value in [("model", 5), ("model", {}), ("model", "m" * 201), ("created", "now"),
                            ("created", -1), ("created", 10**18), ("created", 1.5), ("usage", 5),
                            ("usage", []), ("usage", "none")]
    ),
    Mode("refusal of a wrong type", choose(message={"refusal": True}), "retried", "refusal"),
    *(
        Mode(f"usage {value!r}", use(prompt_tokens=value, completion_tokens=2), "retried", "usage")
        for value in (-5, 1.5, "10", 1e308, True, [], 10**12)
    ),
    Mode("negative tokens answered", use(prompt_tokens=5, completion_tokens=-1), "retried", "usage"),
    *(
        Mode(f"usage uncounted {value!r}", say(usage=value), "accepted")
        for value in (None, {}, {"prompt_tokens": None}, {"prompt_tokens": 0, "completion_tokens": 0})
    ),
    # Connections.
    Mode("reset at once", reset_after(), "retried"),
    Mode("reset in the status line", reset_after(b"HTTP/1.1 2"), "retried"),
    Mode("reset in the headers", reset_after(OK + b"X: "), "retried"),
    Mode("reset before the body", reset_after(HEAD + b"\r\n"), "retried"),
    Mode("reset in the body", reset_after(GOOD[:-5]), "retried"),
    Mode("closed at once", b"", "retried"),
    Mode("closed in the headers", OK + b"X: y", "retried"),
    Mode("closed in the body", GOOD[:-5], "retried", "ends early"),
    Mode("another answer after the first", GOOD + respond({}, "500 No"), "accepted"),
]  # fmt: skip


def chat_with(url, folder, **settings):
    """Make a client that tries twice, and a request."""
    settings = {"base_url": url, "cache": str(folder), "timeout": 5, "attempts": 2} | settings
    client = chat.Client(LanguageModels(**settings), {"OPENAI_API_KEY": KEY})
    client.first_pause = 0.01
    return client, client.build_request("m", [{"role": "user", "content": PROMPT}])


def holds_key(text):
    """Return whether a text holds the key or a part of it, also in base64 or escaped."""
    decoded = urllib.parse.unquote(re.sub(r"\\+u00(..)", r"%\1", text))
    return bool(FOUND.search(decoded)) or KEY.encode().hex() in text


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name[:40])
def test_server_that_breaks_rules(mode, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(endpoint, "LONGEST_BODY", 1_000_000)
    start = time.monotonic()
    with HostileServer(mode.answer) as server:
        client, body = chat_with(server.url, tmp_path, timeout=mode.timeout)
        if mode.outcome == "accepted":
            said = repr(client.ask(body))
        else:
            with pytest.raises(chat.EndpointError, match=mode.told) as error:
                client.ask(body)
            said = str(error.value)
            assert error.value.__cause__ is None and len(said) < 1500
    assert time.monotonic() - start < 2 * mode.timeout + 5
    assert len(server.requests) == (2 if mode.outcome == "retried" else 1) == client.budget.calls
    assert all(f"Bearer {KEY}".encode() in request for request in server.requests)
    kept = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(kept) == (mode.outcome == "accepted")
    printed = capsys.readouterr()
    for text in (said, repr(client), *kept, printed.out, printed.err):
        assert not holds_key(text)


def test_answers_that_are_accepted_are_read_from_the_cache(tmp_path):
    with HostileServer(GOOD, respond({}, "500 No")) as server:
        client, body = chat_with(server.url, tmp_path)
        first, key = client.ask(body)
        assert client.ask(body) == (first, key) and len(server.requests) == 1
        path = client.cache.locate_answer(key)
        kept = json.loads(path.read_text())
        # Each of these is another answer than the endpoint gave, or to another question.
        for change in (
            {"answer": kept["answer"] | {"text": "Answer: AI"}},
            {"answer": kept["answer"] | {"tokens_out": -1}},
            {"answer": kept["answer"] | {"created": "now"}},
            {"answer": "x"},
            {"base_url": "http://other.example"},
            {"request": kept["request"] | {"model": "another"}},
            {"more": 1},
        ):
            path.write_text(json.dumps(kept | change))
            assert client.find_cached_answer(body) is None
        for content in (b"", b"[]", b"\xff", b"[" * 100_000, b"9" * 5000, path.read_bytes()[:-9]):
            path.write_bytes(content)
            assert client.find_cached_answer(body) is None
        path.write_text(json.dumps(kept))
        assert client.find_cached_answer(body) == first
        path.unlink()
        path.mkdir()
        with pytest.raises(chat.EndpointError, match=r"cannot be read .*\n.*llm.cache"):
            client.find_cached_answer(body)


@pytest.mark.parametrize("usage", [{"prompt_tokens": -(10**9)}, {"completion_tokens": -(10**9)}])
def test_usage_below_zero_does_not_lift_the_limit_of_cost(usage, tmp_path):
    usage = {"prompt_tokens": 10, "completion_tokens": 2} | usage
    limits = {"price_in": 1.0, "price_out": 1.0, "max_cost": 0.0025, "attempts": 10}
    with HostileServer(use(**usage)) as server:
        client, body = chat_with(server.url, tmp_path, **limits)
        with pytest.raises(chat.BudgetError, match="max_cost"):
            client.ask(body)
    # Each may have been billed, with at most 1024 tokens answered.
    assert len(server.requests) == 2 and client.budget.cost > 0.002


# --- connections -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    if shutil.which("openssl") is None:
        pytest.skip("certificates are made with openssl, which is not at hand")
    return make_certificates(tmp_path_factory.mktemp("certificates"))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("alone", "self-signed certificate"),
        ("expired", "certificate has expired"),
        ("other", "certificate is not valid for '127.0.0.1'"),
        ("good", None),
    ],
)
def test_certificates_are_verified(name, told, certificates, tmp_path, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates["authority"]))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates[name])
    with HostileServer(GOOD, context=context) as server:
        client, body = chat_with(server.url, tmp_path)
        if told is None:
            assert client.ask(body)[0].text == "Answer: Human"
            return
        with pytest.raises(chat.EndpointError, match=told):
            client.ask(body)
    assert server.requests == [] and client.budget.calls == 1


@pytest.mark.parametrize(
    ("answer", "timeout", "told"),
    [
        (GOOD, 5, r"no connection \(.*(wrong version|SSL)"),
        (flood(b"", "wait"), SLOW, "no connection"),
        (drip(b"\x16\x03\x03\x7f\xff", b"x"), SLOW, "no connection"),
    ],
    ids=["no TLS", "silent", "slow"],
)
def test_handshakes_that_do_not_end(answer, timeout, told, tmp_path):
    start = time.monotonic()
    with HostileServer(answer, early=True) as server:
        client, body = chat_with(server.url.replace("http:", "https:"), tmp_path, timeout=timeout)
        with pytest.raises(chat.EndpointError, match=told):
            client.ask(body)
    assert time.monotonic() - start < 8


def test_nobody_there(tmp_path, monkeypatch):
    with HostileServer(GOOD) as server:
        pass
    client, body = chat_with(server.url, tmp_path)
    with pytest.raises(chat.EndpointError, match=r"no connection \(Connection refused\)"):
        client.ask(body)
    assert client.budget.cost == 0

    def unknown(*arguments, **options):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    client, body = chat_with("http://nowhere.example", tmp_path)
    with pytest.raises(chat.EndpointError, match=r"no connection \(Name or service not known\)"):
        client.ask(body)


def test_paths_of_any_language_are_sent(tmp_path):
    with HostileServer(GOOD) as server:
        client, body = chat_with(
            f"{server.url}/\N{LATIN SMALL LETTER U WITH DIAERESIS}%20", tmp_path
        )
        client.ask(body)
    assert server.requests[0].startswith(b"POST /v1/%C3%BC%20/chat/completions HTTP/1.1\r\n")


@pytest.fixture
def no_proxy(monkeypatch):
    for name in ("http_proxy", "https_proxy", "no_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    return monkeypatch


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (b"HTTP/1.1 407 No\r\n\r\n", "no connection"),
        (b"nonsense\r\n\r\n", "no connection"),
        (drip(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), "no connection"),
        (flood(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "no connection"),
    ],
    ids=["refuses", "nonsense", "slow", "continues"],
)
def test_proxies_that_open_no_tunnel(answer, told, tmp_path, no_proxy):
    start = time.monotonic()
    with HostileServer(answer, early=True) as proxy:
        no_proxy.setenv("https_proxy", f"http://me:secret@127.0.0.1:{proxy.port}")
        client, body = chat_with("https://far.example/v1", tmp_path, timeout=SLOW)
        with pytest.raises(chat.EndpointError, match=told) as error:
            client.ask(body)
    assert time.monotonic() - start < 8 and "secret" not in str(error.value)


def test_a_proxy_that_is_reached_too_late_and_then_goes_on_and_on(tmp_path, no_proxy):
    connect = socket.create_connection

    def connect_late(*arguments, **options):
        made = connect(*arguments, **options)
        time.sleep(1.5 * SLOW)
        return made

    no_proxy.setattr(socket, "create_connection", connect_late)
    answer = drip(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n")
    with HostileServer(answer, early=True) as proxy:
        no_proxy.setenv("https_proxy", f"http://127.0.0.1:{proxy.port}")
        client, body = chat_with("https://far.example/v1", tmp_path, timeout=SLOW)
        with pytest.raises(chat.EndpointError, match="no connection"):
            client.ask(body)


def test_proxy_gets_its_own_password_and_is_named_by_a_usable_address(tmp_path, no_proxy):
    with HostileServer(GOOD) as proxy:
        no_proxy.setenv("http_proxy", f"http://me:a%20b@127.0.0.1:{proxy.port}")
        client, body = chat_with("http://far.example/v1", tmp_path)
        client.ask(body)
    head, *headers = proxy.requests[0].decode().split("\r\n")
    assert head == "POST http://far.example:80/v1/chat/completions HTTP/1.1"
    assert "Host: far.example:80" in headers
    token = base64.b64encode(b"me:a b").decode()
    assert f"Proxy-Authorization: Basic {token}" in headers
    for address in ("http://me:secret@host:port", "socks5://me:secret@host:1", "http://"):
        no_proxy.setenv("http_proxy", address)
        client, body = chat_with("http://far.example/v1", tmp_path / "new")
        with pytest.raises(chat.EndpointError, match=r"\$http_proxy is not an address") as error:
            client.ask(body)
        assert "secret" not in str(error.value)


# --- vectors -----------------------------------------------------------------------------------------


def row(index, *numbers):
    return {"index": index, "embedding": list(numbers)}


def embed(server, monkeypatch, folder, texts=("a", "b")):
    """Embed texts, with a cache."""
    monkeypatch.setenv("TEST_KEY", KEY)
    monkeypatch.setattr(embeddings.Endpoint, "pause", 0.01)
    monkeypatch.setattr(embeddings.Endpoint, "attempts", 2)
    source = embeddings.Endpoint(server.url, "small", "TEST_KEY")
    return embeddings.embed_texts(texts, source, folder)


@pytest.mark.parametrize(
    "data",
    [
        None, "no", {}, [], [row(0, 1.0)], [row(0, 1.0), row(1, 1.0), row(2, 1.0)],
        [row(0, 1.0), row(0, 2.0)], [row(1, 1.0), row(2, 2.0)], [row(-1, 1.0), row(0, 2.0)],
        [row("0", 1.0), row("1", 1.0)], [row(0.0, 1.0), row(1.0, 1.0)], [row(False, 1.0), row(True, 1.0)],
        [{"index": 0}, row(1, 1.0)], [row(0, "1"), row(1, "1")], [row(0, None), row(1, 1.0)],
        [row(0, True), row(1, True)], [row(0, [1.0]), row(1, [1.0])], [row(0), row(1)],
        [row(0, 1.0, 2.0), row(1, 1.0)], [row(0, 0.0), row(1, 1.0)], [row(0, 1e300), row(1, 1.0)],
        [row(0, 10**400), row(1, 1.0)], [row(0, float("nan")), row(1, 1.0)],
        [row(0, float("inf")), row(1, 1.0)], [{"index": 0, "embedding": "AACAPw=="}, row(1, 1.0)],
        [row(0, KEY), row(1, 1.0)],
    ],
    ids=lambda data: str(data)[:40],
)  # fmt: skip
def test_answers_without_a_vector_per_text(data, tmp_path, monkeypatch):
    given_up = pytest.raises(SourceError, match="no vectors in 2 attempts")
    with HostileServer(respond({"data": data})) as server, given_up as error:
        embed(server, monkeypatch, tmp_path)
    assert len(server.requests) == 2 and len(str(error.value)) < 1000
    assert not holds_key(str(error.value))
    with embeddings.open_cache(tmp_path, f"small of {server.url}") as cache:
        assert cache.execute("SELECT count(*) FROM vectors").fetchone() == (0,)


def test_vectors_in_any_order_are_those_of_their_texts(tmp_path, monkeypatch):
    with HostileServer(respond({"data": [row(1, 2.0, 3), row(0, 1.0, 0)]})) as server:
        found = embed(server, monkeypatch, tmp_path)
        assert found.tolist() == [[1, 0], [2, 3]]
        assert embed(server, monkeypatch, tmp_path).tolist() == found.tolist()
        assert len(server.requests) == 1
        # A damaged vector is asked for again; one of a former model cannot be compared.
        with embeddings.open_cache(tmp_path, f"small of {server.url}") as cache:
            cache.execute("UPDATE vectors SET vector = x'00'")
        assert embed(server, monkeypatch, tmp_path).tolist() == found.tolist()
        assert len(server.requests) == 2
        server.answers[:] = [respond({"data": [row(0, 1.0)]})]
        with pytest.raises(InputError, match=r"different lengths: \[1, 2\]"):
            embed(server, monkeypatch, tmp_path, ["a", "c"])
        path = embeddings.find_cache_file(tmp_path, f"small of {server.url}")
        path.write_bytes(b"not a database" * 100)
        with pytest.raises(InputError, match=r"not a usable cache(.|\n)*fix: +delete this file"):
            embed(server, monkeypatch, tmp_path)
        assert np.isfinite(found).all()


# --- redaction ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("padding", ["", "x", "xy", "xyz"])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_key_is_found_wherever_it_starts_in_base64(padding, encode):
    key = "sk~~~>>>???-0123456789"
    text = encode(f"{padding}{key}{padding} and more".encode()).decode()
    redacted = make_redactor(key)(text)
    assert "[key]" in redacted and len(redacted) < len(text) - len(key)


def test_short_keys_are_placeholders_found_only_as_they_are():
    redact = make_redactor("EMPTY")
    assert redact("EMPTY, empty") == "[key], empty"
    assert make_redactor("")("as it is") == "as it is"
