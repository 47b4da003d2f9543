"""Chat with a language model through an OpenAI-compatible endpoint, with cache and budget.

Every answer is written to the cache before it is used, under a hash of everything that determines it, so
an interrupted run continues where it stopped, and a rerun makes no calls. The key comes from an
environment variable and is used only in the header of the call.
"""

import hashlib
import json
import os
import threading
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass

from turingstats.core import files
from turingstats.core.errors import InputError, TuringError
from turingstats.core.strict_json import parse_json
from turingstats.judges.endpoint import (
    Failed,
    Overdue,
    Refused,
    Transport,
    describe_wrong_part,
    retry_call,
)

CHARACTERS_PER_TOKEN = 4
"""Rule of thumb for English text, used if the endpoint does not count tokens."""
IMAGE_TOKENS = 1000
"""Estimated tokens of an image."""
MILLION = 1_000_000
FILTERED = ("content_filter", "content_policy_violation")


class EndpointError(TuringError):
    """The endpoint cannot be reached, refuses the call, or keeps failing."""


class BudgetError(TuringError):
    """The configured limit on calls or cost is reached."""


# A number that cannot be would make the cost of a run meaningless, and its limit with it.
Tokens = Annotated[int, Field(ge=0, le=100_000_000)]
Name = Annotated[str, Field(max_length=200)]
# Until the year 9999, the last that a date can have.
Time = Annotated[int, Field(ge=0, le=253_402_300_799)]


@dataclass(frozen=True, config=ConfigDict(strict=True, extra="forbid"))
class Answer:
    """What a model answered."""

    text: str
    finish_reason: Name | None
    refusal: str | None
    model: Name | None
    """Name reported by the endpoint, which may be more specific than the requested one."""
    created: Time | None
    """Seconds since 1970, by the endpoint's clock."""
    tokens_in: Tokens
    tokens_out: Tokens
    counted: bool
    """Tokens were counted by the endpoint, not estimated here."""


class Message(BaseModel, strict=True):
    """The message of a model in a chat completion."""

    content: str | None = None
    refusal: str | None = None


class Choice(BaseModel, strict=True):
    """One of the messages to choose from."""

    message: Message
    finish_reason: Name | None = None


class Usage(BaseModel, strict=True):
    """Tokens of a chat completion, as the endpoint counts them."""

    prompt_tokens: Tokens | None = None
    completion_tokens: Tokens | None = None


class Completion(BaseModel, strict=True):
    """A chat completion: what is used of it must have the type that the protocol says."""

    choices: Annotated[list[Choice], Field(min_length=1)]
    usage: Usage | None = None
    model: Name | None = None
    created: Time | None = None


