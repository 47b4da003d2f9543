"""Shared by the formats of Attention prediction: what the address of an animated picture tells.

A judge saw a picture with eye movements on it. The address of that file names the picture set, which tells
whether it was free viewing or visual search; whose eye movements they are; the picture; and the number of
fixations. The field `imgtype` of the records is wrong in free viewing and is not read.
"""

import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from converters.zhang2025 import gate, records
from turingstats.core.errors import InputError

FREE, SEARCH = "free viewing", "visual search"
# Parts of folder names: free viewing of natural pictures in the first wave and in the experiments of
# 2025; search in natural scenes, for Waldo, and by ablated models.
SETS = {
    "naturalsaliency": FREE,
    "freeview": FREE,
    "naturaldesign": SEARCH,
    "waldo": SEARCH,
    "ablated_vs": SEARCH,
}
KEYS = {"_FV_": FREE, "_VS_": SEARCH}
ADDRESS = re.compile(r"[^\s?#]*/[^\s/?#]*(?<![a-z])img0*[1-9][0-9]{0,3}(?![0-9])[^\s/?#]*\.gif")


def check_address(address: str) -> str:
    """Check that an address names an animated picture."""
    if not ADDRESS.fullmatch(address):
        allowed = ["an address that ends like naturalsaliency_human/subj17_img155_nfix14.gif"]
        raise PydanticCustomError("form", "not an animated picture", {"allowed": allowed})
    return address


Address = Annotated[str, Field(max_length=400), AfterValidator(check_address)]
"""Address of an animated picture."""


def list_folders(address: str) -> list[str]:
    """List the folders of an address, in lower case, without host and file name."""
    return address.lower().split("//")[-1].split("/")[1:-1]


def identify_variant(address: str, *, path: Path | str, row: str) -> str:
    """Identify free viewing or visual search, from the folder or otherwise from the record's key.

    The file name is not reliable: some files of free viewing are named after the other set.
    """
    variants = {v for name, v in SETS.items() for folder in list_folders(address) if name in folder}
    variants = variants or {v for name, v in KEYS.items() if name in str(row)}
    if len(variants) != 1:
        raise InputError(
            path,
            "the folder of the animated picture names no known picture set",
            row=row,
            column="imageID",
            value="/".join(list_folders(address)),
            allowed=SETS,
            fix="add the set to SETS in converters/zhang2025/scanpaths.py",
        )
    return variants.pop()


def name_stimulus(address: str) -> str | None:
    """Name a stimulus by picture set, subject, picture and number of fixations, as far as known.

    The initials of the subjects and the address itself are left out.
    """
    folders = list_folders(address)
    name = next((n for n in SETS for folder in folders if n in folder), None)
    file = address.rsplit("/", 1)[-1]
    numbers = re.findall(r"(subj|img|nfix)0*(\d+)", file)
    return " ".join([name or "", *(f"{what}{number}" for what, number in numbers)]).strip() or None


def identify_agent(address: str, agents: dict[str, str], *, path: Path | str, row: str) -> str:
    """Identify the agent from a folder such as `waldo_human` or `waldo_conv_gbvs`."""
    folder = next(iter(list_folders(address)[-1:]), "")
    name = folder.rsplit("_", 1)[-1]
    known = [agent for agent in agents if agent]
    return agents[
        records.require_allowed_value(name, known, path=path, row=row, column="folder in imageID")
    ]


def check_folder(address: str, truth: str) -> None:
    """Refuse, in a model, a folder that says otherwise whether these are a person's eye movements."""
    folder = next(iter(list_folders(address)[-1:]), "")
    person = True if folder.endswith("_human") else False if "_conv_" in folder else None
    if person is not None and truth in ("human", "machine") and person != (truth == "human"):
        raise gate.make_contradiction(
            f"the ground truth is {truth}, but the folder is {folder}", "imageID", folder
        )


def check_agent(
    address: str, agent: str, agents: dict[str, str], *, path: Path | str, row: str
) -> None:
    """Refuse a folder of another model, such as `waldo_conv_gbvs`, than the one that is named."""
    if "_conv_" in next(iter(list_folders(address)[-1:]), ""):
        shown = identify_agent(address, agents, path=path, row=row)
        if shown != agent:
            raise InputError(
                path,
                f"the agent is {agent}, but the folder is of {shown}",
                row=row,
                column="machine_groundtruth",
                fix="correct the record",
            )


def check_control_answer(answer: str | None, truth: str | None) -> bool | None:
    """Check whether the object named was in the picture; None where the question was not recorded."""
    if answer is None or truth is None:
        return None
    return answer.strip().lower() == truth.strip().lower()
