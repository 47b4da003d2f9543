"""Made-up texts of conversations: people and models differ, as the published ones do, but not always.

A turn is made of sentences with words of the topic in their gaps. Most are common to
all speakers (`COMMON`), others come from the bank of the speaker, a few from that of another. Speakers are
partly distinguished by these banks, by the length of their turns (`STYLES`, near the words per exchange of
Table S5), by how often they repeat a sentence, and by how people write: mostly without capitals or a final
period, some with typos. The texts carry no meaning beyond that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

# Things that conversations on a topic mention.
THINGS = {
    "books": "novel, mystery, poem, library, biography, paperback, author, short story",
    "fashion": "jacket, dress, sneaker, scarf, designer, vintage shop, hat, pair of jeans",
    "food": "pizza, curry, soup, bakery, sushi, salad, taco, cheese",
    "general entertainment": "podcast, show, concert, board game, festival, comedian, circus, video",
    "movies": "comedy, thriller, actor, sequel, cartoon, director, western, cinema",
    "music": "song, guitar, album, band, drummer, concert, playlist, piano",
    "politics": "election, senator, debate, tax, law, president, campaign, vote",
    "science": "planet, telescope, experiment, vaccine, fossil, robot, galaxy, battery",
    "sports": "match, coach, marathon, goal, stadium, tennis racket, team, playoff",
    "technology": "phone, laptop, app, drone, website, camera, game console, electric car",
}
ADJECTIVES = (
    "great nice boring weird amazing fun awful expensive interesting overrated lovely strange"
).split()

COMMON = (
    "I think the {a} is {j}.|Do you have a favorite {a}?|I like the {a} a lot.|Have you seen the new {a}?"
    "|What do you think about the {b}?|That sounds {j} to me.|I have never had a {a} myself."
    "|I would rather talk about the {b}.|Yes, I agree with you.|My friends like the {a} more than I do."
    "|The last {b} I remember was {j}.|I do not know much about the {a}.|Really? I did not know that."
    "|It depends on the {b}, I guess.|When I was a child we had a {a} at home.|Not really, no."
    "|I heard that the {a} is {j} this year.|How did you find out about the {b}?"
).split("|")
PEOPLE = (
    "i like any {a} but a good {b} is more my thing|have you seen the new {a}?|not really into that"
    "|lol same here|yeah i think so too|my brother is crazy about every {a}|what about you?"
    "|we went to see a {a} last weekend and it was {j}|hm good question, probably the {a}"
    "|no way, that {a} was so {j}!|how are you doing today?|i don't know much about it tbh"
    "|when i was a kid we always had a {a} at home|do you have a favorite {b}?|that's cool"
    "|oh really? i didn't know that|i'd rather have a {b}|it was kind of {j} though"
    "|my mom bought a {a} and never used it|did you grow up around here?|haha true"
    "|i guess it depends on the {b}|anyway, which {a} would you pick?|sounds {j} to me"
    "|i used to work next to a {b}, so i heard a lot about it|wow, that is {j}"
    "|can't say i ever cared, but my friends talk about the {a} all the time"
).split("|")
BLENDERBOT = (
    "I love a good {a}, do you have a favorite {b} that you like the most?"
    "|I have never really tried a {a} before, but I have always wanted to."
    "|That is very interesting, I wonder how many people actually like the {b} nowadays."
    "|I really like the {a} because it is always so {j} and relaxing to me."
    "|Do you like to spend your free time with a {b} or a {a}?"
    "|I do not know much about the {a}, but I would definitely like to learn more."
    "|I am a big fan of the {b}, it is really {j} most of the time."
    "|Yes, I definitely agree with you, the {a} is usually quite {j}."
).split("|")
CURIE = (
    "I think the {a} is {j}.|I'm not sure what you mean.|I like the {a}.|What do you think about the {b}?"
    "|I don't know, I think that the {a} is just a {j} {b} and that people like it."
    "|That's a good point.|I'm glad that you like the {a}.|Yes, I do.|I have not seen the {a} yet."
    "|I think that it's a {j} idea to have a {b}.|I'm sorry to hear that."
).split("|")
DAVINCI = (
    "I'm not sure, but I think the {a} is pretty {j}.|Yeah, I agree.|What kind of {b} do you like?"
    "|I've heard that the {a} is {j}.|I would say the {b} is my favorite.|That sounds {j}."
    "|I don't think I've ever had a {a} like that.|It's hard to say, it depends on the {b}."
    "|Have you ever tried a {a}?|I guess so.|I like it because it's {j} and you can do it with friends."
).split("|")
LATER = (
    "That's a great point about the {a}!|I've been thinking about the {b} lately, and it's {j}."
    "|Honestly, a good {a} can make my whole day; what about you?"
    "|I totally get that, especially when the {b} turns out to be {j}."
    "|There's something {j} about a {a} that you don't expect, don't you think?"
    "|Do you usually go for a {a}, or are you more of a {b} person?"
    "|Oh, absolutely, and I'd add that the {b} is often {j} as well."
    "|Speaking of which, have you come across a {a} that surprised you recently?"
).split("|")


@dataclass(frozen=True)
class Style:
    """How a kind of speaker talks.

    Attributes
    ----------
    bank : sequence of str
        Sentences with gaps: a and b for things of the topic, j for an adjective.
    sentences : sequence of float
        Probability that a turn has 1, 2, 3 and so on sentences.
    again : float
        Probability that a sentence is one that the speaker said before.
    """

    bank: Sequence[str]
    sentences: Sequence[float]
    again: float


STYLES = {
    "human": Style(PEOPLE, (0.35, 0.3, 0.2, 0.15), 0.01),
    "blenderbot": Style(BLENDERBOT, (0.0, 0.5, 0.5), 0.05),
    "curie": Style(CURIE, (0.35, 0.2, 0.2, 0.1, 0.15), 0.2),
    "davinci": Style(DAVINCI, (0.35, 0.3, 0.25, 0.1), 0.08),
    "chatgpt": Style(LATER, (0.2, 0.5, 0.3), 0.02),
    "claude": Style(LATER, (0.5, 0.4, 0.1), 0.02),
    "llama": Style(LATER, (0.2, 0.5, 0.3), 0.04),
    "dialogpt": Style(CURIE, (0.7, 0.2, 0.1), 0.1),
    "chatgpt_2023": Style(LATER, (0.2, 0.4, 0.4), 0.03),
    "gpt35": Style(LATER, (0.3, 0.4, 0.3), 0.03),
}
OTHERS = (PEOPLE, BLENDERBOT, CURIE, DAVINCI, LATER)
FROM_COMMON, FROM_OTHERS = 0.65, 0.1  # shares of sentences from these banks
FORMAL = 0.3  # share of people who write with capitals and full stops
BETWEEN = (", ", "... ", ". ", "  ", " - ")  # what the others write between sentences
SLIP = 0.06  # probability that a person's turn has two letters of a word the wrong way round


class Draws:
    """Uniform random numbers, drawn in blocks because one at a time is slow."""

    def __init__(self, rng: np.random.Generator):
        self.rng = rng
        self.block: list[float] = []

    def uniform(self) -> float:
        """Return a number from 0 to 1, without 1."""
        if not self.block:
            self.block = self.rng.random(10_000).tolist()
        return self.block.pop()

    def draw_below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1."""
        return int(self.uniform() * n)

    def pick(self, values: Sequence):
        """Return one of the values, all equally likely."""
        return values[self.draw_below(len(values))]

    def draw_number(self, shares: Sequence[float]) -> int:
        """Return 1, 2, 3 and so on with the given probabilities."""
        left = self.uniform() * sum(shares)
        for number, share in enumerate(shares, start=1):
            left -= share
            if left < 0:
                return number
        return len(shares)


