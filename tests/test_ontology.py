from pathlib import Path

import pytest

from kg import ontology
from kg.errors import OntologyError
from kg.model import EntityType
from kg.surface import slug

HEADER = ",".join(ontology.COLUMNS)


def extra(folder: Path, text: str) -> ontology.Catalogue:
    path = folder / "own.csv"
    path.write_text(text, encoding="utf-8")
    return ontology.load([path]).catalogue


def test_every_shipped_row_has_a_slug_a_source_and_a_type() -> None:
    rows = ontology.load().catalogue.rows
    assert {row.type for row in rows} == set(EntityType)
    assert all(row.source for row in rows)
    assert not [row.id for row in rows if not row.id.startswith(slug(row.name))]


def test_shipped_rows_repeat_no_form_and_priors_are_shares() -> None:
    for row in ontology.load().catalogue.rows:
        assert len(set(row.forms)) == len(row.forms), row.id
        assert len(row.priors) == len(row.forms)
        assert all(prior is None or 0 <= prior <= 1 for prior in row.priors)


@pytest.mark.parametrize(
    ("surface", "identifier"),
    [
        ("GSM-8K", "gsm8k"),
        ("gsm8k", "gsm8k"),
        ("diffusion models", "diffusion-model"),
        ("MS-COCO", "coco"),
        ("Graph Attention Networks", "gat"),
        ("MAUVE", "mauve"),
    ],
)
def test_a_name_is_found_in_every_spelling(surface: str, identifier: str) -> None:
    assert identifier in [row.id for row in ontology.load().catalogue.lookup(surface)]


def test_an_unknown_name_is_not_found() -> None:
    assert ontology.load().catalogue.lookup("Quxly-9Z") == ()


def test_namesakes_are_rows_of_their_own() -> None:
    rows = ontology.load().catalogue.lookup("MAE")
    assert {row.type for row in rows} >= {EntityType.METRIC, EntityType.MODEL}


@pytest.mark.parametrize(
    ("identifier", "ancestors"),
    [
        ("llada-8b-instruct", ["llada-8b", "llada"]),
        ("squad-2-0", ["squad"]),
        ("imagenet-256x256", ["imagenet"]),
        ("resnet-50", ["resnet"]),
        ("imagenet", []),
    ],
)
def test_families(identifier: str, ancestors: list[str]) -> None:
    assert [row.id for row in ontology.load().catalogue.families(identifier)] == ancestors


def test_a_user_adds_rows_and_aliases(tmp_path: Path) -> None:
    catalogue = extra(tmp_path, "name,type,aliases\nQuxBench,Dataset,QB|Qux Bench\nGSM8K,,Grade School Math 8K\n")
    assert catalogue.lookup("qux-bench")[0].source == "own.csv"
    row = catalogue.lookup("Grade School Math 8K")[0]
    assert (row.id, row.type) == ("gsm8k", EntityType.DATASET)
    assert catalogue.version != ontology.load(()).catalogue.version


def test_the_users_rows_are_used_when_told(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text("name\ttype\nQuxBench\tDataset\n", encoding="utf-8")
    ontology.use([path])
    try:
        assert ontology.load().catalogue.lookup("QuxBench")
    finally:
        ontology.use(())
    assert not ontology.load().catalogue.lookup("QuxBench")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,type\nQux,Thing\n", "'Thing'"),
        ("name,type\n,Dataset\n", "without a name"),
        ("name,type\nQux\n", "1 cells under 2"),
        ("title,type\nQux,Dataset\n", "first line"),
        ("name,type,family\nQux,Dataset,nobody\n", "'nobody'"),
        ("name,type,exact\nQux,Dataset,Other\n", "'Other'"),
        ("name,type,also\nQux,Dataset,Thing\n", "'Thing'"),
        ("name,type,priors\nQux,Dataset,much\n", "'much'"),
        ("id,name,type,family\na-1,A1,Model,b-1\nb-1,B1,Model,a-1\n", "circle"),
        ("", "first line"),
    ],
)
def test_what_does_not_hold_together_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(OntologyError, match=message):
        extra(tmp_path, text)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_bytes(b"name,type\n\xff\xfe,Dataset\n")
    with pytest.raises(OntologyError, match="cannot be read"):
        ontology.load([path])


def test_the_vocabulary_has_a_word_for_every_type_and_relation() -> None:
    terms = ontology.load().terms
    assert terms["Dataset"].iri == ontology.load().prefixes["kg"] + "Dataset"
    assert all(terms[name].label for name in ("Method", "variantOf"))


def test_a_vocabulary_that_lacks_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kg.ttl"
    path.write_text('<urn:x#Dataset> <http://www.w3.org/2000/01/rdf-schema#label> "dataset" .', encoding="utf-8")
    with pytest.raises(OntologyError, match="no label for Model"):
        ontology._terms(path, "urn:x#")
    path.write_text("no turtle", encoding="utf-8")
    with pytest.raises(OntologyError, match="cannot be read"):
        ontology._terms(path, "urn:x#")
