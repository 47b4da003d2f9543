"""Remove a key from texts that others wrote, however it is spelled there."""

import base64
import re

DEEPEST = 100
"""Maximum number of levels of lists and objects in a JSON value."""
SHORTEST_SECRET = 8
"""Shorter keys are placeholders, such as EMPTY for servers on one's own computer; encoded forms of these
would be found by chance."""


def make_redactor(key):
    """Make a function that replaces a key in a text by "[key]".

    Found are the key itself in either case; the key with any of its characters percent-encoded, escaped as
    in JSON or HTML; and the key in base64 or hexadecimal digits, alone or within a longer text.

    Parameters
    ----------
    key : str
        Nothing is replaced if it is empty; a key shorter than `SHORTEST_SECRET` only as it is written.

    Returns
    -------
    callable
        Takes an object and returns its text without the key.
    """
    if not key:
        return str
    spellings = [re.escape(key)]
    flags = re.NOFLAG
    if len(key) >= SHORTEST_SECRET:
        flags = re.IGNORECASE
        spellings = ["".join(map(_spell_character, key)), re.escape(key.encode().hex())]
        spellings += map(re.escape, _encode_base64(key.encode()))
    pattern = re.compile("|".join(spellings), flags)
    return lambda text: pattern.sub("[key]", str(text))


def redact_json(value, redact, depth=0):
    """Redact all texts of a JSON value.

    Parameters
    ----------
    value : object
    redact : callable
        Takes and returns a text.
    depth : int
        Levels around the value.

    Returns
    -------
    object

    Raises
    ------
    ValueError
        The value has more than `DEEPEST` levels, or a text with half a character.
    """
    if depth > DEEPEST:
        raise ValueError("too many levels")
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError("half a character") from None
        return redact(value)
    if isinstance(value, dict):
        return {
            redact_json(name, redact): redact_json(part, redact, depth + 1)
            for name, part in value.items()
        }
    if isinstance(value, list):
        return [redact_json(part, redact, depth + 1) for part in value]
    return value


def _spell_character(character):
    """Return a pattern of all spellings of a character."""
    number = ord(character)
    return (
        rf"(?:{re.escape(character)}|%(?:25)*{number:02x}|\\+u00{number:02x}|\\+x{number:02x}"
        rf"|&\#0*{number};|&\#x0*{number:x};)"
    )


def _encode_base64(content):
    """Return what base64, in both its alphabets, makes of a content wherever it starts in a text."""
    found = set()
    for offset in range(3):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            encoded = encode(bytes(offset) + content).decode()
            # Characters at both ends also hold bits of what stands around the content.
            found.add(encoded[-(-offset * 8 // 6) : (offset + len(content)) * 8 // 6])
    return sorted(found)
