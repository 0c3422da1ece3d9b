"""The shipped model: its files belong to its manifest, and it reads papers written for these tests."""

import hashlib
import json
from itertools import pairwise
from pathlib import Path

import pytest

from kg.extract import run
from kg.extract.judge import home
from kg.model import Paper
from kg.text import read_text


def test_files_belong_to_the_manifest() -> None:
    folder = home()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for name, facts in manifest["files"].items():
        data = (folder / name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (facts["bytes"], facts["sha256"]), f"{name} is not the one that was measured"


def test_another_folder_must_hold_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kg.errors import KgError

    monkeypatch.setenv("KG_MODEL", str(tmp_path))
    with pytest.raises(KgError, match="no model in"):
        home()


@pytest.mark.parametrize("tier", ["fast", "default"])
def test_nothing_fires_on_text_without_entities(tier: str) -> None:
    text = read_text(Paper("p", "", "The meeting was long. Nobody had read the minutes, and we went home.", ()))
    assert run(text, tier).mentions == ()


@pytest.mark.parametrize("tier", ["fast", "default"])
@pytest.mark.parametrize("abstract", ["", "x", ". .", "(", "((((((((", "A (", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 ﷽", "a" * 5000, "word " * 3000])
def test_any_text_is_read(tier: str, abstract: str) -> None:
    text = read_text(Paper("p", "", abstract, ()))
    for mention in run(text, tier).mentions:
        assert text.clean[mention.span.start : mention.span.end] == mention.surface
        assert 0 <= mention.score <= 1


@pytest.mark.parametrize("tier", ["fast", "default"])
def test_mentions_do_not_overlap(tier: str) -> None:
    abstract = "We train BERT-large and RoBERTa on GLUE and SQuAD 2.0, and report accuracy and F1 for masked language models (MLMs)."
    mentions = run(read_text(Paper("p", "", abstract, ())), tier).mentions
    assert len(mentions) > 3
    assert all(a.span.end <= b.span.start for a, b in pairwise(mentions))
