"""Convert texts to vectors through one interface, without embedding any text twice.

A provider has a `name`, which identifies a vector together with the text; `keep`, whether its vectors are
worth keeping on disk; and `embed(texts)`, which returns an array of shape (texts, dimensions).
"""

import hashlib
import os
import sqlite3
import time
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
from pydantic import BaseModel, ValidationError

from turingstats.core.errors import ConfigError, InputError, SourceError
from turingstats.judges.endpoint import (
    Failed,
    Overdue,
    Refused,
    Transport,
    describe_wrong_part,
    retry_call,
)


def make_provider(options):
    """Make the provider that the configuration names.

    Parameters
    ----------
    options : turingstats.config.settings.Judges

    Returns
    -------
    Ngrams, LocalModel, Arrays or Endpoint
    """
    if options.embeddings == "ngrams":
        return Ngrams()
    if options.embeddings == "wordllama":
        return LocalModel()
    if options.embeddings == "arrays":
        return Arrays(options.arrays)
    return Endpoint(options.base_url, options.model, options.key_variable)


def embed_texts(texts, source, cache=None):
    """Embed texts, each distinct one once, and only those that are not in the cache.

    Parameters
    ----------
    texts : sequence of str
    source : provider
    cache : path-like, optional
        Folder of the cache, one file per provider; without it nothing is cached.

    Returns
    -------
    numpy.ndarray of float32, shape (len(texts), dimensions)
    """
    known, places = np.unique(np.asarray(texts, dtype=object).astype(str), return_inverse=True)
    known = known.tolist()
    if cache is None or not source.keep:
        return source.embed(known)[places]
    keys = [hashlib.sha256(f"{source.name}\0{text}".encode()).digest() for text in known]
    found = read_cached_vectors(cache, source.name, keys)
    new = [number for number, key in enumerate(keys) if key not in found]
    if new:
        fresh = source.embed([known[number] for number in new])
        learned = {keys[number]: vector for number, vector in zip(new, fresh, strict=True)}
        store_vectors(cache, source.name, learned)
        found |= learned
    lengths = sorted({len(vector) for vector in found.values()})
    if len(lengths) > 1:
        raise InputError(
            find_cache_file(cache, source.name),
            f"old and new vectors have different lengths: {lengths}",
            fix="the model has changed; delete this file",
        )
    return np.stack([found[key] for key in keys])[places]


def find_cache_file(cache, name):
    """Find the cache file of a provider."""
    plain = "".join(letter if letter.isalnum() else "-" for letter in name)
    return Path(cache) / f"{plain}.sqlite"


@contextmanager
def open_cache(cache, name):
    """Open a provider's cache; several jobs may use it at the same time.

    Raises
    ------
    InputError
        The file is damaged, or cannot be read or written.
    """
    path = find_cache_file(cache, name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=60)) as connection, connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB)"
            )
            yield connection
    except (sqlite3.Error, OSError) as error:
        raise InputError(
            path,
            f"not a usable cache of vectors ({error})",
            fix="delete this file, or check its folder",
        ) from None


def read_cached_vectors(cache, name, keys):
    """Read the vectors that are in the cache, by key, except damaged ones."""
    found = {}
    with open_cache(cache, name) as connection:
        for key in keys:
            row = connection.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
            if row is None or not isinstance(row[0], bytes) or len(row[0]) % 4:
                continue
            vector = np.frombuffer(row[0], dtype="<f4")
            if vector.size and np.isfinite(vector).all():
                found[key] = vector
    return found


def store_vectors(cache, name, vectors):
    """Add vectors to the cache, all of them or none."""
    rows = [(key, np.asarray(vector, dtype="<f4").tobytes()) for key, vector in vectors.items()]
    with open_cache(cache, name) as connection:
        connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)


class Ngrams:
    """Counts of character n-grams, hashed: a baseline that needs no model and no network.

    N-grams are one to three characters within words; a hash (MurmurHash3) gives each its position and
    sign; vectors have length 1.
    """

    name = "ngrams"
    keep = False  # faster to compute than to look up
    size = 512

    def embed(self, texts):
        """Embed texts."""
        from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
        from sklearn.preprocessing import normalize

        if not any(text.split() for text in texts):
            return np.zeros((len(texts), self.size), dtype=np.float32)
        # A text's n-grams are those of its words, so each distinct word is processed once.
        words = CountVectorizer(analyzer=lambda text: text.lower().split())
        counts = words.fit_transform(texts)
        hashed = HashingVectorizer(
            analyzer="char_wb", ngram_range=(1, 3), n_features=self.size, norm=None
        ).transform(words.get_feature_names_out())
        return normalize(counts @ hashed).toarray().astype(np.float32)


class LocalModel:
    """WordLlama: mean of the token embeddings of a language model, 256 numbers per text.

    Its weights are in the package, so nothing is downloaded.
    """

    keep = True

    def __init__(self):
        try:
            import wordllama
        except ImportError:
            raise ConfigError(
                "judges.embeddings: wordllama needs a package that is not installed\n"
                "  fix: pip install wordllama, or set judges.embeddings to ngrams"
            ) from None
        self.name = f"wordllama-{wordllama.__version__}"
        # The package looks for its own tokenizer in the wrong folder; with its own folder as cache, it
        # finds the tokenizer.
        folder = Path(wordllama.__file__).parent
        self.model = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)

    def embed(self, texts):
        """Embed texts."""
        return np.asarray(self.model.embed(list(texts), norm=True), dtype=np.float32)


