"""The page about the vocabulary, docs/ontology.md, made of `ontology/kg.ttl`, `shapes.ttl` and a sample that the writer itself writes."""

import io
from typing import TYPE_CHECKING, Any

from kg import ontology

if TYPE_CHECKING:
    import rdflib

_HEAD = """# The vocabulary

This page is made of the files in `ontology/` by `python -m kg.rdf.document > docs/ontology.md`; edit those, not this.

{about}

Namespace: `{space}` (prefix `kg:`). The namespace and the default base of entities and papers, `https://w3id.org/kg/`, are names, not addresses:
nothing is registered there. `--base` gives a build IRIs of your own, and `kg serve` shows a page for each.

- An entity is `<base>entity/ID`, a paper `<base>paper/ID`. The id is percent-encoded but for letters, digits, `-`, `.`, `_` and `:`.
- A link of a paper, a stated relation and a result are fragments of the paper's IRI: `#gsm8k`, `#foss:outperforms:transformer`, `#result-0`.
- Offsets of full evidence count code points of the paper's raw text: the title, a line feed and the abstract, or the abstract alone.
- DOI, arXiv, OpenReview, ACL and PubMed pages of a paper are `schema:sameAs`: the page identifies the paper without being it, as `owl:sameAs` would
  say. The bare ids are `bibo:doi`, `fabio:hasArXivId` and `fabio:hasPubMedId`.
- A catalogue's Wikidata item is `skos:exactMatch`, any other public page `rdfs:seeAlso`.
- An id that a merge has retired is `dcterms:isReplacedBy` the one that stays.

## Evidence

| `--evidence` | beside the direct statements | statements a link |
|---|---|---|
| `none` | nothing | 1 for a mere mention, else 2 |
| `quotes` (default) | an `oa:Annotation` with body, target, sentence and confidence | + 5 |
| `full` | also role, count and extractor, and a target with text-position and text-quote selectors | + 20 |
| format `turtle12` | the sentence and confidence on the triple itself (RDF 1.2) | + 3 |
"""


def page() -> str:
    """The page as Markdown."""
    import rdflib

    graph = rdflib.Graph().parse(ontology.folder() / "kg.ttl", format="turtle")
    graph.bind("kg", "https://w3id.org/kg/ontology#", override=True, replace=True)
    space = rdflib.URIRef("https://w3id.org/kg/ontology#")
    about = str(graph.value(space, rdflib.DCTERMS.description))
    classes = _table(graph, rdflib.OWL.Class, ("subClassOf",))
    properties = _table(graph, rdflib.OWL.ObjectProperty, ("domain", "range", "subPropertyOf"))
    properties += _table(graph, rdflib.OWL.DatatypeProperty, ("domain", "range", "subPropertyOf"))
    return "\n".join(
        [
            _HEAD.format(about=about, space=space),
            "## Diagram\n\n```mermaid\nflowchart LR\n" + _diagram(graph) + "```\n",
            "## Classes\n\n| class | is a | meaning |\n|---|---|---|\n" + "".join(classes),
            "## Properties\n\n| property | of | to | kind of | meaning |\n|---|---|---|---|---|\n" + "".join(properties),
            "## Shapes\n\n`kg validate` checks a build against these (`ontology/shapes.ttl`).\n\n" + _shapes(),
            "## Sample\n\n```turtle\n" + sample() + "```\n",
        ]
    )


def _name(graph: "rdflib.Graph", term: Any) -> str:
    return str(term.n3(graph.namespace_manager))


def _table(graph: "rdflib.Graph", kind: Any, columns: tuple[str, ...]) -> list[str]:
    import rdflib

    rows = []
    for term in sorted(graph.subjects(rdflib.RDF.type, kind), key=str):
        cells = [", ".join(sorted(f"`{_name(graph, value)}`" for value in graph.objects(term, rdflib.RDFS[column]))) for column in columns]
        rows.append(f"| `{_name(graph, term)}` | {' | '.join(cells)} | {graph.value(term, rdflib.RDFS.comment)} |\n")
    return rows


