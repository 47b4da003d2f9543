"""Tags of responses: made again where a tagger is installed."""

import pandas as pd
import pytest
from project import ROOT

from tools.tag_texts import main, tag_texts

CAPTIONS = ROOT / "data/observed/zhang2025/caption_responses.csv"


def test_tags_of_the_captions_are_those_of_nltk():
    nltk = pytest.importorskip("nltk")
    for data in ("taggers/averaged_perceptron_tagger_eng", "tokenizers/punkt_tab"):
        try:
            nltk.data.find(data)
        except LookupError:
            pytest.skip(f"NLTK's data are not installed: {data}")
    captions = pd.read_csv(CAPTIONS, dtype=str, keep_default_na=False)
    assert tag_texts(captions["response"], "nltk").tolist() == captions["tags"].tolist()


def test_a_table_gets_tags(tmp_path, monkeypatch):
    pytest.importorskip("textblob")
    table, tagged = tmp_path / "responses.csv", tmp_path / "tagged.csv"
    table.write_text("stimulus,agent,response\n1,human,a small dog runs\n2,git,\n")
    monkeypatch.setattr("sys.argv", ["tag_texts", str(table), str(tagged), "--tagger", "textblob"])
    main()
    assert tagged.read_text() == (
        "stimulus,agent,response,tags\n1,human,a small dog runs,DT JJ NN VBZ\n2,git,,\n"
    )
