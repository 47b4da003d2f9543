"""Questions for language models: which responses are judged together, their wording and order.

As in the published runs, all responses to an image or cue word are judged in one prompt, in shuffled
order; each scan path and each conversation has its own prompt.
"""

import base64
import mimetypes
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
Part = tuple[list[str], tuple[dict[str, Any], ...]]
"""Responses that a prompt shows, and what is judged of them (`items` of a question)."""
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


def make_questions(
    responses: pd.DataFrame,
    task: str,
    form: Response,
    protocol: str,
    settings: LanguageModels,
    seed: int,
) -> list[Question]:
    """Make all questions of a task under a protocol, in the order of the stimuli.

    The seed is for the order of responses, the stimuli that are drawn, and the example.
    """
    own = responses[responses["task"] == task]
    own = own[~own["stimulus"].astype(str).str.startswith(form.other_variants)]
    if own.empty:
        return []
    environment, questions = load_templates(settings.prompts), []
    stimuli = {str(name): rows for name, rows in own.groupby("stimulus", sort=False)}
    spoken = form.form == "conversation"
    if spoken:
        stimuli = {name: turns for name, turns in stimuli.items() if has_two_agents(turns)}

    def list_parts(name: str) -> list[Part]:
        if spoken:
            return [show_conversation(stimuli[name])]
        draw = resampling.make_generator(seed, f"llm order {task} {name}")
        return show_responses(stimuli[name].iloc[draw.permutation(len(stimuli[name]))], form)

    example, shown = None, None
    if protocol == "oneshot":
        example = form.example
        if example not in stimuli:
            draw = resampling.make_generator(seed, f"llm example {task}")
            example = sorted(stimuli)[draw.integers(len(stimuli))]
        texts, items = list_parts(example)[0]
        labels = [(SPEAKER_LABEL if spoken else LABEL)[item["truth"]] for item in items]
        shown = {"stimulus": example, "responses": texts, "labels": labels}
    kind = {"conversation": "speakers", "scan path": "single"}.get(form.form, "list")
    asked = draw_names([name for name in stimuli if name != example], settings.stimuli, seed, task)
    for name in asked:
        pictures = []
        if settings.images is not None and form.to_image:
            names = filter(None, (example, name))
            pictures = [load_image(settings.images, task, one) for one in names]
        for texts, items in list_parts(name):
            values = {"image": bool(pictures), "n": len(items), "responses": texts}
            text = fill_template(environment, task, stimulus=name, example=shown, **values)
            messages = make_messages(text, pictures)
            questions.append(Question(task, protocol, name, kind, items, messages))
    return questions


def draw_names(names: list[str], number: int | None, seed: int, task: str) -> list[str]:
    """Draw the names to ask about: all, or the requested number at random, in their order."""
    # A draw of 20 is a subset of the draw of 50, so a larger run extends a smaller one.
    if number is None or number >= len(names):
        return names
    order = resampling.make_generator(seed, f"llm stimuli {task}").permutation(len(names))
    return [names[i] for i in sorted(order[:number])]


def show_responses(rows: pd.DataFrame, form: Response) -> list[Part]:
    """Show the responses to a stimulus: all in one prompt, or each scan path in its own."""
    items = [
        {"agent": agent, "truth": find_truth(agent), "variant": form.variant}
        for agent in rows["agent"]
    ]
    if form.form == "scan path":
        return [([text], (item,)) for text, item in zip(rows["response"], items, strict=True)]
    return [(list(rows["response"]), tuple(items))]


def has_two_agents(turns: pd.DataFrame) -> bool:
    """Tell whether both speakers of a conversation are exactly one agent each."""
    agents = turns.groupby("side", observed=True)["agent"].nunique()
    return set(agents.index) == {"A", "B"} and agents.max() == 1


def show_conversation(turns: pd.DataFrame) -> Part:
    """Show a conversation as lines "A: ...", with who spoke."""
    turns = turns.sort_values("turn")
    lines = [f"{side}: {text}" for side, text in zip(turns["side"], turns["response"], strict=True)]
    agents = turns.drop_duplicates("side").set_index("side")["agent"]
    people = sum(agents == "human")
    about = {"variant": ("M-M", "H-M", "H-H")[people], "exchanges": len(lines)}
    items = [
        {"agent": agents[side], "truth": find_truth(agents[side]), "side": side} | about
        for side in "AB"
    ]
    return lines, tuple(items)


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
