"""Questions for language models: which responses are judged together, their wording and order.

As in the published runs, all responses to an image or cue word are judged in one prompt, in shuffled
order; each scan path and each conversation has its own prompt.
"""

import base64
import mimetypes
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd

from turingstats.config.settings import LanguageModels
from turingstats.config.study.task import Response
from turingstats.core.errors import ConfigError
from turingstats.core.templating import make_environment
from turingstats.judges.llm.answers import Truth
from turingstats.stats import resampling

LABEL = {"human": "Human", "machine": "AI-generated"}
SPEAKER_LABEL = {"human": "Human", "machine": "AI"}
Conversation = tuple[list[str], dict[str, str]]
"""Lines, and the agents of speakers A and B."""
IMAGE_ENDINGS = (".jpg", ".jpeg", ".png")


@dataclass(frozen=True)
class Question:
    """One prompt and what it asks about.

    `items` are the responses judged, in the order of the expected verdicts: each a dict with agent,
    truth and, where they apply, side and variant.
    """

    task: str
    protocol: str
    stimulus: str
    kind: str
    """list, single or speakers: the form of the answer."""
    items: tuple[dict[str, Any], ...]
    messages: tuple[dict[str, Any], ...]


def load_templates(folder: str | Path) -> jinja2.Environment:
    """Load the templates of a folder, which must exist."""

    if not Path(folder).is_dir():
        raise ConfigError(f"llm.prompts: there is no folder {folder}")
    return make_environment(folder, escape=False)


def fill_template(environment: jinja2.Environment, name: str, **values: Any) -> str:
    """Fill in a template; ConfigError if it is missing or invalid."""

    try:
        return environment.get_template(f"{name}.txt").render(**values).strip()
    except jinja2.TemplateNotFound as error:
        raise ConfigError(f"llm.prompts: there is no template {error.name}") from None
    except jinja2.TemplateError as error:
        raise ConfigError(f"llm.prompts, {name}.txt: {error}") from None


@dataclass(frozen=True)
class Asking:
    """How a task is asked about; the seed is for the order of responses, stimuli drawn and the example."""

    task: str
    form: Response
    protocol: str
    settings: LanguageModels
    environment: jinja2.Environment
    seed: int

    def fill(self, name: str, image: bool, n: int, responses: list[str], example: Any) -> str:
        """Fill in the template of the task for a stimulus with `n` verdicts."""
        asked = {"stimulus": name, "image": image, "n": n}
        return fill_template(
            self.environment, self.task, **asked, responses=responses, example=example
        )

    def shuffle(self, name: str, responses: list[Any]) -> list[Any]:
        """Shuffle the responses to a stimulus, in the same way in every prompt."""
        draw = resampling.make_generator(self.seed, f"llm order {self.task} {name}")
        return [responses[i] for i in draw.permutation(len(responses))]


def make_questions(
    responses: pd.DataFrame,
    task: str,
    form: Response,
    protocol: str,
    settings: LanguageModels,
    seed: int,
) -> list[Question]:
    """Make all questions of a task under a protocol, in the order of the stimuli."""
    task_responses = responses[responses["task"] == task]
    task_responses = task_responses[
        ~task_responses["stimulus"].astype(str).str.startswith(form.other_variants)
    ]
    spoken = form.form == "conversation"
    if task_responses.empty:
        return []
    asking = Asking(task, form, protocol, settings, load_templates(settings.prompts), seed)
    if spoken:
        stimuli: dict[str, Any] = collect_conversations(task_responses)
    else:
        stimuli = {
            str(name): list(part[["agent", "response"]].itertuples(index=False, name=None))
            for name, part in task_responses.groupby("stimulus", sort=False)
        }
    example = None
    if protocol == "oneshot":
        example = form.example
        if example not in stimuli:
            draw = resampling.make_generator(seed, f"llm example {task}")
            example = sorted(stimuli)[draw.integers(len(stimuli))]
    asked = draw_names([name for name in stimuli if name != example], settings.stimuli, seed, task)
    ask = ask_about_conversation if spoken else ask_about_responses
    return [question for name in asked for question in ask(asking, name, stimuli, example)]


