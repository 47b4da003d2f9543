"""Chat with a language model through an OpenAI-compatible endpoint, with cache and budget.

Every answer is written to the cache before it is used, under a hash of everything that determines it, so
an interrupted run continues where it stopped, and a rerun makes no calls. The cache is one JSON file per
answer, since these are read: `unparsed.csv` names the file of each answer without a verdict.
"""

import functools
import hashlib
import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from turingstats.config.settings import LanguageModels
from turingstats.core import files
from turingstats.core.errors import EndpointError, TuringError
from turingstats.judges.llm.replies import Completion, Time, Tokens, Usage

if TYPE_CHECKING:
    from turingstats.judges.llm.endpoint import Endpoint, Request

CHARACTERS_PER_TOKEN = 4
"""Rule of thumb for English text, for the plan of a run."""
IMAGE_TOKENS = 1000
"""Estimated tokens of an image."""
FILTERED = ("content_filter", "content_policy_violation")

Body = dict[str, Any]


class BudgetError(TuringError):
    """The configured limit on calls is reached."""


class Answer(BaseModel, frozen=True):
    """What a model answered."""

    text: str
    finish_reason: str | None = None
    refusal: str | None = None
    model: str | None = None
    """Name reported by the endpoint, which may be more specific than the requested one."""
    created: Time | None = None
    """Seconds since 1970, by the endpoint's clock."""
    tokens_in: Tokens | None = None
    tokens_out: Tokens | None = None
    """Tokens of the request and of the answer, if the endpoint counts them."""


class CachedAnswer(BaseModel):
    """A file of the cache."""

    answer: Answer


def estimate_tokens(messages: list[Body]) -> int:
    """Estimate the tokens of the messages of a request from their length."""
    total = 0
    for message in messages:
        content = message["content"]
        parts = [{"text": content}] if isinstance(content, str) else content
        for part in parts:
            image = part.get("type") == "image_url"
            total += IMAGE_TOKENS if image else -(-len(part["text"]) // CHARACTERS_PER_TOKEN)
    return total


class Client:
    """Ask language models, from several threads at the same time."""

    def __init__(
        self, settings: LanguageModels, environment: Mapping[str, str] = os.environ
    ) -> None:
        self.settings, self.environment = settings, environment
        self.calls = 0
        """Calls of the run, retries included."""
        self._counting = threading.Lock()
        self._asking: dict[str, threading.Lock] = {}

    @functools.cached_property
    def endpoint(self) -> "Endpoint":
        """The endpoint, which a run whose answers are all cached does not need."""
        from turingstats.judges.llm.endpoint import Endpoint

        if not self.settings.base_url:
            raise EndpointError("There is no endpoint: set llm.base_url.")
        return Endpoint(self.settings, self.count_request, self.environment)

    def count_request(self, request: "Request") -> None:
        """Count a call that is about to be made; BudgetError if it would exceed the limit."""
        with self._counting:
            if self.calls + 1 > self.settings.max_calls:
                raise BudgetError(
                    f"llm.max_calls is {self.settings.max_calls}, and all of these calls have been "
                    "made. The answers so far are kept; raise llm.max_calls and run again to continue."
                )
            self.calls += 1

    def build_request(self, model: str, messages: list[Body]) -> Body:
        """Build the request to a model."""
        body = {"model": model, "messages": messages, **self.settings.parameters}
        if self.settings.temperature is not None:
            body["temperature"] = self.settings.temperature
        return body

    def find_cache_key(self, body: Body) -> str:
        """Hash the endpoint and everything that is sent to it: the cache key of the answer."""
        text = json.dumps([self.settings.base_url, body], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def locate_answer(self, key: str) -> Path:
        """Locate the file of an answer in the cache."""
        return Path(self.settings.cache) / key[:2] / f"{key}.json"

    def find_cached_answer(self, body: Body) -> Answer | None:
        """Find the answer to a request in the cache; None without one, or if its file is damaged."""
        try:
            content = self.locate_answer(self.find_cache_key(body)).read_bytes()
            return CachedAnswer.model_validate_json(content).answer
        except (FileNotFoundError, ValueError):
            return None

    def ask(self, body: Body) -> tuple[Answer, str]:
        """Get the answer to a request from the cache or the endpoint, and its cache key."""
        key = self.find_cache_key(body)
        # Two identical questions are one request.
        with self._asking.setdefault(key, threading.Lock()):
            answer = self.find_cached_answer(body)
            if answer is None:
                answer = self._ask_endpoint(body)
                cached = CachedAnswer(answer=answer).model_dump_json(indent=1)
                files.write_text(f"{cached}\n", self.locate_answer(key))
        return answer, key

    def _ask_endpoint(self, body: Body) -> Answer:
        """Ask the endpoint; what its content filter refuses is an answer without text."""
        try:
            reply = self.endpoint.complete_chat(body)
        except EndpointError as error:
            if error.code not in FILTERED:
                raise
            return Answer(text="", finish_reason="content_filter")
        return read_answer(reply)


def read_answer(reply: Completion) -> Answer:
    """Read an answer from a chat completion."""
    choice, usage = reply.choices[0], reply.usage or Usage()
    text = choice.message.content or ""
    tokens_in, tokens_out = usage.prompt_tokens, usage.completion_tokens
    # No prompt is empty, and no text has no tokens: 0 is said where nothing was counted.
    counted = bool(tokens_in) and tokens_out is not None and (tokens_out > 0 or not text)
    return Answer(
        text=text,
        finish_reason=choice.finish_reason,
        refusal=choice.message.refusal or None,
        model=reply.model,
        created=reply.created,
        tokens_in=tokens_in if counted else None,
        tokens_out=tokens_out if counted else None,
    )