class Arrays:
    """Vectors computed elsewhere, from a file.

    Parameters
    ----------
    path : path-like
        .npz with the arrays `texts` and `vectors`, or .parquet with the columns `text` and `vector`.

    Raises
    ------
    InputError
        The file does not have this form, or lacks a text.
    """

    keep = False

    def __init__(self, path):
        if not path or not Path(path).is_file():
            raise ConfigError(
                f"judges.arrays: there is no file {path}\n"
                "  fix: name an .npz (arrays texts, vectors) or .parquet (columns text, vector)"
            )
        self.path, self.name = Path(path), f"arrays {Path(path).name}"
        try:
            if self.path.suffix == ".npz":
                with np.load(self.path) as arrays:
                    texts, vectors = arrays["texts"], arrays["vectors"]
            else:
                table = pd.read_parquet(self.path, columns=["text", "vector"])
                texts, vectors = table["text"], np.stack(table["vector"])
        except (KeyError, ValueError, OSError) as error:
            raise InputError(
                path,
                f"not a file of vectors ({error})",
                fix="an .npz with texts and vectors, or a .parquet with columns text and vector",
            ) from None
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise InputError(
                path,
                "texts and vectors do not match",
                value=f"{len(texts)} texts, vectors of shape {vectors.shape}",
                fix="give one row of finite numbers per text",
            )
        self.vectors = dict(zip(map(str, texts), vectors.astype(np.float32), strict=True))

    def embed(self, texts):
        """Embed texts."""
        missing = [text for text in texts if text not in self.vectors]
        if missing:
            raise InputError(
                self.path,
                f"{len(missing)} of {len(texts)} texts have no vector",
                value=missing[0],
                fix="add vectors of all responses (and cues) of the tasks to be judged",
            )
        return np.stack([self.vectors[text] for text in texts])


class Row(BaseModel, strict=True):
    """The vector of a text in an answer."""

    index: int
    embedding: list[float]


class Reply(BaseModel, strict=True):
    """An answer of an embeddings endpoint."""

    data: list[Row]


def is_usable(vectors):
    """Return whether vectors, the last axis, have numbers, all finite and not all 0."""
    return bool(vectors.size and np.isfinite(vectors).all() and vectors.any(axis=-1).all())


class Endpoint:
    """Any embeddings endpoint that is compatible with OpenAI's protocol.

    Parameters
    ----------
    base_url : str
        Such as http://127.0.0.1:8000/v1; texts are posted to its /embeddings.
    model : str
    key_variable : str
        Environment variable that holds the key; it is sent, but never written.
    """

    keep = True
    batch, attempts, timeout, pause = 128, 5, 60, 1.0
    longest_pause, patience = 60.0, 600.0

    def __init__(self, base_url, model, key_variable):
        if not base_url or not model:
            raise ConfigError("judges.embeddings: endpoint needs judges.base_url and judges.model")
        self.url = f"{base_url.rstrip('/')}/embeddings"
        self.model, self.key_variable = model, key_variable
        self.name = f"{model} of {base_url}"
        key = os.environ.get(key_variable, "")
        self.transport = Transport(self.url, key, "judges.base_url", self.timeout)

    def embed(self, texts):
        """Embed texts."""
        parts = [texts[start : start + self.batch] for start in range(0, len(texts), self.batch)]
        found = [self.ask(part) for part in parts]
        lengths = sorted({part.shape[1] for part in found})
        if len(lengths) > 1:
            raise SourceError(f"{self.url} gave vectors of different lengths: {lengths}")
        return np.concatenate(found)

    def ask(self, texts):
        """Embed one batch of texts."""
        pauses = (self.pause, self.longest_pause)
        try:
            return retry_call(
                lambda: self.parse_vectors(self.post(texts), len(texts)),
                self.attempts,
                pauses,
                lambda seconds, failure: time.sleep(seconds),
                self.patience,
            )
        except Refused as refusal:
            if refusal.status is None:
                raise SourceError(f"{refusal}") from None
            if refusal.status in (401, 403):
                # The server's message is not shown, since it may repeat the key.
                told = f"; is {self.key_variable} set?"
            else:
                told = f": {refusal.error['message']}"
            raise SourceError(f"{self.url} refused: HTTP {refusal.status}{told}") from None
        except Overdue as overdue:
            raise SourceError(f"{self.url} {overdue}; run again after that") from None
        except Failed as failure:
            why = f"HTTP {failure.status}" if failure.status else str(failure)
            raise SourceError(
                f"{self.url} gave no vectors in {self.attempts} attempts: {why}"
            ) from None

    def post(self, texts):
        """Send one request; return the answer's JSON."""
        return self.transport.post({"model": self.model, "input": list(texts)})

    @staticmethod
    def parse_vectors(reply, number):
        """Parse vectors in the order of the texts; raise `Failed` if there is not one per text."""
        try:
            rows = sorted(Reply.model_validate(reply).data, key=lambda row: row.index)
        except ValidationError as error:
            raise Failed(
                f"an answer without vectors ({describe_wrong_part(error)})", billed=True
            ) from None
        lengths = {len(row.embedding) for row in rows}
        if [row.index for row in rows] != list(range(number)) or len(lengths) != 1:
            raise Failed("the answer does not have one vector per text", billed=True)
        with np.errstate(over="ignore"):
            vectors = np.array([row.embedding for row in rows], dtype=np.float32)
        if not is_usable(vectors):
            raise Failed("the answer has vectors without a direction", billed=True)
        return vectors