def generate_conversation(
    draws: Draws, speakers: Sequence[str], topic: str, n_turns: int
) -> list[tuple[str, str]]:
    """Return the turns of one conversation, as (side, text); A begins, and they alternate.

    Parameters
    ----------
    draws : Draws
    speakers : sequence of str
        Agents on sides A and B, keys of `STYLES`.
    topic : str
        One of `THINGS`.
    n_turns : int
    """
    said: dict[str, list[str]] = {"A": [], "B": []}
    formal = {side: draws.uniform() < FORMAL for side in "AB"}
    turns = []
    for number in range(n_turns):
        side = "AB"[number % 2]
        agent = speakers[number % 2]
        sentences = draw_sentences(draws, STYLES[agent], THINGS[topic].split(", "), said[side])
        said[side] += sentences
        if agent == "human":
            turns.append((side, write_like_person(draws, sentences, formal[side])))
        else:
            turns.append((side, " ".join(map(write_out_sentence, sentences))))
    return turns


def draw_sentences(
    draws: Draws, style: Style, things: Sequence[str], said: Sequence[str]
) -> list[str]:
    """Return the sentences of a turn: in a style, some of which the speaker said before."""
    sentences = []
    for _ in range(draws.draw_number(style.sentences)):
        if said and draws.uniform() < style.again:
            sentences.append(draws.pick(said))
            continue
        gaps = {"a": draws.pick(things), "b": draws.pick(things), "j": draws.pick(ADJECTIVES)}
        source = draws.uniform()
        bank = style.bank
        if source < FROM_COMMON:
            bank = COMMON
        elif source < FROM_COMMON + FROM_OTHERS:
            bank = draws.pick(OTHERS)
        sentences.append(mend_articles(draws.pick(bank).format(**gaps)))
    return sentences


def mend_articles(sentence: str) -> str:
    """Return a sentence with `an` before a vowel."""
    words = sentence.split(" ")
    for i, word in enumerate(words[:-1]):
        if word in ("a", "A") and words[i + 1][0] in "aeiou":
            words[i] += "n"
    return " ".join(words)


def write_out_sentence(sentence: str) -> str:
    """Return a sentence with capitals and a final period."""
    sentence = sentence[0].upper() + sentence[1:]
    sentence = sentence.replace(" i ", " I ").replace(" i'd ", " I'd ")
    return sentence if sentence[-1] in "?!." else f"{sentence}."


def write_like_person(draws: Draws, sentences: Sequence[str], formal: bool) -> str:
    """Return a person's turn: with capitals and periods if the person is formal, else as typed."""
    if formal:
        text = " ".join(map(write_out_sentence, sentences))
    else:
        first, *others = (sentence.lower().removesuffix(".") for sentence in sentences)
        text = first
        for part in others:
            text += (" " if text[-1] in "?!" else draws.pick(BETWEEN)) + part
    if draws.uniform() < SLIP:
        words = text.split(" ")
        long = [i for i, word in enumerate(words) if len(word) > 4]
        if long:
            i = draws.pick(long)
            at = 1 + draws.draw_below(len(words[i]) - 3)
            word = words[i]
            words[i] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        text = " ".join(words)
    return text
