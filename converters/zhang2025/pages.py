"""The pages that judges saw, zipped: `1017_d_0.html`, with the answer to an image or cue in a heading.

A page is named by image or number of the cue, letter of the agent, and number of the answer. Answers that the
dictionaries hold too (`answers`) are not repeated; they tell whether letters are taken for the right agents.
"""

import html
import re
import zipfile
import zlib
from pathlib import Path

import pandas as pd

from converters.zhang2025 import records, trials
from converters.zhang2025.records import Source
from turingstats.core.errors import InputError
from turingstats.core.strict_json import RESTORE
from turingstats.data import schema

NAME = re.compile(rf"(?:^|/){trials.PAGE}")
ANSWER = re.compile(r"Speaker Response:(.*?)</h\d>", re.DOTALL | re.IGNORECASE)
MOST_PAGES, LONGEST, LARGEST = 20_000, 100_000, 200_000_000
"""Members of a zip, bytes of a page, and bytes of all pages."""
DAMAGED = zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError
ALIKE = 0.9
"""Share of the machines' answers that must be those of the dictionaries."""


def read(source: Source) -> records.Tables:
    """Read `responses`; where pages are of cues, the stimulus is the number of the cue."""
    path, known = source.path, trials.map_letters(source)
    responses = []
    for name, text in read_members(path).items():
        stimulus, letter, _ = NAME.search(name).groups()
        agent = known[source.require(letter, known, name, "letter")]
        found = ANSWER.search(text)
        answer = html.unescape(re.sub(r"<[^>]*>|\s+", " ", found[1])).strip() if found else ""
        if not answer:
            expected = ["an answer behind 'Speaker Response:', in a heading"]
            raise InputError(path, "a page without an answer", row=name, allowed=expected)
        if agent != trials.CATCH:
            made = {"stimulus": stimulus, "agent": agent, "response": re.sub(r"\s+", " ", answer)}
            responses.append(source.place | made)
    return {"responses": pd.DataFrame(responses, columns=list(schema.RESPONSES))}


def read_members(path: Path) -> dict[str, str]:
    """Read the pages in a zip, which is not trusted, by name; other members are not opened."""
    pages = {}
    try:
        with zipfile.ZipFile(path) as zipped:
            members = [one for one in zipped.infolist() if NAME.search(one.filename)]
            if len(members) > MOST_PAGES or sum(one.file_size for one in members) > LARGEST:
                raise InputError(path, f"more than {MOST_PAGES:,} pages, or {LARGEST:,} bytes")
            for one in members:
                with zipped.open(one) as member:
                    # The size that a zip states may be wrong.
                    content = member.read(LONGEST + 1)
                if len(content) > LONGEST:
                    raise InputError(
                        path, f"a page of more than {LONGEST:,} bytes", row=one.filename
                    )
                pages[one.filename] = content.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"a page that is not UTF-8 text (byte {error.start})"
        raise InputError(path, problem, row=one.filename, fix=RESTORE) from None
    except DAMAGED as error:
        raise InputError(path, f"not a zip that can be read ({error})", fix=RESTORE) from None
    if not pages:
        raise InputError(path, "no pages", allowed=["members such as 1017_d_0.html"])
    return pages


def keep_new(answers: pd.DataFrame, known: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Keep the answers of pages that dictionaries lack, after those that both hold have been compared."""
    answers, known = (
        table.astype(object)
        .assign(text=table["response"].str.strip().str.lower())
        .drop_duplicates(["stimulus", "agent", "text"])
        for table in (answers, known)
    )
    if not known.empty and not answers["stimulus"].isin(known["stimulus"]).any():
        answers = answers.assign(stimulus=answers["stimulus"].map(name_cues(answers, known, path)))
    keys = ["stimulus", "agent"]
    machines = known.loc[known["agent"] != "human", [*keys, "text"]]
    shared = answers.merge(machines[keys].drop_duplicates(), on=keys)
    equal = len(shared.merge(machines))
    if equal < ALIKE * len(shared):
        problem = f"{len(shared) - equal} of {len(shared)} machines' answers differ from the dictionaries'"
        raise InputError(path, problem, allowed=["the same answers, by the letters of the pages"])
    answers = answers.drop_duplicates([*keys, "text"])
    repeated = answers[[*keys, "text"]].merge(known[[*keys, "text"]], "left", indicator=True)
    new = (repeated["_merge"] == "left_only").to_numpy()
    return answers[new].drop(columns="text").reset_index(drop=True)


def name_cues(answers: pd.DataFrame, known: pd.DataFrame, path: Path) -> dict[str, str]:
    """Find the cue that each number means: the one to which the dictionaries hold its pages' answers."""
    of_known = answers[answers["agent"].isin(known["agent"])]
    pairs = of_known.merge(known, on=["agent", "text"], suffixes=("", "_cue"))
    counts = pairs.groupby(["stimulus", "stimulus_cue"]).size().rename("n").reset_index()
    best = counts.sort_values("n", ascending=False).drop_duplicates("stimulus")
    fits = best[best["n"] >= ALIKE * best["stimulus"].map(of_known["stimulus"].value_counts())]
    cues = dict(zip(fits["stimulus"], fits["stimulus_cue"], strict=True))
    lacking = answers.loc[~answers["stimulus"].isin(cues), "stimulus"]
    if len(lacking):
        problem = "the number of a cue whose answers the dictionaries hold to no cue"
        raise InputError(path, problem, value=str(lacking.iloc[0]))
    return cues
