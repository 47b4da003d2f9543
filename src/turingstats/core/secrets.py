"""Keys and passwords where they do not belong: in a configuration or a study file, which results repeat."""

import re
from collections.abc import Iterator
from typing import Any

KEY = re.compile(
    r"(?<![\w-])(sk|pk|rk)-[\w-]{8,}|(?<!\w)(gsk|hf|ghp|gho|glpat|xai)[_-]\w{16,}|(?<!\w)github_pat_\w{16,}"
    r"|(?<!\w)AKIA[0-9A-Z]{12,}|(?<!\w)AIza[\w-]{30,}|(?<!\w)xox[abp]-[\w-]{10,}"
    r"|(?i:(?<!\w)bearer)\s+(?=\S*\d)\S{8,}|-----BEGIN [A-Z ]*PRIVATE KEY|://[^/\s:@]+:[^/\s@]+@"
)
"""Keys of well-known providers, tokens after Bearer, and passwords in addresses."""
SURE = re.compile(
    r"(.*_)?(api_?key|access_?key|secret_?key|private_?key|password|passwd|authorization|access_?token"
    r"|auth_?token)"
)
LIKELY = re.compile(r"(.*_)?(token|secret|secrets|bearer|credential|credentials|cookie)")
"""Names of what may be a secret, if its value looks like one."""


def find_secret(values: Any, place: tuple[str, ...] = ()) -> tuple[str, ...] | None:
    """Find the first value that looks like a secret, and return the keys to it, except one that is secret."""
    for name, part in list_entries(values):
        if KEY.search(name):
            return (*place, "(a key)")
        if isinstance(part, str | int | float) and is_secret(name, str(part)):
            return (*place, name)
        found = find_secret(part, (*place, name))
        if found:
            return found
    return None


def list_entries(values: Any) -> Iterator[tuple[str, Any]]:
    """List the entries of a mapping or a list, with names."""
    if isinstance(values, dict):
        for name, part in values.items():
            yield str(name), part
    elif isinstance(values, list | tuple):
        for number, part in enumerate(values):
            yield str(number), part


def is_secret(name: str, value: str) -> bool:
    """Tell whether a named value looks like a secret."""
    plain = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower())
    if KEY.search(value) or (SURE.fullmatch(plain) and value):
        return True
    return bool(LIKELY.fullmatch(plain) and re.fullmatch(r"(?=.*[A-Z0-9])\S{8,}", value))
