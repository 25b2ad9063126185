from pathlib import Path

import pytest
import spacy

from stages.contract.errors import CrepeError, ParameterError
from stages.parsing import pipeline

BYTES = 10 * 2**20


def test_the_bundled_pipeline_is_small_and_loads_with_plain_spacy():
    assert sum(f.stat().st_size for f in pipeline.BUNDLED.rglob("*") if f.is_file()) < BYTES
    nlp = spacy.load(pipeline.BUNDLED)
    doc = nlp("A brown dog is sitting on the grass.")
    assert [t.dep_ for t in doc][3:6] == ["aux", "ROOT", "prep"]
    assert doc[4].tag_ == "VBG"


def test_its_licence_and_data_are_named_beside_it():
    text = (pipeline.BUNDLED / "README.md").read_text()
    assert "CC BY-SA 4.0" in text and "UD English EWT" in text


def test_the_labels_are_a_subset_of_those_of_en_core_web():
    # These are the labels of en_core_web_sm 3.8; with other labels, rules for one pipeline would not hold for the other.
    known = pipeline.LABELS | {
        *("appos", "case", "ccomp", "csubj", "csubjpass", "dative", "dep", "intj", "mark", "meta", "nmod", "npadvmod", "oprd"),
        *("parataxis", "preconj", "predet", "punct", "quantmod"),
    }
    assert set(pipeline.load().get_pipe("parser").labels) <= known


def test_words_with_hyphens_stay_whole():
    assert [t.text for t in pipeline.load()("a black-and-white t-shirt")] == ["a", "black-and-white", "t-shirt"]


def test_words_that_look_like_contractions_stay_whole():
    said = "a newly wed couple with an ID card"
    assert [t.text for t in pipeline.load()(said)] == said.split()
    assert [t.text for t in pipeline.load()("dogs I've seen")] == ["dogs", "I", "'ve", "seen"]


def test_a_pipeline_that_is_not_installed_says_what_to_install(tmp_path):
    with pytest.raises(ParameterError, match="spacy download en_core_web_huge"):
        pipeline.load("en_core_web_huge")
    with pytest.raises(ParameterError, match="is not a folder with a spaCy pipeline"):
        pipeline.load(str(tmp_path / "nowhere"))


def test_auto_falls_back_to_the_bundled_pipeline(monkeypatch):
    monkeypatch.setattr(spacy.util, "get_installed_models", list)
    assert pipeline.chosen("auto") == pipeline.BUNDLED
    monkeypatch.setattr(spacy.util, "get_installed_models", lambda: ["en_core_web_sm", "en_core_web_lg", "de_core_news_sm"])
    assert pipeline.chosen("auto") == "en_core_web_lg"


def test_work_that_is_kept_hangs_on_what_names_mean_now(tmp_path, monkeypatch):
    """It depends on a pipeline's files and on a user's parser's code, which may crash, be fixed and resume with cached work."""
    installed: list[str] = []
    monkeypatch.setattr(spacy.util, "get_installed_models", lambda: installed)
    assert pipeline.identity("auto", "rules") == pipeline.identity("bundled", "rules") == ["bundled", "rules"]
    installed.append("en_core_web_sm")
    monkeypatch.setattr(pipeline, "version", {"en_core_web_sm": "3.8.0"}.__getitem__)
    assert pipeline.identity("auto", "rules") == ["en_core_web_sm", "rules", "3.8.0"]
    monkeypatch.undo()
    assert pipeline.identity("en_core_web_none", "rules") == ["en_core_web_none", "rules"]
    own, before = tmp_path / "own", []
    spacy.blank("en").to_disk(own)
    monkeypatch.syspath_prepend(tmp_path)
    for change in ("", "tokenizer", "kept_parser.py"):
        (tmp_path / "kept_parser.py").touch()
        if change:
            path = tmp_path / change if change.endswith("py") else own / change
            path.write_bytes(path.read_bytes() + b"# mended")
        before.append(pipeline.identity(str(own), "kept_parser.Parser"))
    assert before[0] != before[1] != before[2] and {len(one) for one in before} == {len(before[0])}
    assert pipeline.identity("bundled", "nowhere.Parser") == ["bundled", "nowhere.Parser"]


def test_a_pipeline_without_the_labels_is_refused(tmp_path: Path):
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger").add_label("NN")
    nlp.add_pipe("parser").add_label("nmod:poss")
    nlp.initialize()
    nlp.to_disk(tmp_path / "other")
    with pytest.raises(CrepeError, match=r"no tagger labels .*VBZ.*en_core_web_sm"):
        pipeline.load(str(tmp_path / "other"))