def _diagram(graph: "rdflib.Graph") -> str:
    """Classes and the properties between them, in Mermaid's notation; properties of the same two classes share an arrow."""
    import rdflib

    short = {term: _name(graph, term).removeprefix("kg:") for term in graph.subjects(rdflib.RDF.type, rdflib.OWL.Class)}
    arrows: dict[tuple[str, str], list[str]] = {}
    for term in sorted(graph.subjects(rdflib.RDF.type, rdflib.OWL.ObjectProperty), key=str):
        domain, range_ = graph.value(term, rdflib.RDFS.domain), graph.value(term, rdflib.RDFS.range)
        if domain in short and range_ in short:
            arrows.setdefault((short[domain], short[range_]), []).append(_name(graph, term).removeprefix("kg:"))
    lines = [f'  {one} -- "{"<br>".join(names)}" --> {other}\n' for (one, other), names in sorted(arrows.items())]
    kinds = sorted(short[c] for c in graph.subjects(rdflib.RDFS.subClassOf, rdflib.URIRef("https://w3id.org/kg/ontology#Entity")))
    return "".join(lines) + "".join(f"  {kind} -. is a .-> Entity\n" for kind in kinds)


def _shapes() -> str:
    from kg.rdf.validate import SH, shapes

    graph = shapes()
    found: dict[str, list[str]] = {}
    for shape, target in graph.subject_objects(_iri(SH + "targetClass")):
        messages = {str(graph.value(part, _iri(SH + "message"))) for part in graph.objects(shape, _iri(SH + "property"))}
        found[_name(graph, target).removeprefix("kg:")] = sorted(messages)
    return "".join(f"- {name}: {'; '.join(messages)}.\n" for name, messages in sorted(found.items()))


def _iri(text: str) -> Any:
    import rdflib

    return rdflib.URIRef(text)


def sample() -> str:
    """The Turtle of one invented paper, without the prefixes."""
    import duckdb

    from kg.rdf.write import write
    from kg.tables.schema import TABLES
    from kg.tables.store import create

    connection = duckdb.connect()
    create(connection)
    text = "KiteNet outperforms GustNet by 2.5% on WindBench."
    rows: dict[str, list[dict[str, Any]]] = {
        "papers": [{"paper": "arxiv:2301.00001", "label": "KiteNet", "title": "KiteNet", "abstract": text, "year": 2023, "arxiv": "2301.00001"}],
        "sentences": [{"paper": "arxiv:2301.00001", "sentence": 0, "text": text}],
        "entities": [
            {"entity": name.lower(), "label": name, "type": kind, "also": "", "expansion": "", "papers": 1, "mentions": 1}
            for name, kind in (("KiteNet", "Model"), ("GustNet", "Model"), ("WindBench", "Dataset"))
        ],
        "links": [
            {"paper": "arxiv:2301.00001", "entity": name, "role": role, "confidence": 0.9, "sentence": 0}
            for name, role in (("kitenet", "proposed"), ("gustnet", "compared"), ("windbench", "evaluated"))
        ],
        "relations": [
            {"paper": "arxiv:2301.00001", "head": "kitenet", "relation": "outperforms", "tail": "gustnet", "confidence": 0.8, "sentence": 0}
        ],
        "results": [
            {"paper": "arxiv:2301.00001", "n": 0, "value": "2.5%", "kind": "gain", "low": 2.5, "high": 2.5, "unit": "%", "subject": "kitenet",
             "comparator": "gustnet", "dataset": "windbench", "confidence": 0.7, "sentence": 0}
        ],
    }  # fmt: skip
    for table, records in rows.items():
        assert table in TABLES
        for record in records:
            names = ", ".join(f'"{name}"' for name in record)
            connection.execute(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(record))})", list(record.values()))
    output = io.BytesIO()
    write(connection, output)
    connection.close()
    return output.getvalue().decode().partition("e:gustnet\n")[1] + output.getvalue().decode().partition("e:gustnet\n")[2]


if __name__ == "__main__":
    import sys

    sys.stdout.buffer.write(page().encode())
