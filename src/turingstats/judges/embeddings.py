"""Convert texts to vectors through one interface."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from turingstats.config.settings import Judges
from turingstats.core.errors import ConfigError

Vectors = NDArray[np.float32]


class Ngrams:
    """Counts of character n-grams, hashed: a baseline that needs no model and no network.

    N-grams are one to three characters within words; a hash (MurmurHash3) gives each its position and
    sign; vectors have length 1.
    """

    name = "ngrams"
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


Provider = Ngrams | LocalModel
"""What converts texts to vectors."""


def make_provider(options: Judges) -> Provider:
    """Make the provider that the configuration names."""
    return Ngrams() if options.embeddings == "ngrams" else LocalModel()


def embed_texts(texts: Sequence[str], source: Provider) -> Vectors:
    """Embed texts, each distinct one once; shape (texts, dimensions)."""
    distinct, positions = np.unique(
        np.asarray(texts, dtype=object).astype(str), return_inverse=True
    )
    return source.embed(distinct.tolist())[positions]
