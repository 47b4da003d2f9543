"""Addresses and keys of endpoints: what a configuration may hold, and the secrets that it may not."""

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from turingstats.core.yaml_models import SECRET

# Keys of well-known providers, and any other long run of letters and digits.
KEY = re.compile(
    r"(sk|pk|rk|gsk|hf|xai|ghp)_\w*[0-9]|AIza|AKIA"
    r"|.*(?=[A-Za-z0-9]{20})(?=(?:[A-Za-z]*[0-9]){4})(?=[0-9]*[A-Za-z])"
)


def check_address(value: str) -> str:
    """Check the address of an endpoint: http or https, a host, nothing secret."""
    if "@" in value or "?" in value or "#" in value:
        raise PydanticCustomError(
            SECRET,
            "an address must not hold a name, password or query; a key belongs in the variable that "
            "key_variable names",
        )
    problem = "not an address; expected something like https://api.example.org/v1"
    try:
        parts = urlsplit(value)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port that is not a number, unclosed brackets
        sound = False
    # Some URL parsers drop blanks and line ends inside an address, and others send them.
    if not sound or not value.isprintable() or " " in value or "\\" in value:
        raise ValueError(problem)
    return value.rstrip("/")


def check_variable_name(value: str) -> str:
    """Check that a value is the name of an environment variable, not the key itself."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", value) or KEY.match(value):
        raise PydanticCustomError(
            SECRET,
            "not the name of an environment variable; the key belongs in that variable, not here",
        )
    return value


Address = Annotated[str, AfterValidator(check_address)]
NameOfVariable = Annotated[str, AfterValidator(check_variable_name)]
