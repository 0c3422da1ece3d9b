"""Whatever the text, the three stages answer; their spans are sentences and their indexes are entities."""

from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import EntityType, Found, Mention, Paper, Span
from kg.relations import assign_roles, relate
from kg.results import read_results
from kg.text import read_text

PIECES = st.sampled_from(
    [
        "KiteNet",
        "3.2%",
        "from 58% to 67%",
        "O(n",
        "O(n log n)",
        "(1)",
        "accuracy",
        "of",
        "on",
        ".",
        " ",
        "\n",
        "±",
        "1/2",
        "5-5.5×",
        "twice",
        "and",
        ",",
        "é",
        "𝒪(",
        "²",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, max_size=40), st.lists(st.tuples(st.integers(0, 80), st.integers(1, 12)), max_size=6))
def test_no_text_breaks_them(pieces, spans):
    text = read_text(Paper("p", "KiteNet: 7 kites", " ".join(pieces), ()))
    kinds = list(EntityType)
    entities = tuple(
        Found(text.clean[a : a + n], kinds[k % 5], (Mention(Span(a, a + n), text.clean[a : a + n], kinds[k % 5], "t", 1.0),), 1.0, "t")
        for k, (a, n) in enumerate(spans)
        if a + n <= len(text.clean)
    )
    found = assign_roles(text, entities)
    related = relate(text, found)
    results = read_results(text, found, related)
    assert len(found) == len(entities)
    assert all(r.span in text.sentences for r in (*related, *results))
    assert all(r.value == r.value.strip() and r.value in text.clean for r in results)
    assert all(i is None or i < len(found) for r in results for i in (r.subject, r.metric, r.dataset, r.comparator))
