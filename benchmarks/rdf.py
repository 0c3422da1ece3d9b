"""Writing RDF from a build's tables beside rdflib, and queries on a build's store.

python benchmarks/rdf.py --triples 1000000            an invented build of that size
python benchmarks/rdf.py --in exports                 another build, with its look-ups and aggregates

rdflib gets the same statements as Python tuples, makes its graph of them and writes it: what a program without a writer of its own would do.
Seconds are of the clock and of the processor; on a busy machine compare the latter. rdflib is measured on at most `--peer` statements and
its rate taken from there, for a million take it minutes.
"""

import argparse
import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kg import query, rdf, tables

LOOKUPS = {
    "an entity": "SELECT ?p ?o { e:ENTITY ?p ?o } LIMIT 1000",
    "papers of an entity": "SELECT ?paper { ?paper kg:mentions e:ENTITY } LIMIT 1000",
    "a paper": "SELECT ?p ?o { ?paper kg:mentions e:ENTITY . ?paper ?p ?o } LIMIT 100",
    "a pair": "SELECT ?other ?n { ?pair kg:member e:ENTITY , ?other ; kg:paperCount ?n } LIMIT 100",
    "evidence": "SELECT ?quote { ?link oa:hasBody e:ENTITY ; kg:quote ?quote } LIMIT 100",
}
AGGREGATES = {
    "top datasets": "SELECT ?name ?n { ?d a kg:Dataset ; skos:prefLabel ?name ; kg:paperCount ?n } ORDER BY DESC(?n) LIMIT 20",
    "strongest pairs": "SELECT ?pair ?n { ?pair a kg:Cooccurrence ; kg:paperCount ?n } ORDER BY DESC(?n) LIMIT 20",
    "papers by year": "SELECT ?year (COUNT(?paper) AS ?n) { ?paper dcterms:issued ?year } GROUP BY ?year",
    "baselines": "SELECT ?e (COUNT(?paper) AS ?n) { ?paper kg:comparesWith ?e } GROUP BY ?e ORDER BY DESC(?n) LIMIT 20",
}

_INVENTED = """
INSERT INTO entities SELECT 'entity-' || i, 'Entity ' || i, ['Dataset', 'Model', 'Method', 'Metric', 'Task'][i % 5 + 1], '', '', false, [], 10, 20
    FROM range({e}) t(i);
INSERT INTO papers (paper, label, title, abstract, authors, year, venue, doi, arxiv, openreview, acl, pmid, url, code, keywords, language)
    SELECT 'arxiv:' || (100000 + i), 'Paper ' || i, 'Paper ' || i, repeat('A sentence of an abstract that says little. ', 20),
    ['A' || i % 97, 'B' || i % 89], 2000 + i % 25, 'V' || i % 9, '', '' || (100000 + i), '', '', '', 'https://example.org/' || i, [], [], 'en'
    FROM range({p}) t(i);
INSERT INTO sentences SELECT paper, 0, 0, 80, 'A sentence of ' || label || ' that names what it says something about.' FROM papers;
INSERT INTO links SELECT 'arxiv:' || (100000 + i), 'entity-' || ((i * 7919 + j * j * 104729) % {e}),
    ['proposed', 'evaluated', 'compared', 'used', 'mentioned'][j % 5 + 1], 0.9, 'x', 1, 0, 0, 10, 0, 10 FROM range({p}) t(i), range(10) u(j);
INSERT INTO relations SELECT paper, entity, 'evaluatedOn', 'entity-' || (n % {e}), 0.8, 'x', 0
    FROM (SELECT paper, entity, row_number() OVER (ORDER BY paper, entity) AS n FROM links WHERE role = 'proposed')
    WHERE entity <> 'entity-' || (n % {e});
"""


