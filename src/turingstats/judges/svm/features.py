"""Input of machine judges: items to be judged, and their features.

An item is one response: a caption, an answer word, one turn of a conversation, three objects, a color
word, or a scan path.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import HashingVectorizer

from turingstats.config.settings import FIXATIONS
from turingstats.core import scan_paths
from turingstats.core.scan_paths import SCREEN
from turingstats.core.yaml_models import Reading

Kind = Literal["text", "cue", "scan path"]
EMBEDDINGS = "character n-grams"
"""What a judge of texts sees, in words."""
END = 1.0
"""Both coordinates of the padding of shorter paths in the published reading."""


def select_items(responses: pd.DataFrame, agents: Sequence[str]) -> pd.DataFrame:
    """Select the responses of one task, one row each, that a judge of these AI agents and people may see."""
    # Conversations are only from the collections that the agents took part in.
    rows = responses[responses["agent"].isin(["human", *agents]) & responses["response"].notna()]
    rows = rows.reset_index(drop=True)
    spoken = "side" in rows and rows["side"].notna().any()
    unit, block = rows.index.astype(str), rows["stimulus"].astype(str)
    if spoken:
        # The name of the collection precedes the period. People in other collections had other partners,
        # topics and years, which would distinguish them from these agents.
        collection = rows["stimulus"].astype(str).str.partition(".")[0]
        rows = rows[collection.isin(collection[rows["agent"] != "human"])].reset_index(drop=True)
        unit, block = rows["stimulus"].astype(str) + " " + rows["side"].astype(str), ""
    # `code` is a number per agent (people 0), `number` one per stimulus, `person` one per person, or -1 where
    # it is not known who responded. Within a `block` (the stimulus, or all conversations) labels may be
    # exchanged, and the responses of a `unit` (a response, or the speaker in a conversation) share one.
    return rows[["stimulus", "agent", "response"]].assign(
        stimulus=rows["stimulus"].astype(str),
        person=pd.factorize(rows["responder"])[0],
        number=np.unique(rows["stimulus"].to_numpy(str), return_inverse=True)[1],
        agent=rows["agent"].astype(str),
        machine=(rows["agent"] != "human").astype(int),
        code=rows["agent"].astype(str).map({"human": 0} | {a: n for n, a in enumerate(agents, 1)}),
        response=rows["response"].astype(str),
        unit=unit,
        block=block,
    )


def draw_balanced_items(
    items: pd.DataFrame, most: int, rng: np.random.Generator, among: np.ndarray | None = None
) -> np.ndarray:
    """Draw up to `most` items of each kind, balanced across agents; return their sorted positions."""
    positions = np.arange(len(items)) if among is None else np.flatnonzero(among)
    positions = rng.permutation(positions)
    # The first item of every agent, then the second of every agent, and so on.
    turn = items.iloc[positions].groupby("code").cumcount().to_numpy()
    positions = positions[np.argsort(turn, kind="stable")]
    machine = items["machine"].to_numpy()[positions] == 1
    n = min(most, machine.sum(), (~machine).sum())
    return np.sort(np.concatenate([positions[~machine][:n], positions[machine][:n]]))


def parse_scan_path(text: str) -> np.ndarray:
    """Parse a scan path to fixations, scaled to -1 ... 1 over the picture; shape (fixations, 2)."""
    return 2 * np.array(scan_paths.parse_scan_path(text), dtype=float) / np.array(SCREEN) - 1


def stack_scan_paths(texts: Sequence[str], reading: Reading) -> np.ndarray:
    """Stack scan paths as rows of coordinates (paths x 2 fixations), of equally many fixations each."""
    # Published: shorter paths are padded with (1, 1), which reveals their length to the judge. Recommended:
    # shorter paths are rows of nan, which the judge does not see.
    number = FIXATIONS[reading]
    rows = np.full((len(texts), number, 2), END if reading == "published" else np.nan)
    for row, text in zip(rows, texts, strict=True):
        path = parse_scan_path(text)[:number]
        if reading == "published" or len(path) == number:
            row[: len(path)] = path
    return rows.reshape(len(texts), -1)


def embed_texts(texts: Sequence[str]) -> np.ndarray:
    """Embed texts as counts of character n-grams, hashed, which needs no model; shape (texts, 512).

    N-grams are one to three characters within words; a hash (MurmurHash3) gives each its position and
    sign; vectors have length 1, or 0 without any n-gram.
    """
    hashed = HashingVectorizer(analyzer="char_wb", ngram_range=(1, 3), n_features=512)
    code, distinct = pd.factorize(pd.Series(texts))
    return hashed.transform(distinct).toarray().astype(np.float32)[code]


def compute_features(items: pd.DataFrame, kind: Kind, reading: Reading) -> np.ndarray:
    """Compute the features of items; a judge does not see an item with nan."""
    if kind == "scan path":
        return stack_scan_paths(items["response"], reading)
    embedded = embed_texts(items["response"])
    if kind == "cue":
        return (embed_texts(items["stimulus"]) - embedded) ** 2
    return embedded
