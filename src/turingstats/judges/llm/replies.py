"""Replies of an OpenAI-compatible endpoint, as its protocol describes them."""

from typing import Annotated

from pydantic import BaseModel, Field

Tokens = Annotated[int, Field(ge=0)]
# Until the year 9999, the last that a date can have.
Time = Annotated[int, Field(ge=0, le=253_402_300_799)]


class Message(BaseModel, strict=True):
    """The message of a model in a chat completion."""

    content: str | None = None
    refusal: str | None = None


class Choice(BaseModel, strict=True):
    """One of the messages to choose from."""

    message: Message
    finish_reason: str | None = None


class Usage(BaseModel, strict=True):
    """Tokens of a chat completion, as the endpoint counts them."""

    prompt_tokens: Tokens | None = None
    completion_tokens: Tokens | None = None


class Completion(BaseModel, strict=True):
    """A chat completion: what is used of it must have the type that the protocol says."""

    choices: Annotated[list[Choice], Field(min_length=1)]
    usage: Usage | None = None
    model: str | None = None
    created: Time | None = None