def estimate_tokens(messages):
    """Estimate the tokens of the messages of a request from their length."""
    total = 0
    for message in messages:
        content = message["content"]
        parts = [{"text": content}] if isinstance(content, str) else content
        for part in parts:
            image = part.get("type") == "image_url"
            total += IMAGE_TOKENS if image else -(-len(part["text"]) // CHARACTERS_PER_TOKEN)
    return total


class Cache:
    """Answers on disk, one file per answer.

    Parameters
    ----------
    folder : path-like
    """

    def __init__(self, folder):
        self.folder = Path(folder)

    @staticmethod
    def hash_request(base_url, body):
        """Hash the endpoint and everything that is sent to it."""
        text = json.dumps([base_url, body], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def locate_answer(self, key):
        """Locate the file of an answer."""
        return self.folder / key[:2] / f"{key}.json"

    def get(self, key, base_url, body):
        """Get the answer to a request, or None if there is no file or it is not as `put` wrote it.

        Raises
        ------
        EndpointError
            The file cannot be read.
        """
        path = self.locate_answer(key)
        try:
            content = parse_json(path.read_bytes(), path)
            answer = Answer(**content["answer"])
            written = describe_request(base_url, body, answer)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise EndpointError(
                f"{path} cannot be read ({error.strerror})\n  fix:     check llm.cache"
            ) from None
        except (InputError, ValueError, KeyError, TypeError):
            return None
        return answer if content == written else None

    def put(self, key, base_url, body, answer):
        """Store an answer with its request; images are replaced by their hash."""
        content = describe_request(base_url, body, answer)
        files.write_text(json.dumps(content, indent=1) + "\n", self.locate_answer(key))


def describe_request(base_url, body, answer):
    """Describe a request and its answer, with a checksum of the latter, as the cache keeps them."""
    fields = asdict(answer)
    checksum = hashlib.sha256(json.dumps(fields).encode()).hexdigest()
    # As JSON holds it, in which tuples are lists.
    request = json.loads(json.dumps(hash_images(body)))
    return {"base_url": base_url, "request": request, "answer": fields, "sha256": checksum}


def hash_images(body):
    """Replace each image in a request by its hash."""
    if isinstance(body, dict):
        return {key: hash_images(value) for key, value in body.items()}
    if isinstance(body, list):
        return [hash_images(value) for value in body]
    if isinstance(body, str) and body.startswith("data:image/"):
        return f"image, sha256 {hashlib.sha256(body.encode()).hexdigest()}"
    return body


class Budget:
    """Calls and cost of a run, and their limits.

    A call is charged its maximum cost before it is made, and its actual cost afterwards. A call that was
    interrupted stays charged the maximum, since the endpoint may have billed it.

    Parameters
    ----------
    settings : turingstats.config.settings.LanguageModels
    """

    def __init__(self, settings):
        self.settings = settings
        self.calls, self.cost = 0, 0.0
        self.lock = threading.Lock()

    def compute_cost(self, tokens_in, tokens_out):
        """Compute the cost of tokens."""
        spent = tokens_in * self.settings.price_in + tokens_out * self.settings.price_out
        return spent / MILLION

    def bound_cost(self, body):
        """Estimate the maximum cost of a call."""
        return self.compute_cost(
            estimate_tokens(body["messages"]), self.settings.most_answered or 0
        )

    def charge_call(self, body):
        """Charge a call that is about to be made, and return the charge."""
        most = self.bound_cost(body)
        with self.lock:
            limit, ceiling = self.settings.max_calls, self.settings.max_cost
            if self.calls + 1 > limit:
                raise BudgetError(
                    f"llm.max_calls is {limit}, and all of these calls have been made. The answers so "
                    "far are kept; raise llm.max_calls and run again to continue."
                )
            if ceiling is not None and self.cost + most > ceiling:
                raise BudgetError(
                    f"llm.max_cost is {ceiling:g}, and another call may exceed it (cost so far: "
                    f"{self.cost:.4g}). The answers so far are kept; raise llm.max_cost and run again "
                    "to continue."
                )
            self.calls += 1
            self.cost += most
        return most

    def settle_charge(self, charged, cost):
        """Replace the charge of a call by its actual cost."""
        with self.lock:
            self.cost += cost - charged


class Client:
    """Ask language models, from several threads at the same time.

    Parameters
    ----------
    settings : turingstats.config.settings.LanguageModels
    environment : mapping, optional
        Mapping in which the key is looked up; by default the environment variables.

    Attributes
    ----------
    first_pause : float
        Seconds before a failed call is retried; doubled each time, up to `longest_pause`.
    """

    first_pause, longest_pause, patience = 1.0, 60.0, 600.0

    def __init__(self, settings, environment=None):
        self.settings = settings
        self.cache = Cache(settings.cache)
        self.budget = Budget(settings)
        environment = os.environ if environment is None else environment
        self._transport = Transport(
            f"{settings.base_url}/chat/completions",
            environment.get(settings.key_variable, ""),
            "llm.base_url",
            settings.timeout,
        )
        self._lock = threading.Lock()
        self._asking = {}
        self._resume = 0.0
        self.stopped = threading.Event()

    def build_request(self, model, messages):
        """Build the request to a model."""
        body = {"model": model, "messages": messages, **self.settings.parameters}
        if self.settings.temperature is not None:
            body["temperature"] = self.settings.temperature
        return body

    def find_cache_key(self, body):
        """Find the cache key of the answer to a request."""
        return self.cache.hash_request(self.settings.base_url, body)

    def find_cached_answer(self, body):
        """Find the answer to a request in the cache, or None."""
        return self.cache.get(self.find_cache_key(body), self.settings.base_url, body)

    def ask(self, body):
        """Get the answer of a model from the cache, or from the endpoint and store it.

        Parameters
        ----------
        body : dict
            From `build_request`.

        Returns
        -------
        Answer
        key : str
            Cache key of the answer.

        Raises
        ------
        EndpointError, BudgetError
        """
        key = self.find_cache_key(body)
        with self._lock:
            asking = self._asking.setdefault(key, threading.Lock())
        # Two identical questions are one request.
        with asking:
            answer = self.find_cached_answer(body)
            if answer is None:
                answer = self._call_with_retries(body)
                self.cache.put(key, self.settings.base_url, body, answer)
        return answer, key

    def _call_with_retries(self, body):
        """Call until there is an answer, up to the configured number of attempts."""
        if not self.settings.base_url:
            raise EndpointError("There is no endpoint: set llm.base_url.")
        pauses = (self.first_pause, self.longest_pause)
        try:
            return retry_call(
                lambda: self._call_within_budget(body),
                self.settings.attempts,
                pauses,
                self._pause_calls,
                self.patience,
            )
        except Overdue as overdue:
            raise EndpointError(
                f"{self.settings.base_url} {overdue}. The answers so far are kept; run again after that."
            ) from None
        except Failed as failure:
            raise EndpointError(
                f"{self.settings.base_url} failed {self.settings.attempts} times in a row: {failure}.\n"
                "The answers so far are kept; fix the endpoint (or raise llm.timeout, llm.attempts) and "
                "run again to continue."
            ) from None

    def _call_within_budget(self, body):
        """Make one call, within the budget."""
        self._wait_for_resume()
        charged = self.budget.charge_call(body)
        try:
            answer = self._post_request(body)
        except Failed as failure:
            if not failure.billed:
                self.budget.settle_charge(charged, 0)
            raise
        self.budget.settle_charge(
            charged, self.budget.compute_cost(answer.tokens_in, answer.tokens_out)
        )
        return answer

    def _pause_calls(self, seconds, failure):
        if failure.everyone:
            with self._lock:
                self._resume = max(self._resume, time.monotonic() + seconds)
        elif self.stopped.wait(seconds):
            raise Stopped

    def _wait_for_resume(self):
        """Wait until calls are allowed again."""
        while (remaining := self._resume - time.monotonic()) > 0:
            if self.stopped.wait(remaining):
                raise Stopped
        if self.stopped.is_set():
            raise Stopped

    def _post_request(self, body):
        """Make one call.

        Raises
        ------
        Failed
            The call may be retried.
        EndpointError
            The call would fail again.
        """
        try:
            return self._parse_answer(self._transport.post(body), body)
        except Refused as refusal:
            status, error = refusal.status, refusal.error
            if status is None:
                raise EndpointError(f"{refusal}.") from None
        if status in (401, 403):
            # The server's message is not shown, since it may repeat the key.
            key = "Check the key in" if self._transport.key else "Put the key into"
            raise EndpointError(
                f"{self.settings.base_url} refuses the call (status {status}). "
                f"{key} ${self.settings.key_variable}."
            )
        # A page that only mentions filters is no answer.
        if any(error.get(name) in FILTERED for name in ("code", "type")):
            return Answer("", "content_filter", None, None, None, 0, 0, False)
        raise EndpointError(
            f"{self.settings.base_url} does not accept the call (status {status}): {error['message']}\n"
            "Check llm.base_url, llm.models, llm.temperature and llm.parameters."
        )

    def _parse_answer(self, reply, body):
        """Parse the answer in a chat completion."""
        try:
            found = Completion.model_validate(reply)
        except ValidationError as error:
            raise Failed(
                f"a reply that is not a chat completion ({describe_wrong_part(error)})", billed=True
            ) from None
        choice, usage = found.choices[0], found.usage or Usage()
        text = choice.message.content or ""
        tokens_in, tokens_out = usage.prompt_tokens, usage.completion_tokens
        # No prompt is empty, and no text has no tokens: 0 is said where nothing was counted.
        counted = bool(tokens_in) and tokens_out is not None and (tokens_out > 0 or not text)
        return Answer(
            text=text,
            finish_reason=choice.finish_reason,
            refusal=choice.message.refusal or None,
            model=found.model,
            created=found.created,
            tokens_in=tokens_in if counted else estimate_tokens(body["messages"]),
            tokens_out=tokens_out if counted else -(-len(text) // CHARACTERS_PER_TOKEN),
            counted=counted,
        )


class Stopped(TuringError):
    """The run ends because of an error in another thread."""
