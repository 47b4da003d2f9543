"""Strict parsing of verdicts from the text of an answer.

An answer that does not have the requested form gives no verdict. Nothing is guessed from its tone, its
justifications, or a part of its list.
"""

import re
from typing import Literal

from turingstats.judges.llm.chat import Answer

Truth = Literal["human", "machine"]
VERDICT: dict[str, Truth] = {
    "human": "human",
    "aigenerated": "machine",
    "ai": "machine",
    "machine": "machine",
}
LABEL = r"(?i:(human|ai[\s-]*generated|ai|machine))(?![\w-])"
NOT_A_CHOICE = r"(?!\s*(?i:or\b|/|\|))"
MARKS = str.maketrans("", "", "*_`#\"'’‘“”")
HEADING = re.compile(r"summary of classifications\s*:?", re.IGNORECASE)
BULLET = re.compile(r"(?:[-•·–—]|\(?\d+[.):])\s*")
# A label, optionally after the kind of item and its number; or at the end of a line.
FIRST = re.compile(
    r"(?:(?i:caption|(?:associated )?word|estimation|estimate|detection|result|item|response)\s*"
    r"#?(\d+)\s*[:.)–—-]?\s*)?" + LABEL + NOT_A_CHOICE
)
LAST = re.compile(r"()\S.*?\s*(?::|\s[–—-])\s*" + LABEL + r"\.?$")
HEDGE = r"(?i:(?:most\s+)?(?:likely|probably)\s+)?(?i:an?\s+)?"
SPEAKER = r"(?<![\w'])(?i:(?:agent|speaker|user)\s+)?([AB])\s*\)?\s*"
IS = rf"(?i:is\b|:|=|–|—|-|→)\s*{HEDGE}"
BOTH = (
    r"(?i:\bboth (?:(?:agents?|speakers?|users?) )?(?:a and b )?(?:are|is)\s+)"
    + HEDGE
    + LABEL.replace("(?![", "s?(?![")
    + NOT_A_CHOICE
)
REFUSALS = re.compile(
    r"(?:i['’]?m|i am) (?:sorry|unable|not able)|i (?:can['’]?t|cannot|won['’]?t)\b|as an ai\b",
    re.IGNORECASE,
)


class Unreadable(Exception):
    """An answer without the requested form; the message says what is wrong."""


def read_verdicts(answer: Answer, kind: str, n: int) -> list[Truth]:
    """Read the `n` verdicts of an answer; Unreadable if it does not have the form `kind`."""
    if answer.finish_reason == "content_filter":
        raise Unreadable("stopped by the endpoint's content filter")
    if answer.refusal:
        raise Unreadable("refused")
    if not answer.text.strip():
        raise Unreadable("empty answer")
    try:
        verdicts = READERS[kind](answer.text)
        if len(verdicts) != n:
            raise Unreadable(f"{len(verdicts)} verdicts in place of {n}")
        return verdicts
    except Unreadable:
        if answer.finish_reason == "length":
            raise Unreadable("cut off at the limit of tokens") from None
        if REFUSALS.match(answer.text.strip()):
            raise Unreadable("refused") from None
        raise


def parse_label(label: str) -> Truth:
    """Parse a label in any of its spellings: human or machine."""
    return VERDICT[re.sub(r"[\s-]", "", label.lower())]


def strip_marks(line: str) -> str:
    """Strip marks of emphasis and quotation from a line."""
    return line.translate(MARKS).strip()


def read_listed_verdicts(text: str) -> list[Truth]:
    """Read the verdicts listed under the last heading "Summary of Classifications"."""
    lines = [strip_marks(line) for line in text.splitlines()]
    headings = [n for n, line in enumerate(lines) if HEADING.fullmatch(BULLET.sub("", line, 1))]
    if not headings:
        raise Unreadable("no section 'Summary of Classifications'")
    verdicts = []
    for line in filter(None, lines[headings[-1] + 1 :]):
        bullet = BULLET.match(line)
        listed = line[bullet.end() :] if bullet else line
        label = FIRST.match(listed) or LAST.match(listed)
        if not label:
            if bullet:
                raise Unreadable("a line of the summary without a single classification")
            if verdicts:
                break  # Words after the list.
            raise Unreadable("no list of classifications in the summary")
        numbers = [*re.findall(r"\d+", bullet.group() if bullet else ""), label.group(1)]
        ordinals = {int(number) for number in numbers if number}
        if ordinals - {len(verdicts) + 1}:
            raise Unreadable("classifications out of order")
        verdicts.append(parse_label(label.group(2)))
    return verdicts


def read_single_verdict(text: str) -> list[Truth]:
    """Read the verdict that follows the word "Answer"."""
    pattern = r"(?i:\banswer)\s*[:=–—-]?\s*(?i:is\s*:?\s*)?" + LABEL + NOT_A_CHOICE
    return [choose_verdict(re.findall(pattern, strip_marks(text)), "after the word 'Answer'")]


def read_speaker_verdicts(text: str) -> list[Truth]:
    """Read the verdicts on speakers A and B."""
    text = strip_marks(text)
    named, of_both = re.findall(SPEAKER + IS + LABEL + NOT_A_CHOICE, text), re.findall(BOTH, text)
    return [
        choose_verdict(
            [*of_both, *(label for one, label in named if one == side)], f"on agent {side}"
        )
        for side in "AB"
    ]


def choose_verdict(labels: list[str], place: str) -> Truth:
    """Choose the verdict that all labels of a place mean."""
    verdicts = {parse_label(label) for label in labels}
    if len(verdicts) != 1:
        raise Unreadable(f"{'two different verdicts' if verdicts else 'no verdict'} {place}")
    return verdicts.pop()


READERS = {
    "list": read_listed_verdicts,
    "single": read_single_verdict,
    "speakers": read_speaker_verdicts,
}
