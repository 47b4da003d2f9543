"""Tag the words of responses with their parts of speech: write a table with its column `tags` filled.

    python -m tools.tag_texts my_responses.csv tagged.csv
    python -m tools.tag_texts my_responses.csv tagged.csv --tagger textblob

The table needs a column `response`. Tags are those of the Penn Treebank, one per token, separated by blanks.
A run needs no tagger, so that both are to be installed by hand: `nltk`, whose tags give the printed numbers
of Table S5, with its data (`python -m nltk.downloader averaged_perceptron_tagger_eng punkt_tab`), or
`textblob`, whose lexicon comes with the package.
"""

import argparse
from collections.abc import Callable, Iterable

import pandas as pd

Tagger = Callable[[str], Iterable[tuple[str, str]]]


def load_nltk() -> Tagger:
    """Load NLTK's averaged perceptron."""
    import nltk

    return lambda text: nltk.pos_tag(nltk.word_tokenize(text))


def load_textblob() -> Tagger:
    """Load TextBlob's lexicon and Brill's rules."""
    from textblob.en import tag

    return tag


TAGGERS = {"nltk": load_nltk, "textblob": load_textblob}


def tag_texts(texts: pd.Series, tagger: str) -> pd.Series:
    """Tag each text: its tags, separated by blanks."""
    tag = TAGGERS[tagger]()
    tags = {text: " ".join(name for _, name in tag(text)) for text in texts.unique()}
    return texts.map(tags)


def main() -> None:
    """Read the table, fill its column `tags`, and write it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("table", help="CSV with a column `response`")
    parser.add_argument("output", help="CSV to write")
    parser.add_argument("--tagger", choices=TAGGERS, default="nltk")
    given = parser.parse_args()
    table = pd.read_csv(given.table, dtype=str, keep_default_na=False)
    tags = tag_texts(table["response"], given.tagger)
    table.assign(tags=tags).to_csv(given.output, index=False)
    print(f"{len(table)} responses tagged")


if __name__ == "__main__":
    main()
