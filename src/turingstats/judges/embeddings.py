"""Convert texts to vectors through one interface, without embedding any text twice."""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import BaseModel, model_validator

from turingstats.config.settings import Judges
from turingstats.core.errors import ConfigError, EndpointError, InputError

Vectors = NDArray[np.float32]
PathLike = str | Path


class Provider(Protocol):
    """What converts texts to vectors."""

    name: str
    """Identifies a vector together with the text."""
    keep: bool
    """Whether vectors are worth keeping on disk."""

    def embed(self, texts: list[str]) -> Vectors:
        """Embed texts; an array of shape (texts, dimensions)."""


def make_provider(options: Judges) -> Provider:
    """Make the provider that the configuration names."""
    if options.embeddings == "ngrams":
        return Ngrams()
    if options.embeddings == "wordllama":
        return LocalModel()
    if options.vectors:
        return Arrays(options.vectors)
    return Endpoint(options.base_url, options.model, options.key_variable)


def embed_texts(texts: Sequence[str], source: Provider, cache: PathLike | None = None) -> Vectors:
    """Embed texts, each distinct one once, and only those that are not in the folder `cache`."""
    distinct, positions = np.unique(
        np.asarray(texts, dtype=object).astype(str), return_inverse=True
    )
    distinct = distinct.tolist()
    if cache is None or not source.keep:
        return source.embed(distinct)[positions]
    keys = [hashlib.sha256(f"{source.name}\0{text}".encode()).digest() for text in distinct]
    vectors = read_cached_vectors(cache, source.name, keys)
    new = [number for number, key in enumerate(keys) if key not in vectors]
    if new:
        fresh = source.embed([distinct[number] for number in new])
        embedded = {keys[number]: vector for number, vector in zip(new, fresh, strict=True)}
        store_vectors(cache, source.name, embedded)
        vectors |= embedded
    lengths = sorted({len(vector) for vector in vectors.values()})
    if len(lengths) > 1:
        raise InputError(
            find_cache_file(cache, source.name),
            f"old and new vectors have different lengths: {lengths}",
            fix="the model has changed; delete this file",
        )
    return np.stack([vectors[key] for key in keys])[positions]


def find_cache_file(cache: PathLike, name: str) -> Path:
    """Find the cache file of a provider."""
    plain = "".join(letter if letter.isalnum() else "-" for letter in name)
    return Path(cache) / f"{plain}.sqlite"


@contextmanager
def open_cache(cache: PathLike, name: str) -> Iterator[sqlite3.Connection]:
    """Open a provider's cache, which several jobs may use at the same time."""
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


def read_cached_vectors(cache: PathLike, name: str, keys: list[bytes]) -> dict[bytes, Vectors]:
    """Read the vectors that are in the cache, by key."""
    vectors = {}
    with open_cache(cache, name) as connection:
        for key in keys:
            row = connection.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
            if row is not None:
                vectors[key] = np.frombuffer(row[0], dtype="<f4")
    return vectors


def store_vectors(cache: PathLike, name: str, vectors: dict[bytes, Vectors]) -> None:
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

    def embed(self, texts: list[str]) -> Vectors:
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

    def __init__(self) -> None:
        try:
            import wordllama
        except ImportError:
            raise ConfigError(
                "judges.embeddings: wordllama needs a package that is not installed\n"
                "  fix: make add ARGS=wordllama, or set judges.embeddings to ngrams"
            ) from None
        self.name = f"wordllama-{wordllama.__version__}"
        # The package looks for its own tokenizer in the wrong folder; with its own folder as cache, it
        # finds the tokenizer.
        folder = Path(wordllama.__file__).parent
        self.model = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)

    def embed(self, texts: list[str]) -> Vectors:
        """Embed texts."""
        return np.asarray(self.model.embed(list(texts), norm=True), dtype=np.float32)


class Arrays:
    """Vectors from an .npz (arrays `texts` and `vectors`) or .parquet file (columns `text` and `vector`)."""

    keep = False

    def __init__(self, path: PathLike) -> None:
        if not Path(path).is_file():
            raise ConfigError(
                f"judges.embeddings: there is no file {path}\n"
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

    def embed(self, texts: list[str]) -> Vectors:
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

    @model_validator(mode="after")
    def check_vectors(self) -> "Reply":
        """Check that each text has one vector, with a direction."""
        self.data.sort(key=lambda row: row.index)
        if [row.index for row in self.data] != list(range(len(self.data))):
            raise ValueError("not one vector per text")
        if len({len(row.embedding) for row in self.data}) != 1:
            raise ValueError("no vectors, or vectors of different lengths")
        vectors = self.stack()
        if not (np.isfinite(vectors).all() and vectors.any(axis=1).all()):
            raise ValueError("vectors without a direction")
        return self

    def stack(self) -> Vectors:
        """Return the vectors as rows of an array, in the order of the texts."""
        with np.errstate(over="ignore"):
            return np.array([row.embedding for row in self.data], dtype=np.float32)


class Endpoint:
    """Any embeddings endpoint that is compatible with OpenAI's protocol, such as http://127.0.0.1:8000/v1."""

    keep = True
    batch, attempts, timeout = 128, 5, 60.0

    def __init__(self, base_url: str | None, model: str, key_variable: str) -> None:
        if not base_url or not model:
            raise ConfigError("judges.embeddings: endpoint needs judges.base_url and judges.model")
        self.base_url, self.model, self.key_variable = base_url, model, key_variable
        self.name = f"{model} of {base_url}"

    def embed(self, texts: list[str]) -> Vectors:
        """Embed texts, in batches."""
        from turingstats.judges import endpoint

        server = endpoint.Endpoint(
            self.base_url,
            self.key_variable,
            "judges.base_url",
            Reply,
            timeout=self.timeout,
            attempts=self.attempts,
        )
        parts = []
        for start in range(0, len(texts), self.batch):
            part = texts[start : start + self.batch]
            vectors = server.post("/embeddings", {"model": self.model, "input": part}).stack()
            if len(vectors) != len(part):
                raise EndpointError(
                    f"{self.base_url} gave {len(vectors)} vectors for {len(part)} texts"
                )
            parts.append(vectors)
        lengths = sorted({part.shape[1] for part in parts})
        if len(lengths) > 1:
            raise EndpointError(f"{self.base_url} gave vectors of different lengths: {lengths}")
        return np.concatenate(parts)
