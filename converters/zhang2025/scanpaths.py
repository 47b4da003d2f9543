"""What the address of an animated picture of eye movements tells, in Attention prediction.

The address names the picture set, which tells whether it was free viewing or visual search; whose eye
movements they are; the picture; and the number of fixations. The field `imgtype` of the records is wrong in
free viewing and is not read.
"""

import re
from pathlib import Path
from typing import Annotated

from pydantic import Field

from converters.zhang2025 import records
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
Address = Annotated[str, Field(pattern=r"/[^\s/?#]*img0*[1-9][0-9]{0,3}[^\s/?#]*\.gif$")]
"""Address of an animated picture."""


def list_folders(address: str) -> list[str]:
    """List the folders of an address, in lower case, without host and file name."""
    return address.lower().split("//")[-1].split("/")[1:-1]


def describe_address(address: str, path: Path, row: str) -> dict[str, str]:
    """Name the stimulus of an address, and free viewing or visual search: by its folder or the record's key.

    A stimulus is named by picture set, subject, picture and number of fixations, as far as known; the
    initials of subjects and the address itself are left out. The name of the picture set in that of the file
    is not reliable: some files of free viewing are named after the other set.
    """
    folders = list_folders(address)
    named = [name for name in SETS for folder in folders if name in folder]
    variants = {SETS[name] for name in named} or {v for key, v in KEYS.items() if key in row}
    if len(variants) != 1:
        raise InputError(
            path,
            "the folder of the animated picture names no known picture set",
            row=row,
            column="imageID",
            value="/".join(folders),
            allowed=SETS,
            fix="add the set to SETS in converters/zhang2025/scanpaths.py",
        )
    numbers = re.findall(r"(subj|img|nfix)0*(\d+)", address.rsplit("/", 1)[-1])
    parts = [*named[:1], *(f"{what}{number}" for what, number in numbers)]
    return {"stimulus": " ".join(parts), "variant": variants.pop()}


def identify_agent(source: records.Source, address: str, row: str) -> str:
    """Identify the agent from a folder such as `waldo_human` or `Ablated_VS/Ablated_EccNet_GIF`."""
    names = "_".join(list_folders(address)).split("_")[::-1]
    known = [agent for agent in source.agents if agent]
    name = next((name for name in names if name in known), names[0])
    return source.agents[source.require(name, known, row, "folder in imageID")]


def check_answer(answer: str | None, truth: str | None) -> bool | None:
    """Check whether the object named was in the picture; None where the question was not recorded."""
    if answer is None or truth is None:
        return None
    return answer.strip().lower() == truth.strip().lower()