def invented(folder: Path, triples: int) -> None:
    """A build of about so many statements."""
    papers = max(triples // 102, 10)
    connection = tables.open_build(folder, write=True)
    connection.execute(_INVENTED.format(p=papers, e=max(papers // 4, 20)))
    connection.close()


def clocked(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Seconds of the clock, seconds of the processor, and the result."""
    begun, used = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - begun, time.process_time() - used, result


def size(data: bytes, form: Any) -> int:
    import pyoxigraph as ox

    return sum(1 for _ in ox.parse(data, form))


def peer(data: bytes, most: int) -> dict[str, float]:
    """The statements a second of rdflib, in seconds of the processor, from tuples to text, for Turtle and N-Triples."""
    import itertools

    import pyoxigraph as ox
    import rdflib

    quads = list(itertools.islice(ox.parse(data, ox.RdfFormat.N_TRIPLES), most))
    rows = [(q.subject.value, q.predicate.value, q.object.value, getattr(getattr(q.object, "datatype", None), "value", "")) for q in quads]

    def made() -> rdflib.Graph:
        graph = rdflib.Graph()
        for s, p, o, datatype in rows:
            term = rdflib.Literal(o, datatype=None if datatype.endswith("#string") else datatype) if datatype else rdflib.URIRef(o)
            graph.add((rdflib.URIRef(s), rdflib.URIRef(p), term))
        return graph

    _, adding, graph = clocked(made)
    rates = {}
    for name, form in (("turtle", "turtle"), ("ntriples", "nt")):
        _, writing, _ = clocked(lambda form=form: graph.serialize(format=form))
        rates[name] = len(graph) / (adding + writing)
        rates[name + " (writing alone)"] = len(graph) / writing
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--triples", type=int, default=1_000_000)
    parser.add_argument("--peer", type=int, default=100_000)
    parser.add_argument("--in", dest="folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(options.folder or place)
        if not options.folder:
            invented(folder, options.triples)
        writing(folder, options.peer)
        asking(folder)


def writing(folder: Path, most: int) -> None:
    import pyoxigraph as ox

    connection = tables.open_build(folder)
    lines = io.BytesIO()
    rdf.write(connection, lines, format="ntriples")
    count = size(lines.getvalue(), ox.RdfFormat.N_TRIPLES)
    links = connection.execute("SELECT count(*) FROM links").fetchall()[0][0]
    print(f"{count} statements, {count / max(links, 1):.1f} for each of {links} links")
    rates = peer(lines.getvalue(), most)
    for name, sort in (("turtle", True), ("ntriples", False)):
        clock, used, _ = clocked(lambda name=name, sort=sort: rdf.write(connection, io.BytesIO(), format=name, sort=sort))
        print(
            f"{name:9} {'sorted' if sort else 'unsorted':8} {clock:6.1f} s, processor {used:6.1f} s: {count / used:9.0f} a second; "
            f"rdflib {rates[name]:7.0f} (its writing alone {rates[name + ' (writing alone)']:.0f})"
        )
        print(f"ratio {name} against rdflib: {count / used / rates[name]:.1f}")
    connection.close()


def asking(folder: Path) -> None:
    clock, used, store = clocked(lambda: rdf.store(folder))
    print(f"store of {len(store)} statements: {clock:.1f} s, processor {used:.1f} s")
    connection = tables.open_build(folder)
    (entity,) = connection.execute("SELECT entity FROM entities ORDER BY papers DESC, entity LIMIT 1").fetchone() or ("",)
    connection.close()
    for name, text in (LOOKUPS | AGGREGATES).items():
        sparql = text.replace("ENTITY", rdf.entity_iri(entity).rpartition("/")[2])
        _, used, _ = clocked(lambda sparql=sparql: query.respond(store, sparql, ("json", "ttl")))
        _, bare, _ = clocked(lambda sparql=sparql: list(store.query(sparql, prefixes=rdf.prefixes())))
        print(f"{name:20} {used * 1000:8.1f} ms with its check, {bare * 1000:8.1f} ms in the engine")


if __name__ == "__main__":
    main()
