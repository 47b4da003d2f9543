"""Strict parsing of verdicts from the text of an answer.

An answer that does not have the requested form gives no verdict. Nothing is guessed from its tone, its
justifications, or a part of its list.
"""

import re

VERDICT = {"human": "human", "aigenerated": "machine", "ai": "machine", "machine": "machine"}
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


def read_verdicts(answer, kind, n):
    """Read the verdicts of an answer.

    Parameters
    ----------
    answer : turingstats.judges.llm.chat.Answer
    kind : {"list", "single", "speakers", "pair"}
    n : int
        Number of verdicts expected.

    Returns
    -------
    list of {"human", "machine"}

    Raises
    ------
    Unreadable
    """
    if answer.finish_reason == "content_filter":
        raise Unreadable("stopped by the endpoint's content filter")
    if answer.refusal:
        raise Unreadable("refused")
    if not answer.text.strip():
        raise Unreadable("empty answer")
    try:
        verdicts = READ[kind](answer.text)
        if len(verdicts) != n:
            raise Unreadable(f"{len(verdicts)} verdicts in place of {n}")
        return verdicts
    except Unreadable:
        if answer.finish_reason == "length":
            raise Unreadable("cut off at the limit of tokens") from None
        if REFUSALS.match(answer.text.strip()):
            raise Unreadable("refused") from None
        raise


def parse_label(label):
    """Parse a label in any of its spellings: human or machine."""
    return VERDICT[re.sub(r"[\s-]", "", label.lower())]


def strip_marks(line):
    """Strip marks of emphasis and quotation from a line."""
    return line.translate(MARKS).strip()


def read_listed_verdicts(text):
    """Read the verdicts listed under the last heading "Summary of Classifications"."""
    lines = [strip_marks(line) for line in text.splitlines()]
    headings = [n for n, line in enumerate(lines) if HEADING.fullmatch(BULLET.sub("", line, 1))]
    if not headings:
        raise Unreadable("no section 'Summary of Classifications'")
    verdicts = []
    for line in filter(None, lines[headings[-1] + 1 :]):
        bullet = BULLET.match(line)
        listed = line[bullet.end() :] if bullet else line
        found = FIRST.match(listed) or LAST.match(listed)
        if not found:
            if bullet:
                raise Unreadable("a line of the summary without a single classification")
            if verdicts:
                break  # Words after the list.
            raise Unreadable("no list of classifications in the summary")
        numbers = [*re.findall(r"\d+", bullet.group() if bullet else ""), found.group(1)]
        numbers = {int(number) for number in numbers if number}
        if numbers - {len(verdicts) + 1}:
            raise Unreadable("classifications out of order")
        verdicts.append(parse_label(found.group(2)))
    return verdicts


def read_single_verdict(text):
    """Read the verdict that follows the word "Answer"."""
    pattern = r"(?i:\banswer)\s*[:=–—-]?\s*(?i:is\s*:?\s*)?" + LABEL + NOT_A_CHOICE
    found = {parse_label(label) for label in re.findall(pattern, strip_marks(text))}
    if len(found) != 1:
        raise Unreadable("two different answers" if found else "no verdict after the word 'Answer'")
    return list(found)


def read_speaker_verdicts(text):
    """Read the verdicts on speakers A and B."""
    text = strip_marks(text)
    found = {"A": set(), "B": set()}
    for side, label in re.findall(SPEAKER + IS + LABEL + NOT_A_CHOICE, text):
        found[side].add(parse_label(label))
    for label in re.findall(BOTH, text):
        for verdicts in found.values():
            verdicts.add(parse_label(label))
    for side, verdicts in found.items():
        if len(verdicts) != 1:
            fault = "two different verdicts on" if verdicts else "no verdict on"
            raise Unreadable(f"{fault} agent {side}")
    return [next(iter(found[side])) for side in "AB"]


def read_option_verdicts(text):
    """Read the verdicts on both conversations of a pair from the option chosen: (A) the machine is first."""
    text = strip_marks(text)
    found = re.match(
        r"(?:(?:the )?(?:correct )?(?:answer|option|choice)\s*(?:is)?\s*:?\s*)?(?:option\s*)?"
        r"(?:\(([AB])\)|([AB])(?=\s*$|\s*[.):–\n-]))",
        text,
        re.IGNORECASE,
    )
    chosen = {(a or b).upper() for a, b in re.findall(r"\(([AB])\)|^([AB])$", text, re.MULTILINE)}
    if not found:
        raise Unreadable("neither of the two options")
    first = (found.group(1) or found.group(2)).upper()
    if chosen - {first}:
        raise Unreadable("both options")
    return ["machine", "human"] if first == "A" else ["human", "machine"]


READ = {
    "list": read_listed_verdicts,
    "single": read_single_verdict,
    "speakers": read_speaker_verdicts,
    "pair": read_option_verdicts,
}
