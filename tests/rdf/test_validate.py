import importlib.util
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner

from kg import rdf
from kg.cli import main
from kg.errors import OntologyError
from kg.rdf import validate

needs_pyshacl = pytest.mark.skipif(importlib.util.find_spec("pyshacl") is None, reason="pySHACL is not installed")

FAULTS = """
<a:p> a kg:Paper ; kg:mentions <a:x> ; bibo:doi "abc" ; dcterms:title "a" , "b" ; dcterms:issued "2020" .
<a:e> a kg:Entity ; skos:prefLabel "a" ; skos:altLabel "a" ; skos:broader <a:p> .
<a:f> a kg:Entity , kg:Dataset ; skos:prefLabel "" ; kg:paperCount -1 .
<a:n> a oa:Annotation ; oa:hasBody <a:f> ; oa:hasTarget "p" ; kg:confidence 1.5 .
<a:s> a rdf:Statement ; rdf:subject <a:f> ; rdf:object <a:f> ; rdf:predicate kg:likes ; kg:confidence 0.5 .
<a:r> a kg:Result ; schema:minValue 5 ; schema:maxValue 4 ; kg:kind "odd" .
<a:c> a kg:Cooccurrence ; kg:member <a:f> ; kg:paperCount 0 .
"""
EXPECTED = {
    ("a paper has one label", "a:p"),
    ("a paper mentions entities", "a:p"),
    ("a DOI begins with 10.", "a:p"),
    ("a paper has at most one title", "a:p"),
    ("a paper has at most one year", "a:p"),
    ("an alternative label differs from the preferred one", "a:e"),
    ("a family is an entity", "a:e"),
    ("an entity has a count of papers", "a:e"),
    ("an entity is a dataset, model, method, metric or task", "a:e"),
    ("an entity has one preferred label", "a:f"),
    ("an entity has a count of papers", "a:f"),
    ("the evidence of a link names its paper", "a:n"),
    ("the evidence of a link quotes one sentence", "a:n"),
    ("a confidence lies between 0 and 1", "a:n"),
    ("a relation is one of the eight", "a:s"),
    ("a paper states a relation", "a:s"),
    ("a result has a value as the paper writes it", "a:r"),
    ("a result is absolute, a gain, a ratio or a change", "a:r"),
    ("a result's least value is no more than its greatest", "a:r"),
    ("one paper reports a result", "a:r"),
    ("a co-occurrence has two members", "a:c"),
    ("a co-occurrence counts papers", "a:c"),
}


@pytest.fixture(scope="module")
def faulty() -> ox.Store:
    store = ox.Store()
    heads = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in rdf.prefixes().items())
    store.load((heads + FAULTS).encode(), ox.RdfFormat.TURTLE)
    return store


def test_sparql_finds_every_fault_and_no_other(faulty: ox.Store) -> None:
    assert {(p.message, p.focus) for p in validate.by_sparql(faulty)} == EXPECTED


@needs_pyshacl
def test_pyshacl_finds_the_same(faulty: ox.Store) -> None:
    assert set(validate.by_shacl(faulty)) == set(validate.by_sparql(faulty))


@needs_pyshacl
def test_a_build_conforms_by_both(windy: Path) -> None:
    assert validate.validate(windy, engine="shacl").problems == ()
    assert validate.validate(windy, engine="sparql").problems == ()


def test_a_constraint_without_a_check_is_not_passed_over() -> None:
    import rdflib

    shape = """@prefix sh: <http://www.w3.org/ns/shacl#> .
    <a:s> sh:targetClass <a:c> ; sh:property [ sh:path <a:p> ; sh:languageIn ('en') ; sh:message 'm' ] ."""
    with pytest.raises(OntologyError, match="languageIn"):
        list(validate.checks(rdflib.Graph().parse(data=shape, format="turtle")))


def test_the_command_says_what_is_wrong(windy: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["validate", "--in", str(windy), "--engine", "sparql"])
    assert result.exit_code == 0, result.output
    assert "no problems" in result.output
    (tmp_path / "graph.ttl").write_text("<a:p> a <https://w3id.org/kg/ontology#Paper> .", encoding="utf-8")
    result = CliRunner().invoke(main, ["validate", "--in", str(tmp_path), "--engine", "sparql"])
    assert result.exit_code == 1
    assert result.output == "1 statements checked by sparql: 1 problem\na paper has one label\n  a:p\n"