def draw_names(names: list[str], number: int | None, seed: int, task: str) -> list[str]:
    """Draw the names to ask about: all, or the requested number at random, in their order."""
    # A draw of 20 is a subset of the draw of 50, so a larger run extends a smaller one.
    if number is None or number >= len(names):
        return names
    order = resampling.make_generator(seed, f"llm stimuli {task}").permutation(len(names))
    return [names[i] for i in sorted(order[:number])]


def ask_about_responses(
    asking: Asking, name: str, stimuli: dict[str, Any], example: str | None
) -> Iterator[Question]:
    """Yield questions about the responses to a stimulus: one for all, or one per scan path."""
    form, settings = asking.form, asking.settings
    shuffled = asking.shuffle(name, stimuli[name])
    alone = form.form == "scan path"
    shown = None
    if example is not None:
        solved = asking.shuffle(example, stimuli[example])[: 1 if alone else None]
        shown = {
            "stimulus": example,
            "responses": [text for _, text in solved],
            "labels": [LABEL[find_truth(agent)] for agent, _ in solved],
        }
    pictures = []
    if settings.images is not None and form.to_image:
        names = filter(None, (example, name))
        pictures = [load_image(settings.images, asking.task, one) for one in names]
    for group in [[one] for one in shuffled] if alone else [shuffled]:
        text = asking.fill(name, bool(pictures), len(group), [text for _, text in group], shown)
        items = tuple(
            {"agent": agent, "truth": find_truth(agent), "variant": form.variant}
            for agent, _ in group
        )
        kind = "single" if alone else "list"
        messages = make_messages(text, pictures)
        yield Question(asking.task, asking.protocol, name, kind, items, messages)


def ask_about_conversation(
    asking: Asking, name: str, stimuli: dict[str, Conversation], example: str | None
) -> Iterator[Question]:
    """Yield the question about both speakers of a conversation."""
    shown = None
    if example is not None:
        example_lines, speakers = stimuli[example]
        labels = [SPEAKER_LABEL[find_truth(speakers[side])] for side in "AB"]
        shown = {"stimulus": example, "responses": example_lines, "labels": labels}
    lines, agents = stimuli[name]
    text = asking.fill(name, False, 2, lines, shown)
    people = sum(agent == "human" for agent in agents.values())
    kept: dict[str, Any] = {"variant": ("M-M", "H-M", "H-H")[people], "exchanges": len(lines)}
    items = tuple(
        {"agent": agents[side], "truth": find_truth(agents[side]), "side": side} | kept
        for side in "AB"
    )
    messages = make_messages(text, [])
    yield Question(asking.task, asking.protocol, name, "speakers", items, messages)


def collect_conversations(responses: pd.DataFrame) -> dict[str, Conversation]:
    """Collect conversations as lines "A: ...", with who spoke, unless a speaker is not exactly one agent."""
    conversations = {}
    for name, turns in responses.groupby("stimulus", sort=False):
        turns = turns.sort_values("turn")
        agents = turns.groupby("side", observed=True)["agent"].agg(set)
        if set(agents.index) != {"A", "B"} or agents.map(len).max() > 1:
            continue
        lines = [
            f"{side}: {text}" for side, text in zip(turns["side"], turns["response"], strict=True)
        ]
        conversations[str(name)] = lines, {side: next(iter(agents[side])) for side in "AB"}
    return conversations


def find_truth(agent: str) -> Truth:
    """Find whether an agent is human or machine."""
    return "human" if agent == "human" else "machine"


def make_messages(text: str, pictures: list[str]) -> tuple[dict[str, Any], ...]:
    """Make the one message of a question: text, after the images if there are any."""
    if not pictures:
        return ({"role": "user", "content": text},)
    parts = [{"type": "image_url", "image_url": {"url": picture}} for picture in pictures]
    return ({"role": "user", "content": [*parts, {"type": "text", "text": text}]},)


def load_image(folder: str | Path, task: str, stimulus: str) -> str:
    """Load an image, which must exist, as a data URL."""
    for ending in IMAGE_ENDINGS:
        path = Path(folder) / task / f"{stimulus}{ending}"
        if path.is_file():
            kind = mimetypes.guess_type(path.name)[0]
            return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
    raise ConfigError(
        f"llm.images: there is no {Path(folder) / task / stimulus} ({', '.join(IMAGE_ENDINGS)}). "
        "Set llm.images: null to judge without images, or add the image."
    )
