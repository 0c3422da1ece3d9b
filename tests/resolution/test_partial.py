"""Resolving the part that a change can reach gives what resolving the whole gives."""

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg import tables
from kg.resolve import kin
from kg.tables import partial
from kg.tables.derive import derive
from kg.tables.schema import RESOLVED
from tests.resolution.found import CATALOGUE, Row, build

NAMES = (
    ("LOOM", "Method", ""), ("LOOM", "Method", "layered objective of mixtures"), ("LOOM", "Model", "Layered Objectives of Mixture"),
    ("LOOM", "Dataset", "list of odd moths"), ("loom", "Task", ""), ("Loom", "Model", ""), ("LOOMs", "Method", ""),
    ("layered objective of mixtures", "Method", ""), ("moth LOOM", "Method", "moth layered LOOMs"), ("OkapiNet-50", "Model", ""),
    ("OkapiNet-7B", "Model", ""), ("OkapiNet-7B-Instruct", "Model", ""), ("okapinet model", "Model", ""), ("Gnu-7B", "Model", ""),
    ("Gnu-13B", "Model", ""), ("GNU", "Metric", ""), ("GSM8K", "Dataset", ""), ("GSM8K benchmark", "Dataset", ""), ("gsm-8k", "Method", ""),
    ("WindBench", "Dataset", ""), ("WindBench dataset", "Dataset", ""), ("WindBench-v2", "Dataset", ""), ("C++", "Method", ""),
    ("C", "Method", ""), ("C#", "Task", ""), ("PGM", "Method", ""), ("PGM", "Method", "probabilistic graphical models"),
    ("PGM", "Model", "partition generative model"), ("probabilistic graphical model", "Method", ""), ("β-VAE", "Model", ""),
    ("beta-VAE", "Method", ""),
)  # fmt: skip
"""(name, type, expansion): names that resolution joins, parts or puts into families, by each of its rules."""

named = st.lists(st.integers(0, len(NAMES) - 1), max_size=4, unique=True)
corpora = st.dictionaries(st.sampled_from([f"p{n}" for n in range(14)]), named, max_size=14)


def rows(corpus: Mapping[str, Sequence[int]]) -> list[Row]:
    return [Row(paper, NAMES[n][0], NAMES[n][1], NAMES[n][2]) for paper, numbers in sorted(corpus.items()) for n in numbers]


def whole(corpus: Mapping[str, Sequence[int]], connection: duckdb.DuckDBPyConnection | None = None) -> duckdb.DuckDBPyConnection:
    connection = build(rows(corpus), connection=connection)
    kin.fill(connection)
    derive(connection, min_cooccurrences=2)
    return connection


def said(connection: duckdb.DuckDBPyConnection) -> dict[str, list[Any]]:
    names = [table for table in RESOLVED if table != "redirects"]
    found = {table: sorted(map(repr, connection.execute(f"SELECT * FROM {table}").fetchall())) for table in names}
    return found | {"labels": connection.execute("SELECT paper, label FROM papers ORDER BY ALL").fetchall()}


def put(connection: duckdb.DuckDBPyConnection, before: Mapping[str, Sequence[int]], after: Mapping[str, Sequence[int]]) -> None:
    """Bring the found layer to `after`, with the papers that differ marked as changed."""
    changed = sorted(paper for paper in before.keys() | after.keys() if before.get(paper) != after.get(paper))
    fresh = build(rows(after))
    for table in ("papers", "sentences", "found", "found_surfaces", "mentions"):
        connection.execute(f"DELETE FROM {table} WHERE paper IN (SELECT unnest(?::VARCHAR[]))", [changed])
        columns = fresh.execute(f"SELECT * FROM {table} WHERE paper IN (SELECT unnest(?::VARCHAR[])) ORDER BY ALL", [changed]).fetchall()
        tables.insert(connection, table, columns)
    connection.execute("UPDATE papers SET label = '' WHERE paper IN (SELECT unnest(?::VARCHAR[]))", [changed])
    tables.insert(connection, "changed", [(paper,) for paper in changed])


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=corpora, after=corpora)
def test_a_part_gives_what_the_whole_gives(before: dict[str, list[int]], after: dict[str, list[int]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partial, "LARGEST_SHARE", 0)
    connection = whole(before)
    put(connection, before, after)
    untouched = said(connection)
    done = partial.renew(connection, catalogue=CATALOGUE, min_cooccurrences=2)
    assert said(connection) == (said(whole(after)) if done else untouched)


def test_what_a_change_cannot_reach_is_left_alone() -> None:
    before = {f"p{n}": [n % 3] for n in range(9)} | {f"q{n}": [19, 20] for n in range(40)}
    after = before | {"p0": [3]}
    connection = whole(before)
    put(connection, before, after)
    assert partial.renew(connection, catalogue=CATALOGUE, min_cooccurrences=2)
    held = {entity for (entity,) in connection.execute("SELECT entity FROM held").fetchall()}
    assert "windbench" not in held
    assert any(entity.startswith("loom") for entity in held)
    assert said(connection) == said(whole(after))


def test_a_change_that_reaches_most_of_a_build_takes_the_whole_resolution() -> None:
    before = {f"p{n}": [0] for n in range(9)}
    connection = whole(before)
    kept = said(connection)
    put(connection, before, before | {"p0": [0, 3]})
    assert not partial.renew(connection, catalogue=CATALOGUE, min_cooccurrences=2)
    assert {t: v for t, v in said(connection).items() if t not in ("labels",)} == {t: v for t, v in kept.items() if t not in ("labels",)}


def test_an_entity_that_goes_leaves_a_redirect() -> None:
    before = {"p0": [13], "p1": [14], **{f"q{n}": [19] for n in range(40)}}
    after = {"p1": [14], **{f"q{n}": [19] for n in range(40)}}
    connection = whole(before)
    put(connection, before, after)
    assert partial.renew(connection, catalogue=CATALOGUE, min_cooccurrences=2)
    assert (
        connection.execute("SELECT entity FROM entities ORDER BY entity").fetchall()
        == whole(after).execute("SELECT entity FROM entities ORDER BY entity").fetchall()
    )
