import pyoxigraph
import pytest

from kg.errors import QueryError
from kg.query import respond
from kg.query.check import check
from kg.rdf import prefixes

FORMS = {
    "SELECT ?s { ?s ?p ?o }": "select",
    "ask { ?s a kg:Paper }": "ask",
    "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }": "construct",
    "PREFIX a: <http://a/service#> DESCRIBE a:b": "describe",
    'SELECT ?s { ?s ?p \'SERVICE <http://a/> { }\', """from " service""" } # SERVICE <http://a/>': "select",
    "SELECT ?service ?from { ?service kg:from ?from . FILTER (?service < ?from && ?from > 1) }": "select",
    "SELECT * { ?r rdf:reifies <<( ?s ?p ?o )>> }": "select",
}
REFUSED = {
    "SELECT * { SERVICE <http://a/> { ?s ?p ?o } }": "SERVICE",
    "SELECT * { service silent <http://a/> { ?s ?p ?o } }": "SERVICE",
    "SELECT * { { SELECT * { OPTIONAL { SERVICE ?x { ?s ?p ?o } } } } }": "SERVICE",
    "SELECT * { FILTER EXISTS { SERVICE <http://a/> { ?s ?p ?o } } }": "SERVICE",
    "SELECT * { \\u0053ERVICE <http://a/> { ?s ?p ?o } }": "SERVICE",
    "SELECT * { ?s ?p ?o FILTER(?s <?p || '#' = \"'\") SERVICE <http://a/> { ?a ?b ?c } }": "SERVICE",
    "SELECT * { ?r rdf:reifies <<( ?s ?p ?o )>> . SERVICE <http://a/> { } }": "SERVICE",
    "SELECT * FROM <http://a/> { ?s ?p ?o }": "FROM",
    "CONSTRUCT { ?s ?p ?o } FROM NAMED <http://a/> WHERE { ?s ?p ?o }": "FROM",
    "INSERT DATA { <a:a> <a:b> <a:c> }": "INSERT",
    "DELETE WHERE { ?s ?p ?o }": "DELETE",
    "PREFIX a: <http://a/> LOAD <http://a/b>": "LOAD",
    "CLEAR ALL": "CLEAR",
    "DROP ALL": "DROP",
    "": "",
}


@pytest.mark.parametrize("query", FORMS)
def test_what_only_reads_this_graph_may_run(query: str) -> None:
    assert check(query, prefixes()) == FORMS[query]


@pytest.mark.parametrize("query", REFUSED)
def test_what_writes_or_asks_elsewhere_may_not(query: str) -> None:
    with pytest.raises(QueryError) as error:
        check(query, prefixes())
    assert REFUSED[query] in error.value.message


def test_a_mistake_is_shown_with_its_line() -> None:
    with pytest.raises(QueryError) as error:
        check("SELECT ?s {\n  ?s ?p }", prefixes())
    assert error.value.message.startswith("line 2: ")
    assert error.value.message.endswith("    ?s ?p }\n           ^")


def test_a_missing_prefix_is_named_as_such() -> None:
    with pytest.raises(QueryError, match="line 2: the prefix no: is not declared"):
        respond(pyoxigraph.Store(), "SELECT ?s {\n  ?s no:p ?o }", ("json", "ttl"))
