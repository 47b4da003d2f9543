"""Input of machine judges: items to be judged, and their features.

An item is one response: a caption, an answer word, one turn of a conversation, three objects, a color
word, or a scan path.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from turingstats.config.settings import FIXATIONS
from turingstats.core import scan_paths
from turingstats.core.errors import InputError
from turingstats.core.screen import SCREEN
from turingstats.judges.embeddings import embed_texts

END = 1.0
"""Both coordinates of the padding of shorter paths in the published reading."""


def select_items(responses, agents):
    """Select the responses that a judge of these agents may see.

    Parameters
    ----------
    responses : pandas.DataFrame
        Rows of one task; columns of `turingstats.data.schema.RESPONSES`.
    agents : sequence of str
        AI agents; people are always included.

    Returns
    -------
    pandas.DataFrame
        One row per item; conversations only from the collections that the agents took part in. Columns:
        stimulus, agent, machine (0 or 1), response; `code`, a number per agent (people 0), and `number`, a
        number per stimulus; `person`, a number per person, -1 where it is not known who responded;
        `block`, within which labels may be exchanged, and `unit`, whose responses share a label. Block and
        unit are stimulus and single response, or, for conversations, all conversations and the speaker in
        one conversation.
    """
    own = responses[responses["agent"].isin(["human", *agents]) & responses["response"].notna()]
    own = own.reset_index(drop=True)
    spoken = "side" in own and own["side"].notna().any()
    unit, block = own.index.astype(str), own["stimulus"].astype(str)
    if spoken:
        # The name of the collection precedes the period. People in other collections had other partners,
        # topics and years, which would distinguish them from these agents.
        collection = own["stimulus"].astype(str).str.partition(".")[0]
        own = own[collection.isin(collection[own["agent"] != "human"])].reset_index(drop=True)
        unit, block = own["stimulus"].astype(str) + " " + own["side"].astype(str), ""
    return own[["stimulus", "agent", "response"]].assign(
        stimulus=own["stimulus"].astype(str),
        person=pd.factorize(own["responder"])[0],
        number=np.unique(own["stimulus"].to_numpy(str), return_inverse=True)[1],
        agent=own["agent"].astype(str),
        machine=(own["agent"] != "human").astype(int),
        code=own["agent"].astype(str).map({"human": 0} | {a: n for n, a in enumerate(agents, 1)}),
        response=own["response"].astype(str),
        unit=unit,
        block=block,
    )


def draw_balanced_items(items, most, rng, among=None):
    """Draw equally many items of people and of machines, the latter balanced across agents.

    Parameters
    ----------
    items : pandas.DataFrame
    most : int
        Maximum number of each kind.
    rng : numpy.random.Generator
    among : numpy.ndarray of bool, optional
        The items to draw from; by default all.

    Returns
    -------
    numpy.ndarray of int
        Sorted positions of the drawn items in `items`; the number of each kind is `most` or, if smaller,
        the number of available items of the rarer kind.
    """
    places = np.arange(len(items)) if among is None else np.flatnonzero(among)
    places = rng.permutation(places)
    code = items["code"].to_numpy()[places]
    # The first item of every agent, then the second of every agent, and so on.
    order = np.argsort(code, kind="stable")
    starts = np.searchsorted(code[order], code[order])
    turn = np.empty(len(places), dtype=int)
    turn[order] = np.arange(len(places)) - starts
    places = places[np.argsort(turn, kind="stable")]
    machine = items["machine"].to_numpy()[places] == 1
    n = min(most, machine.sum(), (~machine).sum())
    return np.sort(np.concatenate([places[~machine][:n], places[machine][:n]]))


def parse_scan_path(text):
    """Parse a scan path to fixations, scaled to -1 ... 1 over the picture; shape (fixations, 2)."""
    return 2 * np.array(scan_paths.parse_scan_path(text), dtype=float) / np.array(SCREEN) - 1


def stack_scan_paths(texts, reading):
    """Stack scan paths as rows of coordinates; nan where a path is too short.

    Parameters
    ----------
    texts : sequence of str
    reading : {"published", "recommended"}
        Published: the first 15 fixations, with shorter paths padded with (1, 1), which reveals their
        length to the judge. Recommended: the first 10 fixations; shorter paths are rows of nan, which
        the judge does not see.

    Returns
    -------
    numpy.ndarray, shape (len(texts), 2 * fixations)
    """
    number = FIXATIONS[reading]
    rows = np.full((len(texts), number, 2), END if reading == "published" else np.nan)
    for row, text in zip(rows, texts, strict=True):
        path = parse_scan_path(text)[:number]
        if reading == "published" or len(path) == number:
            row[: len(path)] = path
    return rows.reshape(len(texts), -1)


def compute_features(items, kind, reading, source, cache=None, images=None):
    """Compute the features of items.

    Parameters
    ----------
    items : pandas.DataFrame
        From `select_items`.
    kind : {"text", "cue", "scan path"}
        text: the response's embedding. cue: elementwise squared difference of the embeddings of stimulus
        and response. scan path: see `stack_scan_paths`.
    reading : {"published", "recommended"}
    source : provider
        Provider from `turingstats.judges.embeddings`.
    cache : path-like, optional
    images : dict of str to numpy.ndarray, optional
        Features of each stimulus's image, prepended to those of the response.

    Returns
    -------
    numpy.ndarray, shape (items, features)
        Items with a row of nan are not shown to the judge.
    """
    if kind == "scan path":
        response_features = stack_scan_paths(items["response"], reading)
    else:
        response_features = embed_texts(items["response"], source, cache)
        if kind == "cue":
            response_features = (
                embed_texts(items["stimulus"], source, cache) - response_features
            ) ** 2
    if images is None:
        return response_features
    width = len(next(iter(images.values())))
    nothing = np.full(width, np.nan)
    return np.hstack(
        [np.stack([images.get(s, nothing) for s in items["stimulus"]]), response_features]
    )


def read_image_features(path, layer):
    """Read features of images that were computed elsewhere.

    Parameters
    ----------
    path : path-like
        .npz with the array `stimuli` and one array of shape (stimuli, features) per layer.
    layer : str

    Returns
    -------
    dict of str to numpy.ndarray, or None
        By stimulus; None if the file or the layer is not available.
    """

    if not Path(path).is_file():
        return None
    with np.load(path) as arrays:
        if layer not in arrays:
            return None
        if "stimuli" not in arrays or len(arrays["stimuli"]) != len(arrays[layer]):
            raise InputError(
                path,
                "stimuli and image features do not match",
                column=layer,
                fix="give an array `stimuli` and one array per layer, with one row per image",
            )
        rows = arrays[layer].reshape(len(arrays[layer]), -1).astype(np.float32)
        return dict(zip(map(str, arrays["stimuli"]), rows, strict=True))
