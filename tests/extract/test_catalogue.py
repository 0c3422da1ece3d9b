from pathlib import Path

import pytest

from kg import ontology
from kg.extract.catalogue import Matcher, extract, hits
from kg.model import EntityType, Paper
from kg.ontology import CatalogueRow
from kg.text import read_text


def found(text: str) -> list[tuple[str, str]]:
    return [(m.surface, m.type.value) for m in extract(read_text(Paper("p", "", text, ())))]


def ids(text: str) -> list[tuple[str, str]]:
    return [(text[hit.start : hit.end], hit.row.id) for hit in hits(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We train on GSM-8K and ImageNet.", [("GSM-8K", "Dataset"), ("ImageNet", "Dataset")]),
        ("It beats graph neural networks (GNNs).", [("graph neural networks", "Method"), ("GNNs", "Method")]),
        ("BLEU and ROUGE-L rise.", [("BLEU", "Metric"), ("ROUGE-L", "Metric")]),
        ("Evaluated on the COCO dataset.", [("COCO", "Dataset")]),
        ("A finetuning step.", [("finetuning", "Method")]),
    ],
)
def test_known_names(text: str, expected: list[tuple[str, str]]) -> None:
    assert [pair for pair in found(text) if pair in expected] == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("She had a dream of dry land.", "Dream"),
        ("Adam's apple and adam.", "adam"),
        ("The prophet spoke in a mauve coat under moss and gas.", ""),
        ("A spider weaves.", "spider"),
        ("GPT-4o is new.", "GPT-4"),
        ("A non-convex optimization problem.", "convex optimization"),
        ("Their squad won.", "squad"),
        ("An organ is no gan.", "gan"),
        ("We use PointNet++.", "PointNet"),
        ("Llama 3.1 is out.", "Llama 3"),
        ("an imagenetlike set", "imagenet"),
        ("a multiple of three", "multiple"),
    ],
)
def test_what_must_not_fire(text: str, name: str) -> None:
    surfaces = [surface for surface, _ in found(text)]
    assert name not in surfaces if name else surfaces == []


def test_a_name_ends_where_its_word_ends() -> None:
    assert ("GPT-4", "gpt-4") not in ids("GPT-4o")
    assert ("GPT-4o", "gpt-4o") in ids("GPT-4o")
    assert ("PointNet++", "pointnet-plus-plus") in ids("PointNet++ is deep.")


def test_nested_names_are_all_hits() -> None:
    surfaces = [surface for surface, _ in ids("semi-supervised learning with deep neural networks")]
    assert {"deep neural networks", "neural networks"} <= set(surfaces)


def row(name: str, *aliases: str, exact: tuple[str, ...] = ()) -> CatalogueRow:
    return CatalogueRow(name.lower(), name, EntityType.MODEL, None, aliases, exact=exact, priors=(None,) * (1 + len(aliases)))


def test_case_of_words_and_of_acronyms() -> None:
    matcher = Matcher([row("Prophet", exact=("Prophet",)), row("FoSS"), row("WaveNet"), row("RAT")])
    text = "prophet Prophet FOSS foss wavenet rat RATs"
    assert [text[h.start : h.end] for h in matcher.hits(text)] == ["Prophet", "FOSS", "wavenet", "RATs"]


def test_exact_case_is_told() -> None:
    text = "WaveNet wavenet WaveNets"
    assert [hit.exact_case for hit in Matcher([row("WaveNet")]).hits(text)] == [True, False, True]


@pytest.mark.parametrize("text", ["β-VAE", "beta-VAE", "β VAEs", "beta‑VAE"])
def test_letters_of_other_scripts_and_hyphens_of_other_kinds(text: str) -> None:
    assert [text[h.start : h.end] for h in Matcher([row("β-VAE")]).hits(text)] == [text]


@pytest.mark.parametrize("text", ["Schrodinger bridge", "Schrödinger Bridges"])
def test_accents(text: str) -> None:
    assert len(Matcher([row("Schrödinger bridge")]).hits(text)) == 1


@pytest.mark.parametrize("text", ["", " ", "\n", "İİİ GSM8K ﬁ", "-" * 5000, "a" * 100_000, "((((" * 1000])
def test_odd_texts_do_no_harm(text: str) -> None:
    for hit in hits(text):
        assert 0 <= hit.start < hit.end <= len(text)


def test_a_form_that_seldom_names_its_row_is_no_evidence(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("name,type,priors\nquxity,Metric,0.04\nquxness,Metric,0.4\n", encoding="utf-8")
    ontology.use([path])
    try:
        assert found("We report quxity and quxness.") == [("quxness", "Metric")]
        assert [hit.row.name for hit in hits("We report quxity and quxness.")] == ["quxity", "quxness"]
    finally:
        ontology.use(())
