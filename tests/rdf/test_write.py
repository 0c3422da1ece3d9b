import functools
import io
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

from kg import ontology, rdf, tables
from kg.errors import KgError
from tests.rdf.builds import EVIL

PLAIN = ("turtle", "ntriples", "nquads", "trig", "jsonld", "rdfxml")
ENGINE = {
    "turtle": ox.RdfFormat.TURTLE,
    "ntriples": ox.RdfFormat.N_TRIPLES,
    "nquads": ox.RdfFormat.N_QUADS,
    "trig": ox.RdfFormat.TRIG,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdfxml": ox.RdfFormat.RDF_XML,
    "turtle12": ox.RdfFormat.TURTLE,
    "ntriples12": ox.RdfFormat.N_TRIPLES,
}
RDFLIB = {"turtle": "turtle", "ntriples": "nt", "nquads": "nquads", "trig": "trig", "jsonld": "json-ld", "rdfxml": "xml"}
KG = "https://w3id.org/kg/ontology#"
E = "https://w3id.org/kg/entity/"
P = "https://w3id.org/kg/paper/"


@functools.cache
def written(folder: Path, format_: str = "turtle", **options: object) -> bytes:
    return fresh(folder, format_, **options)


def fresh(folder: Path, format_: str = "turtle", **options: object) -> bytes:
    output = io.BytesIO()
    connection = tables.open_build(folder)
    rdf.write(connection, output, format=format_, **options)  # type: ignore[arg-type]
    connection.close()
    return output.getvalue()


def by_engine(data: bytes, format_: str) -> set[tuple[str, str, str]]:
    return {(str(q.subject), str(q.predicate), str(q.object)) for q in ox.parse(data, ENGINE[format_])}


def by_rdflib(data: bytes, format_: str) -> set[tuple[str, str, str]]:
    graph = rdflib.Dataset()
    graph.parse(data=data, format=RDFLIB[format_])
    return {(s.n3(), p.n3(), plain(o)) for s, p, o, _ in graph.quads()}  # type: ignore[attr-defined]


def plain(term: rdflib.term.Node) -> str:
    """A term as Oxigraph prints it."""
    if not isinstance(term, rdflib.Literal):
        return str(term.n3())  # type: ignore[attr-defined]
    datatype = ox.NamedNode(str(term.datatype)) if term.datatype else None
    return str(ox.Literal(str(term), datatype=datatype))


@pytest.mark.parametrize("evidence", rdf.EVIDENCE)
@pytest.mark.parametrize("format_", PLAIN)
def test_every_plain_format_holds_the_same_statements_for_both_parsers(windy: Path, format_: str, evidence: str) -> None:
    lines = by_engine(written(windy, "ntriples", evidence=evidence), "ntriples")
    data = written(windy, format_, evidence=evidence)
    assert by_engine(data, format_) == lines
    assert by_rdflib(data, format_) == lines


@pytest.mark.parametrize("format_", rdf.FORMATS)
def test_the_same_tables_give_the_same_bytes(windy: Path, format_: str) -> None:
    assert fresh(windy, format_) == written(windy, format_)


def test_turtle_declares_its_prefixes_in_order_and_sorts_its_subjects(windy: Path) -> None:
    lines = written(windy).decode().splitlines()
    declared = [line for line in lines if line.startswith("@prefix")]
    assert declared == sorted(declared)
    entities = [line for line in lines if line.startswith("e:") and "\\#" not in line]
    assert len(entities) == 9
    assert entities.index("e:accuracy") < entities.index("e:gustnet") < entities.index("e:gustnet-2") < entities.index("e:windbench")


def test_roles_stand_beside_mentions_and_types_need_no_inference(windy: Path) -> None:
    store = ox.Store()
    store.load(written(windy), ox.RdfFormat.TURTLE)
    node = ox.NamedNode

    def holds(subject: str, predicate: str, object_: str) -> bool:
        return ox.Quad(node(subject), node(predicate), node(object_)) in store

    assert holds(P + "p1", KG + "evaluates", E + "windbench")
    assert holds(P + "p1", KG + "mentions", E + "windbench")
    assert holds(P + "p2", KG + "mentions", E + "gustnet-2")
    assert not any(holds(P + "p2", KG + role, E + "gustnet-2") for role in ("uses", "evaluates", "proposes", "comparesWith"))
    kind = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    assert holds(E + "kitenet", kind, KG + "Model")
    assert holds(E + "kitenet", kind, KG + "Method")
    assert holds(E + "gustnet-2", "http://www.w3.org/2004/02/skos/core#broader", E + "gustnet")
    assert holds(E + "kitenet", KG + "outperforms", E + "gustnet")
    assert holds(E + "windbench", "http://www.w3.org/2004/02/skos/core#exactMatch", "http://www.wikidata.org/entity/Q1")
    assert holds(E + "windbench", "http://www.w3.org/2000/01/rdf-schema#seeAlso", "https://example.org/d")
    assert holds(E + "kite-net", "http://purl.org/dc/terms/isReplacedBy", E + "kitenet")
    assert holds(P + "p1", "https://schema.org/sameAs", "https://arxiv.org/abs/2301.00001")
    assert holds(P + "doi:10.1%2Fx%20y", "https://schema.org/sameAs", "https://doi.org/10.1/x%20y")


