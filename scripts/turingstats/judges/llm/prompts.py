"""Questions for language models: which responses are judged together, in which words and order.

As in the published runs, all responses to one image or cue word are judged in one prompt, in shuffled
order; a scan path and a conversation have a prompt each.
"""

import base64
import mimetypes
from dataclasses import dataclass
from pathlib import Path

import jinja2
import numpy as np

from turingstats.core.errors import ConfigError
from turingstats.core.templating import make_environment
from turingstats.stats import resampling

LABEL = {"human": "Human", "machine": "AI-generated"}
SPEAKER_LABEL = {"human": "Human", "machine": "AI"}
WITH_IMAGE = ("caption", "color", "object", "attention")
IMAGE_ENDINGS = (".jpg", ".jpeg", ".png")
VARIANT = {"attention": "free viewing"}
"""Variant of a task that its prompt is about."""
OTHER_VARIANT = {"attention": ("search_", "waldo_")}
"""How stimuli of the other variants begin; there is no published prompt about these."""


@dataclass(frozen=True)
class Question:
    """One prompt and what it asks about.

    `items` are the responses judged, in the order of the expected verdicts: each a dict with agent,
    truth and, where they apply, side, variant, pair.
    """

    task: str
    protocol: str
    stimulus: str
    kind: str
    """list, single, speakers or pair: the form of the answer."""
    items: tuple
    messages: tuple


def templates(folder):
    """The templates of a folder, as a Jinja environment.

    Raises
    ------
    ConfigError
        There is no such folder.
    """

    if not Path(folder).is_dir():
        raise ConfigError(f"llm.prompts: there is no folder {folder}")
    return make_environment(folder, escape=False)


def fill(environment, name, **values):
    """A filled template.

    Raises
    ------
    ConfigError
        The template is missing, or has a fault.
    """

    try:
        return environment.get_template(f"{name}.txt").render(**values).strip()
    except jinja2.TemplateNotFound as error:
        raise ConfigError(f"llm.prompts: there is no template {error.name}") from None
    except jinja2.TemplateError as error:
        raise ConfigError(f"llm.prompts, {name}.txt: {error}") from None


def questions(responses, task, protocol, settings, seed):
    """All questions of a task under a protocol.

    Parameters
    ----------
    responses : pandas.DataFrame
        The data contract's table, or the part of a task.
    task : str
    protocol : {"zeroshot", "oneshot", "pairwise"}
    settings : turingstats.config.settings.LanguageModels
        prompts, images, examples, stimuli.
    seed : int
        Seed of the order of responses, of the stimuli drawn and of the example.

    Returns
    -------
    list of Question
        In the order of the stimuli; empty where there are no responses.
    """
    own = responses[responses["task"] == task]
    own = own[~own["stimulus"].astype(str).str.startswith(OTHER_VARIANT.get(task, ("\0",)))]
    if own.empty or (protocol == "pairwise" and task != "conversation"):
        return []
    environment = templates(settings.prompts)
    if task == "conversation":
        stimuli = conversations(own)
    else:
        stimuli = {
            str(name): list(part[["agent", "response"]].itertuples(index=False, name=None))
            for name, part in own.groupby("stimulus", sort=False)
        }
    if protocol == "pairwise":
        return pairs(stimuli, environment, settings, seed)
    example = None
    if protocol == "oneshot":
        example = settings.examples.get(task)
        if example not in stimuli:
            draw = resampling.generator(seed, f"llm example {task}")
            example = sorted(stimuli)[draw.integers(len(stimuli))]
    asked = sample([name for name in stimuli if name != example], settings.stimuli, seed, task)
    make = about_conversation if task == "conversation" else about_responses
    return [
        question
        for name in asked
        for question in make(task, protocol, name, stimuli, example, environment, settings, seed)
    ]


def sample(names, number, seed, task):
    """The names asked about: all, or so many drawn with the seed, in their order.

    The draw of 20 is within the draw of 50, so that a larger run goes on from a smaller one.
    """
    if number is None or number >= len(names):
        return names
    order = resampling.generator(seed, f"llm stimuli {task}").permutation(len(names))
    return [names[i] for i in sorted(order[:number])]


def about_responses(task, protocol, name, stimuli, example, environment, settings, seed):
    """Questions about the responses to one stimulus: one on all, or one on each scan path."""
    order = resampling.generator(seed, f"llm order {task} {name}").permutation(len(stimuli[name]))
    shuffled = [stimuli[name][i] for i in order]
    groups = [[one] for one in shuffled] if task == "attention" else [shuffled]
    images = []
    shown = None
    if example is not None:
        draw = resampling.generator(seed, f"llm order {task} {example}")
        known = [stimuli[example][i] for i in draw.permutation(len(stimuli[example]))]
        known = known[:1] if task == "attention" else known
        shown = {
            "stimulus": example,
            "responses": [text for _, text in known],
            "labels": [LABEL[truth_of(agent)] for agent, _ in known],
        }
        images.append(example)
    pictures = []
    if settings.images is not None and task in WITH_IMAGE:
        pictures = [image(settings.images, task, one) for one in (*images, name)]
    for group in groups:
        text = fill(
            environment,
            task,
            stimulus=name,
            image=bool(pictures),
            n=len(group),
            responses=[text for _, text in group],
            example=shown,
        )
        items = tuple(
            {"agent": agent, "truth": truth_of(agent), "variant": VARIANT.get(task)}
            for agent, _ in group
        )
        kind = "single" if task == "attention" else "list"
        yield Question(task, protocol, name, kind, items, message(text, pictures))


