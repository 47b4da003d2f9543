"""Post requests to an OpenAI-compatible endpoint, with the `openai` client: retries, timeouts, typed errors.

The client would follow a redirect, with the key; takes any reply for an answer; and repeats in its errors
what the endpoint says, also the key. What is added here ends that. Importing it takes 0.8 s, so this module
is imported only by jobs that ask.
"""

import ipaddress
import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pydantic_core
from pydantic import ValidationError

from turingstats.config.settings import LanguageModels
from turingstats.core.errors import ConfigError, EndpointError
from turingstats.judges.llm.replies import Completion

try:
    import httpx2
    import openai
except ModuleNotFoundError:
    raise ConfigError(
        "an endpoint can be asked only with a package that is not installed\n"
        "  fix:     make add ARGS=openai"
    ) from None

ANSWER_BYTES = 10 * 2**20
"""Size of the largest reply that is read."""
CONNECT_SECONDS = 10.0
ATTEMPTS = 5
"""Attempts for a call that fails in transit (rate limit, lost connection)."""
MESSAGE_LENGTH = 500
"""Maximum number of characters of an endpoint's message to repeat."""
SHORTEST_KEY = 8
"""Shorter keys are placeholders, such as EMPTY for a server on one's own computer."""
PLACEHOLDER = "EMPTY"
ANSWERS_KEPT = "The answers so far are kept; run again to continue."

Request = httpx2.Request
Response = httpx2.Response


def is_this_computer(host: str) -> bool:
    """Tell whether an address leads to this computer."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


class BoundedBody(httpx2.SyncByteStream):
    """The body of a reply, of limited size and duration: neither endless nor dripping."""

    def __init__(self, stream: httpx2.SyncByteStream, seconds: float) -> None:
        self.stream, self.seconds = stream, seconds

    def __iter__(self) -> Iterator[bytes]:
        """Yield the parts of the body; EndpointError if it is too long or takes too long."""
        size, end = 0, time.monotonic() + self.seconds
        for part in self.stream:
            size += len(part)
            if size > ANSWER_BYTES:
                raise EndpointError(f"a reply of more than {ANSWER_BYTES:,} bytes was not read")
            if time.monotonic() > end:
                raise EndpointError(
                    f"a reply was not complete after {self.seconds:g} s\n  fix:     raise llm.timeout"
                )
            yield part

    def close(self) -> None:
        """Close the connection."""
        self.stream.close()


class Endpoint:
    """An endpoint, which several threads may ask at the same time.

    `before` is called with each request of httpx, retries included; what it raises ends the call.
    """

    def __init__(
        self,
        settings: LanguageModels,
        before: Callable[[Request], None],
        environment: Mapping[str, str],
    ) -> None:
        self.base_url, self.seconds = settings.base_url, settings.timeout
        self.key_variable = settings.key_variable
        self.key = environment.get(self.key_variable, "").strip()
        if not (self.key.isascii() and self.key.isprintable()):
            # The client's message would repeat the key.
            raise EndpointError(
                f"${self.key_variable} is no key: it has invalid characters; copy it again"
            )
        url = httpx2.URL(self.base_url)
        if self.key and url.scheme == "http" and not is_this_computer(url.host):
            raise EndpointError(
                f"{self.base_url}: the key in ${self.key_variable} would be sent without encryption\n"
                "  fix:     use an https address, or empty the variable if the endpoint needs no key"
            )
        self.client = openai.OpenAI(
            api_key=self.key or PLACEHOLDER,
            base_url=self.base_url,
            timeout=openai.Timeout(self.seconds, connect=CONNECT_SECONDS),
            max_retries=ATTEMPTS - 1,
            # Compressed, a short reply can be endless.
            default_headers={"Accept-Encoding": "identity"},
            http_client=openai.DefaultHttpx2Client(
                follow_redirects=False,
                event_hooks={"request": [before], "response": [self._retry_malformed]},
            ),
        )

    def redact(self, text: str) -> str:
        """Replace the key in a text."""
        return text.replace(self.key, "[key]") if len(self.key) >= SHORTEST_KEY else text

    def complete_chat(self, body: dict[str, Any]) -> Completion:
        """Post a request and return the reply, without the key; EndpointError if there is none."""
        try:
            response = self.client.post("/chat/completions", body=body, cast_to=Response)
        except openai.APIStatusError as error:
            raise self._explain_status(error) from None
        except openai.APIConnectionError as error:
            why = self.redact(str(error.__cause__ or error))[:MESSAGE_LENGTH]
            if isinstance(error, openai.APITimeoutError):
                why = f"no answer within {self.seconds:g} s"
            raise EndpointError(
                f"{self.base_url} failed {ATTEMPTS} times in a row: {why}\n{ANSWERS_KEPT}"
            ) from None
        return self._parse_reply(response)

    def _parse_reply(self, response: Response) -> Completion:
        """Parse a reply; ValueError if it does not have its form."""
        # Decoded and encoded again, the key is spelled in one way.
        plain = json.dumps(pydantic_core.from_json(response.content), ensure_ascii=False)
        return Completion.model_validate_json(self.redact(plain))

    def _retry_malformed(self, response: Response) -> None:
        """Raise an error that the client retries if a reply does not have its form."""
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise EndpointError(
                f"{self.base_url} sends compressed replies, which were not asked for"
            )
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = BoundedBody(response.stream, self.seconds)
        response.read()
        if response.is_success:
            try:
                self._parse_reply(response)
            except ValidationError as error:
                fault = error.errors(include_input=False, include_url=False)[0]
                where = ".".join(map(str, fault["loc"]))
                problem = f"not the reply of the protocol ({where}: {fault['msg']})"
            except ValueError as error:
                problem = f"a reply that is not JSON ({error})"
            else:
                return
            raise httpx2.DecodingError(problem, request=response.request)

    def _explain_status(self, error: openai.APIStatusError) -> EndpointError:
        """Say what an HTTP status other than success means, and what to do."""
        status, response = error.status_code, error.response
        message = self.redact(str(getattr(error, "message", "")))[:MESSAGE_LENGTH]
        if response.is_redirect:
            target = self.redact(response.headers.get("Location", "nowhere"))[:MESSAGE_LENGTH]
            message = (
                f"{self.base_url} answers with a redirect (status {status}) to {target}. It is not "
                "followed, since the key would be sent there; if that address is right, set "
                "llm.base_url to it."
            )
        elif status in (401, 403):
            # Providers repeat parts of the key here.
            do = "Check the key in" if self.key else "Put the key into"
            message = (
                f"{self.base_url} refuses the call (status {status}). {do} ${self.key_variable}."
            )
        elif status in (408, 409, 429) or status >= 500:
            wait = response.headers.get("Retry-After")
            asks = f", Retry-After: {self.redact(wait)[:50]}" if wait else ""
            message = (
                f"{self.base_url} keeps failing (status {status}{asks}): {message}\n{ANSWERS_KEPT}"
            )
        else:
            message = (
                f"{self.base_url} does not accept the call (status {status}): {message}\n"
                "Check llm.base_url and the settings beside it: models and parameters."
            )
        return EndpointError(message, code=error.code or error.type)
