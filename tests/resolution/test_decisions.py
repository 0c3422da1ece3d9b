"""What the user decides holds in every later build, and is gone when the line is gone."""

from pathlib import Path

import pytest

from kg.errors import OntologyError
from kg.resolve.decisions import HEADER, Decision, append, load
from kg.show import entity_card
from tests.resolution.found import CATALOGUE, Row, build, dump, ids

ONE = [Row("a", "ZorbNet", "Model"), Row("b", "Zorb-Net", "Model"), Row("c", "Okapi")]


def test_same_joins_and_different_parts() -> None:
    assert len(ids(build(ONE))) == 2
    assert len(ids(build(ONE, [Decision("same", "ZorbNet", "Okapi")]))) == 1
    assert len(ids(build(ONE, [Decision("different", "ZorbNet", "Zorb-Net")]))) == 3


def test_different_keeps_two_expansions_apart() -> None:
    rows = [Row("a", "GZN", "Model", "graph zorb network"), Row("b", "GZN", "Model", "Graph Zorbing Network")]
    assert len(ids(build(rows))) == 1
    assert len(ids(build(rows, [Decision("different", "graph zorb network", "Graph Zorbing Network")]))) == 2


def test_different_parts_what_one_paper_joined_and_is_taken_back() -> None:
    rows = [Row("a", "FoZS", "Method", "Flow of Zorbs", ("FoZS", "Flow of Zorbs")), Row("b", "Flow of Zorbs")]
    before = build(rows)
    plain = dump(before)
    parted = build(rows, [Decision("different", "FoZS", "Flow of Zorbs")])
    assert {frozenset(names) for names in ids(parted).values()} == {frozenset({"FoZS"}), frozenset({"Flow of Zorbs"})}
    assert parted.execute("SELECT count(*) FROM links").fetchall() == [(3,)]
    from kg.resolve import across

    across.resolve(parted, catalogue=CATALOGUE)
    assert {name: rows for name, rows in dump(parted).items() if name != "entities"} == {n: r for n, r in plain.items() if n != "entities"}


def test_wrong_link_type_role_and_relation() -> None:
    rows = [Row("a", "ZorbNet", "Model"), Row("b", "ZorbNet", "Model"), Row("a", "Okapi", "Dataset")]
    decisions = [
        Decision("wrong-link", "ZorbNet", paper="b"),
        Decision("type", "ZorbNet", value="Method"),
        Decision("role", "Okapi", value="evaluated", paper="a"),
        Decision("relation", "ZorbNet", "Okapi", "evaluatedOn", "a"),
        Decision("link", "Okapi", value="compared", paper="b"),
    ]
    connection = build(rows, decisions)
    links = connection.execute("SELECT paper, entity, role FROM links ORDER BY ALL").fetchall()
    assert links == [("a", "okapi", "evaluated"), ("a", "zorbnet", "used"), ("b", "okapi", "compared")]
    assert connection.execute("SELECT type FROM entities WHERE entity = 'zorbnet'").fetchall() == [("Method",)]
    assert connection.execute("SELECT head, relation, tail, paper FROM relations").fetchall() == [("zorbnet", "evaluatedOn", "okapi", "a")]
    build(rows, connection=connection)
    assert connection.execute("SELECT count(*) FROM links").fetchall() == [(3,)]


def test_wrong_link_in_all_papers_takes_the_entity_away() -> None:
    connection = build(ONE, [Decision("wrong-link", "Okapi")])
    assert connection.execute("SELECT entity FROM entities").fetchall() == [("zorbnet",)]


def test_a_card_gives_the_line_that_undoes_a_merge() -> None:
    merges = entity_card(build(ONE), "zorbnet")["merges"]
    assert [row["reason"] for row in merges] == ["same letters"]
    verdict, first, second = merges[0]["undo"].split("\t")
    assert len(ids(build(ONE, [Decision(verdict, first, second)]))) == 3


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("sane\tA\tB", "no decision"),
        ("same\tA", "b is missing"),
        ("type\tA\t\tGadget", "no value"),
        ("role\tA\t\tused", "paper is missing"),
        ("same\tA\tA", "twice"),
        ("same\tA\tB\t\t\t\tmore", "at most"),
    ],
)
def test_a_line_that_does_not_hold_together_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    file = tmp_path / "decisions.tsv"
    file.write_text(HEADER + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(OntologyError, match=complaint) as caught:
        load(file)
    assert f"{file}:2" in str(caught.value)


def test_the_file_is_written_once_and_refuses_contradictions(tmp_path: Path) -> None:
    file = tmp_path / "decisions.tsv"
    assert append(file, Decision("same", "A", "B", note="seen\tin a talk"))
    assert not append(file, Decision("same", "A", "B", note="seen in a talk"))
    with pytest.raises(OntologyError, match="both"):
        append(file, Decision("different", "B", "A"))
    assert load(file) == (Decision("same", "A", "B", note="seen in a talk"),)
    assert load(tmp_path / "none.tsv") == ()
