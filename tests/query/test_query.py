import functools
import json
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from kg import query, rdf
from kg.cli import main
from kg.errors import QueryError, UnknownNameError
from kg.query.named import Named, Parameter, bind, finder, read
from kg.query.worker import Worker
from tests.rdf.builds import EVIL

HEAVY = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


opened = functools.cache(rdf.store)
"""The store of a build, opened once for all tests."""


def run(folder: Path, sparql: str, formats: tuple[str, str] = ("json", "ttl"), rows: int = 1000) -> query.Answer:
    return query.Answer(*query.respond(opened(folder), sparql, formats, rows=rows))


def command(folder: Path, *arguments: str) -> str:
    result = CliRunner().invoke(main, ["query", "--in", str(folder), *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_there_are_enough_named_queries_and_each_says_what_it_answers() -> None:
    assert len(query.named()) >= 25
    for name, found in query.named().items():
        assert found.about.endswith("."), name
        for parameter in found.parameters:
            assert f"VALUES ?{parameter.name} {{" in found.text, (name, parameter.name)
            assert parameter.kind in ("entity", "paper", "type", "number", "decimal", "text")


@pytest.mark.parametrize("name", query.named())
def test_each_named_query_runs_as_it_stands_and_with_values(windy: Path, name: str) -> None:
    values = {"entity": "WindBench", "paper": "p1", "type": "Dataset", "number": "1", "decimal": "0.9", "text": "x"}
    store, found = opened(windy), query.named()[name]
    query.respond(store, found.text, ("json", "ttl"))
    given = {parameter.name: values[parameter.kind] for parameter in found.parameters}
    query.respond(store, bind(found, given, finder(windy)), ("json", "ttl"))


def test_named_queries_answer(windy: Path) -> None:
    def rows(name: str, **values: str) -> list[dict[str, object]]:
        return run(windy, bind(query.named()[name], values, finder(windy))).rows

    assert query.run_named(windy, "top", type="dataset").rows == [{"name": "WindBench", "papers": 1}]
    assert [row["title"] for row in rows("papers-on", dataset="WindBench")] == ["KiteNet", "Odd"]
    assert [row["title"] for row in rows("papers-on", dataset="windbench", model="Gust-Net")] == ["KiteNet"]
    assert rows("papers-on", dataset="WindBench", model="GustNet-2") == []
    assert rows("first-to-propose", entity="KiteNet")[0]["year"] == 2023
    assert [row["better"] for row in rows("improves-on", baseline="GustNet")] == ["KiteNet"]
    assert [row["title"] for row in rows("no-dataset")] == []
    assert {row["name"] for row in rows("evidence", entity="GustNet")} == {"GustNet", "GustNet-2"}
    assert rows("results-on", dataset="WindBench", metric="accuracy")[0]["value"] == "1e300"
    assert [row["variant"] for row in rows("variants", family="GustNet")] == ["GustNet-2"]
    assert rows("co-occurring", entity="WindBench", type="model")[0] == {"with": "GustNet", "papers": 3}


def test_a_value_is_a_term_and_never_a_part_of_the_query(windy: Path) -> None:
    hostile = 'x" } ?s ?p ?o . { VALUES ?a { "y'
    text = bind(Named("n", "", (Parameter("t", "text", False, ""),), 'SELECT ?t { VALUES ?t { "a" } }'), {"t": hostile}, lambda kind, name: "")
    _, _, body = query.respond(opened(windy), text, ("json", "ttl"))
    assert json.loads(body)["results"]["bindings"] == [{"t": {"type": "literal", "value": hostile}}]
    assert query.run_named(windy, "evidence", entity=EVIL).rows[0]["quote"] == EVIL


def test_wrong_parameters_are_told(windy: Path) -> None:
    with pytest.raises(QueryError, match="needs --dataset"):
        query.run_named(windy, "papers-on")
    with pytest.raises(QueryError, match="no parameter 'data'"):
        query.run_named(windy, "papers-on", data="x")
    with pytest.raises(QueryError, match="no query named"):
        query.run_named(windy, "paper-on")
    with pytest.raises(QueryError, match="one of Dataset"):
        query.run_named(windy, "top", type="Banana")
    with pytest.raises(QueryError, match="--least"):
        query.run_named(windy, "pairs", least="1 } INSERT")
    with pytest.raises(UnknownNameError) as error:
        query.run_named(windy, "papers-on", dataset="WindBenh")
    assert "WindBench" in error.value.hint


def test_formats(windy: Path) -> None:
    select = "SELECT ?label ?n { ?d a kg:Dataset ; skos:prefLabel ?label ; kg:paperCount ?n }"
    assert run(windy, select).rows == [{"label": "WindBench", "n": 1}]
    assert run(windy, select, formats=("csv", "ttl")).body == b"label,n\r\nWindBench,1\r\n"
    assert run(windy, select, formats=("tsv", "ttl")).body.startswith(b'?label\t?n\n"WindBench"\t"1"^^')
    import pyoxigraph as ox

    for name, form in (("json", ox.QueryResultsFormat.JSON), ("tsv", ox.QueryResultsFormat.TSV)):
        body = run(windy, "SELECT ?a ?o { ?a dcterms:abstract ?o }", formats=(name, "ttl")).body
        parsed = ox.parse_query_results(body, form)
        assert {row["o"].value for row in parsed} >= {EVIL}, name  # type: ignore[union-attr]
    tree = ElementTree.fromstring(run(windy, "SELECT ?o { ?a dcterms:abstract ?o }", ("xml", "ttl")).body)
    assert EVIL in {node.text for node in tree.iter("{http://www.w3.org/2005/sparql-results#}literal")}
    assert run(windy, "ASK { ?s a kg:Paper }")
    assert not run(windy, "ASK { ?s a kg:Banana }")
    graph = run(windy, "CONSTRUCT WHERE { ?s a kg:Dataset ; kg:paperCount ?n }").body.decode()
    assert graph.startswith("@prefix bibo:")
    assert "e:windbench" in graph
    with pytest.raises(QueryError, match="a table, which ttl"):
        run(windy, select, formats=("ttl", "ttl"))
    with pytest.raises(QueryError, match="a graph, which csv"):
        run(windy, "DESCRIBE e:windbench", formats=("csv", "csv"))
    with pytest.raises(QueryError, match="more than 3 rows"):
        run(windy, "SELECT * { ?s ?p ?o }", rows=3)


def test_a_worker_kills_what_runs_too_long_and_goes_on(windy: Path) -> None:
    worker = Worker(windy)
    worker.start()
    begun = time.monotonic()
    with pytest.raises(query.Stopped, match="more than 1 s"):
        worker.ask(HEAVY, ("json", "ttl"), timeout=1)
    assert time.monotonic() - begun < 10
    assert worker.ask("ASK { ?s a kg:Paper }", ("json", "ttl"), timeout=60)[0] == "ask"
    with pytest.raises(QueryError, match="SERVICE"):
        worker.ask("SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }", ("json", "ttl"), timeout=60)
    worker.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory is read from /proc")
def test_a_worker_that_grows_too_large_ends(windy: Path) -> None:
    worker = Worker(windy, memory_mb=150)
    with pytest.raises(query.Stopped, match="memory"):
        worker.ask("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?a ?e ?i", ("json", "ttl"), timeout=100)
    worker.stop()


def test_the_command(windy: Path, tmp_path: Path) -> None:
    file = tmp_path / "q.rq"
    file.write_text("SELECT ?label { ?d a kg:Dataset ; skos:prefLabel ?label }", encoding="utf-8")
    assert command(windy, str(file)) == "label\r\nWindBench\r\n" or command(windy, str(file)) == "label\nWindBench\n"
    assert command(windy, "-f", "table", "top", "--type", "datasets") == "name       papers\n---------  ------\nWindBench  1\n1 row\n"
    assert json.loads(command(windy, "-f", "json", "-e", "ASK { }"))["boolean"] is True
    assert "papers-on --dataset ENTITY [--model ENTITY]" in command(windy, "--list")
    assert "<https://w3id.org/kg/entity/windbench>" in command(windy, "--show", "papers-on", "--dataset=WindBench")
    result = CliRunner().invoke(main, ["query", "--in", str(windy), "nothing"])
    assert result.exit_code == 1
    assert "neither a named query nor a file" in result.output


def test_a_file_in_the_same_form_is_a_named_query(tmp_path: Path) -> None:
    path = tmp_path / "mine.rq"
    path.write_text("# What I ask.\n# @of entity, optional: of what\nSELECT * { ?s ?p ?o }\n", encoding="utf-8")
    assert read(path) == Named("mine", "What I ask.", (Parameter("of", "entity", True, "of what"),), path.read_text(encoding="utf-8"))