def about_conversation(task, protocol, name, stimuli, example, environment, settings, seed):
    """The question about both speakers of a conversation."""
    lines, agents = stimuli[name]
    shown = None
    if example is not None:
        known, speakers = stimuli[example]
        labels = [SPEAKER_LABEL[truth_of(speakers[side])] for side in "AB"]
        shown = {"stimulus": example, "responses": known, "labels": labels}
    text = fill(
        environment,
        task,
        stimulus=name,
        image=False,
        n=2,
        responses=lines,
        example=shown,
    )
    items = tuple(
        {
            "agent": agents[side],
            "truth": truth_of(agents[side]),
            "side": side,
            "variant": variant_of(agents),
            "exchanges": len(lines),
        }
        for side in "AB"
    )
    yield Question(task, protocol, name, "speakers", items, message(text, []))


def pairs(stimuli, environment, settings, seed):
    """Questions on pairs of a conversation of people and one of a person and a machine.

    User A is a person in both. Each conversation with a machine is shown once, beside one of people;
    these are dealt out in shuffled order, again when all were shown. In half of the pairs (by lot) the
    machine comes first.
    """
    mixed = [name for name, (_, agents) in stimuli.items() if variant_of(agents) == "H-M"]
    people = [name for name, (_, agents) in stimuli.items() if variant_of(agents) == "H-H"]
    if not mixed or not people:
        return []
    draw = resampling.generator(seed, "llm pairs")
    deck = [people[i] for i in draw.permutation(len(people))]
    machine_first = draw.permutation(np.arange(len(mixed)) % 2 == 0)
    asked = set(sample(mixed, settings.stimuli, seed, "pairs"))
    made = []
    for number, name in enumerate(mixed):
        if name not in asked:
            continue
        other = deck[number % len(deck)]
        machine = next(side for side in "AB" if stimuli[name][1][side] != "human")
        shown = [(name, machine), (other, "B")]
        if not machine_first[number]:
            shown.reverse()
        lines = [renamed(stimuli[which][0], side) for which, side in shown]
        text = fill(environment, "pairwise", first=lines[0], second=lines[1])
        items = tuple(
            {
                "agent": stimuli[which][1][side],
                "truth": truth_of(stimuli[which][1][side]),
                "side": side,
                "variant": variant_of(stimuli[which][1]),
                "exchanges": len(stimuli[which][0]),
                "stimulus": which,
            }
            for which, side in shown
        )
        made.append(Question("conversation", "pairwise", name, "pair", items, message(text, [])))
    return made


def conversations(responses):
    """Conversations as lines "A: ...", with who spoke.

    Returns
    -------
    dict
        Conversation to (lines, agents); agents has the keys A and B. Conversations in which the name
        of a speaker is not known to be one agent's are left out.
    """
    found = {}
    for name, turns in responses.groupby("stimulus", sort=False):
        turns = turns.sort_values("turn")
        agents = turns.groupby("side", observed=True)["agent"].agg(set)
        if set(agents.index) != {"A", "B"} or agents.map(len).max() > 1:
            continue
        lines = [
            f"{side}: {text}" for side, text in zip(turns["side"], turns["response"], strict=True)
        ]
        found[str(name)] = lines, {side: next(iter(agents[side])) for side in "AB"}
    return found


def renamed(lines, judged):
    """Lines of a conversation with the judged speaker as User B and the other as User A."""
    other = {judged: "User B", ("A" if judged == "B" else "B"): "User A"}
    return [f"{other[line[0]]}{line[1:]}" for line in lines]


def variant_of(agents):
    """Kind of a conversation, H-H, H-M or M-M, from who spoke."""
    people = sum(agent == "human" for agent in agents.values())
    return ("M-M", "H-M", "H-H")[people]


def truth_of(agent):
    """human or machine."""
    return "human" if agent == "human" else "machine"


def message(text, pictures):
    """The one message of a question: text, after the images if there are any."""
    if not pictures:
        return ({"role": "user", "content": text},)
    parts = [{"type": "image_url", "image_url": {"url": picture}} for picture in pictures]
    return ({"role": "user", "content": [*parts, {"type": "text", "text": text}]},)


def image(folder, task, stimulus):
    """An image as a data address.

    Raises
    ------
    ConfigError
        There is no such image.
    """
    for ending in IMAGE_ENDINGS:
        path = Path(folder) / task / f"{stimulus}{ending}"
        if path.is_file():
            kind = mimetypes.guess_type(path.name)[0]
            return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
    raise ConfigError(
        f"llm.images: there is no {Path(folder) / task / stimulus} ({', '.join(IMAGE_ENDINGS)}). "
        "Set llm.images: null to judge without images, or add the image."
    )
