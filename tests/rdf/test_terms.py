import duckdb
import pyoxigraph as ox
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.rdf import terms

TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40)
CONNECTION = duckdb.connect()


def sql(expression: str, value: str) -> str:
    row = CONNECTION.execute(f"SELECT {expression} FROM (SELECT CAST(? AS VARCHAR) AS t)", [value]).fetchone()
    assert row
    return str(row[0])


@settings(deadline=None, max_examples=60)
@given(TEXT.filter(bool))
def test_sql_and_python_make_the_same_local_part(text: str) -> None:
    made = terms.local(text)
    assert sql(terms.sql_local("t"), text) == made
    assert terms.identifier(made) == text
    assert terms.is_iri(terms.BASE + made)


@settings(deadline=None, max_examples=60)
@given(TEXT.filter(bool))
def test_a_local_part_is_a_local_name_of_turtle(text: str) -> None:
    data = f"@prefix p: <http://a/> . p:{terms.local(text)} p:x p:{terms.local(text)}\\#y ."
    (quad,) = ox.parse(data.encode(), ox.RdfFormat.TURTLE)
    assert quad.subject.value == f"http://a/{terms.local(text)}"


@settings(deadline=None, max_examples=60)
@given(TEXT)
def test_a_literal_reads_back_as_its_plain_text(text: str) -> None:
    written = sql(terms.sql_literal("t"), text)
    assert written == terms.literal(text)
    (quad,) = ox.parse(f"<a:a> <a:b> {written} .".encode(), ox.RdfFormat.N_TRIPLES)
    assert quad.object.value == terms.plain(text)


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet=st.characters(max_codepoint=0x2FF, exclude_categories=["Cs"]), max_size=12))
def test_sql_and_python_agree_on_what_is_an_iri(text: str) -> None:
    iri = "http:" + text
    found = sql(terms.sql_iri("t"), iri)
    assert (found == f"<{iri}>") == (terms.is_iri(iri) and bool(text))
