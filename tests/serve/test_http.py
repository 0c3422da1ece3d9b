import http.client
import json
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.serve import Limits, Server
from kg.serve.accept import best

HEAVY = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


@pytest.fixture(scope="module")
def server(windy: Path) -> Iterator[Server]:
    made = Server(windy, port=0, limits=Limits(seconds=20, rows=150))
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.close()


def get(server: Server, path: str, accept: str = "", **headers: str) -> tuple[int, str, bytes]:
    return send(server, "GET", path, None, headers | ({"Accept": accept} if accept else {}))


def send(server: Server, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> tuple[int, str, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=60)
    connection.request(method, path, body, headers or {})
    response = connection.getresponse()
    found = response.status, response.headers.get("Content-Type", ""), response.read()
    connection.close()
    return found


def ask(server: Server, query: str, accept: str = "") -> tuple[int, str, bytes]:
    return get(server, "/sparql?" + urllib.parse.urlencode({"query": query}), accept)


def test_the_three_ways_of_the_protocol(server: Server) -> None:
    query = "SELECT ?label { ?d a kg:Dataset ; skos:prefLabel ?label }"
    by_get = ask(server, query)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    by_form = send(server, "POST", "/sparql", urllib.parse.urlencode({"query": query, "output": "whatever"}).encode(), form)
    by_body = send(server, "POST", "/sparql", query.encode(), {"Content-Type": "application/sparql-query"})
    assert by_get == by_form == by_body
    assert by_get[:2] == (200, "application/sparql-results+json")
    assert json.loads(by_get[2])["results"]["bindings"] == [{"label": {"type": "literal", "value": "WindBench"}}]


def test_content_negotiation(server: Server) -> None:
    select, graph = "SELECT ?n { e:windbench kg:paperCount ?n }", "CONSTRUCT WHERE { e:windbench kg:paperCount ?n }"
    assert ask(server, select, "text/csv")[1:] == ("text/csv; charset=utf-8", b"n\r\n1\r\n")
    assert ask(server, select, "text/html, application/sparql-results+xml;q=0.5")[1] == "application/sparql-results+xml"
    assert ask(server, graph)[1] == "text/turtle; charset=utf-8"
    assert ask(server, graph, "application/n-triples")[1] == "application/n-triples"
    assert ask(server, select, "image/png")[0] == 406


def test_what_is_refused(server: Server) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert send(server, "POST", "/sparql", b"update=CLEAR+ALL", form)[0] == 403
    assert send(server, "POST", "/sparql", b"CLEAR ALL", {"Content-Type": "application/sparql-update"})[0] == 403
    for query in (
        "CLEAR ALL",
        "LOAD <http://127.0.0.1/>",
        "SELECT * { SERVICE <http://127.0.0.1/> { } }",
        "SELECT * FROM <a:b> { ?s ?p ?o }",
        "SELECT",
    ):
        assert ask(server, query)[0] == 400, query
    assert get(server, "/sparql?query=ASK+%7B%7D&default-graph-uri=http%3A%2F%2Fa")[0] == 400
    assert get(server, "/sparql?query=ASK+%7B%7D&query=ASK+%7B%7D")[0] == 400
    assert send(server, "POST", "/sparql", b"ASK {}", {"Content-Type": "text/plain"})[0] == 415
    assert send(server, "POST", "/sparql", b"x" * 1_000_001, {"Content-Type": "application/sparql-query"})[0] == 413
    assert send(server, "POST", "/", b"x", form)[0] == 405
    assert get(server, "/../../etc/passwd")[0] == 404
    assert get(server, "/assets/../server.py")[0] == 404
    status, _, body = ask(server, "SELECT * { ?s ?p ?o }")
    assert status == 400
    assert b"more than 150 rows" in body
    assert ask(server, "ASK { ?s a kg:Paper }")[0] == 200


def test_no_request_leaves_for_another_machine(server: Server) -> None:
    """The engine would make this request: here a listener waits for it in vain."""
    import socket

    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(1)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    for query in (f"SELECT * {{ SERVICE <{address}> {{ ?s ?p ?o }} }}", f"SELECT * FROM <{address}> {{ ?s ?p ?o }}", f"LOAD <{address}>"):
        assert ask(server, query)[0] == 400
    with pytest.raises(TimeoutError):
        listener.accept()
    listener.close()


def test_a_runaway_query_is_stopped_and_the_others_go_on(windy: Path) -> None:
    server = Server(windy, port=0, limits=Limits(seconds=3, workers=2))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        found: list[int] = []
        thread = threading.Thread(target=lambda: found.append(ask(server, HEAVY)[0]))
        thread.start()
        assert get(server, "/")[0] == 200
        thread.join(60)
        assert found == [503]
        for _ in range(20):
            if ask(server, "ASK { ?s a kg:Paper }")[0] == 200:
                break
        else:
            pytest.fail("no answer after the runaway query")
    finally:
        server.close()


def test_pages_and_data_at_the_iris(server: Server) -> None:
    status, media, body = get(server, "/entity/windbench", "text/html,*/*;q=0.8")
    assert (status, media) == (200, "text/html; charset=utf-8")
    assert b"<h1>WindBench</h1>" in body
    assert b'<a href="/paper/p1">KiteNet</a>' in body
    status, media, body = get(server, "/entity/windbench", "text/turtle")
    assert (status, media) == (200, "text/turtle")
    assert b'skos:prefLabel "WindBench"' in body
    assert get(server, "/entity/windbench?format=nt")[1] == "application/n-triples"
    assert b"<h1>Odd</h1>" in get(server, "/paper/doi:10.1%2Fx%20y")[2]
    assert get(server, "/entity/nothing")[0] == 404
    assert get(server, "/entity/nothing?format=ttl")[0] == 404
    assert get(server, "/entity/%3E%20%7D%20SERVICE")[0] == 404
    assert get(server, "/nothing")[0] == 404


def test_hostile_names_are_escaped_on_pages(server: Server) -> None:
    _, _, body = get(server, "/entity/a%20b%2Fc%23d%3Fe%2520%3E%7E%2E")
    assert b"<h1>odd &lt;id&gt;</h1>" in body
    assert b"<id>" not in body


def test_the_service_description(server: Server) -> None:
    import rdflib

    status, media, body = get(server, "/sparql", "text/turtle")
    assert (status, media) == (200, "text/turtle")
    graph = rdflib.Graph().parse(data=body, format="turtle")
    sd = rdflib.Namespace("http://www.w3.org/ns/sparql-service-description#")
    assert graph.value(None, rdflib.RDF.type, sd.Service) == rdflib.URIRef(server.address + "sparql")
    assert b"<textarea" in get(server, "/sparql", "text/html")[2]


def test_cross_origin_requests_and_safe_headers(server: Server) -> None:
    request = urllib.request.Request(server.address + "sparql", method="OPTIONS")
    with urllib.request.urlopen(request, timeout=60) as response:
        assert response.status == 204
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "POST" in response.headers["Access-Control-Allow-Methods"]
    with urllib.request.urlopen(server.address, timeout=60) as response:
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
        assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert server.server_address[0] == "127.0.0.1"
    assert send(server, "HEAD", "/")[::2] == (200, b"")


def test_sparqlwrapper_as_a_client(server: Server) -> None:
    wrapper = pytest.importorskip("SPARQLWrapper")
    client = wrapper.SPARQLWrapper(server.address + "sparql")
    client.setQuery("SELECT ?label { ?d a kg:Dataset ; skos:prefLabel ?label }")
    for form in (wrapper.JSON, wrapper.XML):
        client.setReturnFormat(form)
        client.setMethod(wrapper.POST if form == wrapper.XML else wrapper.GET)
        assert client.query().convert()
    client.setReturnFormat(wrapper.JSON)
    assert client.query().convert()["results"]["bindings"][0]["label"]["value"] == "WindBench"
    client.setQuery("CONSTRUCT WHERE { e:windbench kg:paperCount ?n }")
    client.setReturnFormat(wrapper.RDFXML)
    assert len(client.query().convert()) == 1
    client.setQuery("SELECT nothing")
    with pytest.raises(wrapper.SPARQLExceptions.QueryBadFormed):
        client.query()


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        ("", "b"),
        ("*/*", "b"),
        ("text/a", "a"),
        ("text/*;q=0.3, app/b;q=0.2", "a"),
        ("text/a;q=0, */*", "b"),
        ("text/a;q=x", None),
        ("image/png", None),
    ],
)
def test_accept_headers(accept: str, wanted: str | None) -> None:
    assert best(accept, [("a", "text/a"), ("b", "app/b")], "b") == wanted