def test_hostile_texts_stay_texts(windy: Path) -> None:
    for format_ in PLAIN:
        found = by_engine(written(windy, format_), format_)
        assert not any("evil.org" in subject and subject.startswith("<http://evil") for subject, _, _ in found)
        assert not any("evil" in predicate for _, predicate, _ in found)
        assert any(object_ == str(ox.Literal(EVIL)) for _, _, object_ in found)
    assert not any(c in written(windy).decode() for c in "\x00\x07\r")
    assert "not an iri" not in written(windy).decode()


def test_numbers_are_typed(windy: Path) -> None:
    found = by_engine(written(windy, "ntriples"), "ntriples")
    low = {object_ for subject, predicate, object_ in found if predicate == "<https://schema.org/minValue>"}
    xsd = "http://www.w3.org/2001/XMLSchema#"
    assert low == {f'"81.5"^^<{xsd}decimal>', f'"1e+300"^^<{xsd}double>'}
    assert (f"<{P}p1#result-2>", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#value>", '"≈ 7"') in found


def test_evidence_levels_differ_as_they_say(windy: Path) -> None:
    none, quotes, full = (written(windy, "ntriples", evidence=level).decode() for level in rdf.EVIDENCE)
    assert "kg/ontology#quote" not in none
    assert "oa#Annotation" not in none
    assert "oa#Annotation" in quotes
    assert "TextPositionSelector" not in quotes
    assert "TextPositionSelector" in full
    assert '<http://www.w3.org/ns/oa#exact> "KiteNet"' in full
    assert "prov#wasAttributedTo> <https://w3id.org/kg/extractor:rules>" in full
    assert set(none.splitlines()) < set(quotes.splitlines()) < set(full.splitlines())


def test_default_evidence_is_compact(windy: Path) -> None:
    """Five statements a link beside the one or two direct ones: a trial with sixteen made a corpus too large to load."""
    added = len(written(windy, "ntriples").splitlines()) - len(written(windy, "ntriples", evidence="none").splitlines())
    links, relations, results = 10, 2, 3
    assert added <= 5 * links + 7 * relations + results


@pytest.mark.parametrize("format_", ["turtle12", "ntriples12"])
def test_rdf_12_puts_the_evidence_on_triples(windy: Path, format_: str) -> None:
    store = ox.Store()
    store.load(written(windy, format_), ENGINE[format_])
    query = "SELECT ?quote { ?r rdf:reifies <<( ?p kg:evaluates ?d )>> ; kg:quote ?quote . ?d skos:prefLabel 'WindBench' } ORDER BY ?p"
    assert len(list(store.query(query, prefixes=rdf.prefixes()))) == 2
    assert "Annotation" not in written(windy, format_).decode()
    with pytest.raises(Exception, match=r"reifies|Bad|bad|expected"):
        rdflib.Graph().parse(data=written(windy, format_), format="turtle")


def test_each_paper_has_its_graph(windy: Path) -> None:
    for format_ in ("trig", "nquads"):
        graphs = {str(q.graph_name) for q in ox.parse(written(windy, format_), ENGINE[format_])}
        assert graphs == {"DEFAULT", f"<{P}p1#graph>", f"<{P}p2#graph>", f"<{P}doi:10.1%2Fx%20y#graph>"}


def test_json_ld_carries_its_context(windy: Path) -> None:
    import json

    document = json.loads(written(windy, "jsonld"))
    assert document["@context"]["kg"] == KG
    node = next(node for node in document["@graph"] if node["@id"] == "e:windbench")
    assert node["skos:prefLabel"] == "WindBench"
    assert node["@type"] == ["kg:Dataset", "kg:Entity"]


def test_another_base(windy: Path) -> None:
    text = written(windy, "turtle", base="https://example.org/wind").decode()
    assert "@prefix e: <https://example.org/wind/entity/> ." in text
    assert "https://w3id.org/kg/entity" not in text
    for wrong in ("no iri", "https://a b/", "https://a/<x>", "https://a/?q"):
        with pytest.raises(KgError, match="base"):
            written(windy, base=wrong)


def test_unknown_choices_name_the_known(windy: Path) -> None:
    for options in ({"format_": "yaml"}, {"evidence": "some"}, {"vocabulary": "foaf"}):
        with pytest.raises(KgError, match="there is no") as error:
            written(windy, **options)  # type: ignore[arg-type]
        assert "one of" in error.value.hint


def test_a_file_is_replaced_whole(windy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kg.rdf import stream

    path = tmp_path / "graph.ttl"
    path.write_text("old", encoding="utf-8")

    def breaks(self: object) -> object:
        yield "half"
        raise RuntimeError

    monkeypatch.setattr(stream.Stream, "pieces", breaks)
    connection = tables.open_build(windy)
    with pytest.raises(RuntimeError):
        rdf.write(connection, path)
    connection.close()
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_slices_do_not_show(windy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kg.rdf import stream

    whole = written(windy)
    monkeypatch.setattr(stream, "CHUNK", 2)
    assert fresh(windy).replace(b"\n\n", b"\n") == whole.replace(b"\n\n", b"\n")


def test_linked_papers_with_code(windy: Path) -> None:
    """Questions in the form that the published example queries of that graph have."""
    store = ox.Store()
    store.load(written(windy, "turtle", vocabulary="lpwc", base="https://linkedpaperswithcode.com/"), ox.RdfFormat.TURTLE)
    prefixes = {"lpwc": "https://linkedpaperswithcode.com/property/", "c": "https://linkedpaperswithcode.com/class/", "dct": "http://purl.org/dc/terms/",
                "foaf": "http://xmlns.com/foaf/0.1/"}  # fmt: skip
    ask = [
        "ASK { ?p a c:paper ; lpwc:usesDataset ?d ; dct:date ?t . ?d a c:dataset ; dct:title 'WindBench' FILTER (STRSTARTS(STR(?t), '2023-')) }",
        """ASK { ?p lpwc:hasConference/foaf:name 'KiteConf' ; lpwc:hasEvaluation/lpwc:hasEvaluationResult ?r .
            ?r lpwc:metricName 'accuracy' ; lpwc:metricValue '81.5 %' }""",
        "ASK { ?p lpwc:hasModel ?m . ?m a c:model ; foaf:name 'KiteNet' }",
        "ASK { ?d lpwc:introducedBy ?p . ?d a c:method }",
        "ASK { <https://linkedpaperswithcode.com/dataset/windbench> lpwc:numberPapers 1 }",
    ]
    for query in ask:
        assert store.query(query, prefixes=prefixes), query
    lines = by_engine(written(windy, "ntriples", vocabulary="lpwc"), "ntriples")
    assert by_rdflib(written(windy, "rdfxml", vocabulary="lpwc"), "rdfxml") == lines


def test_the_ontology_declares_what_is_written_and_nothing_else(windy: Path) -> None:
    declared = rdflib.Graph().parse(ontology.folder() / "kg.ttl")
    terms = {str(s) for s in declared.subjects(rdflib.RDF.type) if str(s).startswith(KG) and str(s) != KG}
    for term in terms:
        assert declared.value(rdflib.URIRef(term), rdflib.RDFS.label), term
        assert declared.value(rdflib.URIRef(term), rdflib.RDFS.comment), term
    used = set()
    for _, predicate, object_ in by_engine(written(windy, "ntriples", evidence="full"), "ntriples"):
        used |= {term.strip("<>") for term in (predicate, object_) if term.startswith(f"<{KG}") and term != f"<{KG}>"}
    assert used <= terms
    not_in_this_build = {
        "trainedOn",
        "basedOn",
        "appliedTo",
        "variantOf",
        "partOf",
        "measuredBy",
        "before",
        "datasetText",
        "metricText",
        "comparatorText",
    }
    assert {term.removeprefix(KG) for term in terms - used} <= not_in_this_build


def test_the_mapping_parses() -> None:
    mapping = rdflib.Graph().parse(ontology.folder() / "lpwc.ttl")
    assert (rdflib.URIRef(KG + "Paper"), rdflib.SKOS.exactMatch, rdflib.URIRef("https://linkedpaperswithcode.com/class/paper")) in mapping


def test_an_empty_build_is_written_too(tmp_path: Path) -> None:
    tables.open_build(tmp_path, write=True).close()
    for format_ in PLAIN:
        assert by_engine(written(tmp_path, format_), format_)
