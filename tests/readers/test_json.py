"""JSON in every arrangement, and what a broken record costs: itself."""

import gzip
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import Paper, Unread
from kg.readers import json_cut, json_stream, limits, read
from kg.readers.json_stream import first, parse

KITES = {"id": "k", "title": "Kites That Learn", "abstract": "We train kites."}
STRINGS = {"id": "s", "title": 'Strings "That" [Forget] {Knots}', "abstract": "We let strings forget \\ their knots."}


def titles(data: bytes, **options: Any) -> list[str]:
    """Titles of the papers; a refused record as its place and reason."""
    items = read(["-"], stdin=BytesIO(data), **options)
    return [item.title or item.abstract if isinstance(item, Paper) else f"{item.record}: {item.reason}" for item in items]


def both(*parts: str) -> bytes:
    return "".join(parts).encode()


A, B = json.dumps(KITES), json.dumps(STRINGS)
PRETTY = json.dumps([KITES, STRINGS], indent=2)


@pytest.mark.parametrize(
    "data",
    [
        both(A, "\n", B, "\n"),
        both(A, "\r\n\r\n", B),
        both("\ufeff", A, "\n", B),
        both("[", A, ",", B, "]"),
        both(PRETTY),
        both(json.dumps(KITES, indent=1), "\n", json.dumps(STRINGS, indent=1)),
        both(A, B),
        both('{"results": [', A, ",", B, '], "meta": {"title": [{}]}}'),
        both('{"meta": {"count": 2, "results": [1]},\n "results": [', A, ",\n", B, "]}"),
        both('{"status": "ok", "message": {"items": [', A, ",", B, "]}}"),
        both('{"results": [', A, "]}\n", '{"results": [', B, "]}\n"),
        json.dumps({"a": KITES, "b": STRINGS}).encode(),
        both(A, "\n", B).decode().encode("utf-16"),
        gzip.compress(both(A, "\n", B)),
    ],
    ids=lambda data: repr(data[:24]),
)
def test_every_arrangement_gives_the_same_papers(data: bytes) -> None:
    assert titles(data) == [KITES["title"], STRINGS["title"]]


def test_one_object_is_one_paper() -> None:
    assert titles(A.encode()) == titles(json.dumps(KITES, indent=4).encode()) == [KITES["title"]]


BARE = "a bare string, not a JSON object"


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b'"We fly kites."', [f"1: {BARE}"]),
        (b'["We fly kites.", "We cut strings."]', [f"1: {BARE}", f"2: {BARE}"]),
        (A.encode() + b'\n"We fly kites."\n' + B.encode(), [KITES["title"], f"2: {BARE}", STRINGS["title"]]),
        (b"[" + A.encode() + b', "We fly kites."]', [KITES["title"], f"2: {BARE}"]),
        (b'{"results": [' + A.encode() + b', "We fly kites."]}', [KITES["title"], f"2: {BARE}"]),
    ],
)
def test_a_bare_string_is_no_paper(data: bytes, found: list[str]) -> None:
    assert titles(data) == found


def test_files_put_one_behind_the_other_lose_no_record() -> None:
    both_titles = [KITES["title"], STRINGS["title"]]
    assert titles(both(A, "\n\ufeff", B, "\n")) == both_titles
    assert titles(both(A, "\n", A, "\ufeff", B, "\n", B)) == [KITES["title"], *both_titles, STRINGS["title"]]
    assert titles(both(A, "\n", A, B, "\n", B)) == [KITES["title"], *both_titles, STRINGS["title"]]
    assert titles(both("[", A, "]\ufeff[", B, "]")) == both_titles
    assert titles(both(A, "\n", "\ufeff" * 100_000, B)) == both_titles
    assert [line.partition(":")[0] for line in titles(both(A, "\n", A, '{"title": "Cut', "\n", B))] == [KITES["title"], "2", STRINGS["title"]]


def test_a_broken_line_costs_itself() -> None:
    data = both(A, "\n", '{"title": "Cut', "\n", B, "\n", "null\n[1]\n")
    assert [line.split(":")[0] for line in titles(data)] == [KITES["title"], "2", STRINGS["title"], "4", "5"]


def test_a_broken_first_line_does_not_change_the_arrangement() -> None:
    found = titles(both('{"title": "Broken", oops}', "\n", A, "\n", B))
    assert found[1:] == [KITES["title"], STRINGS["title"]]
    assert found[0].startswith("1: not JSON")


def test_a_broken_record_in_an_array_costs_itself() -> None:
    found = titles(both("[\n", A, ",\n", '{"title": "Cut, "abstract": 1},', "\n", B, ",\n", "7,\n", A, "\n]"))
    assert [found[0], found[2], found[4]] == [KITES["title"], STRINGS["title"], KITES["title"]]
    assert found[1].startswith("2: not JSON")
    assert found[3] == "4: not a JSON object"


def test_a_string_that_never_ends_costs_the_lines_to_the_next_record() -> None:
    found = titles(both("[\n", '  {"title": "No end,\n', '   "abstract": "x"},\n', "  ", A, ",\n  ", B, "\n]"))
    assert found[1:] == [KITES["title"], STRINGS["title"]]
    assert found[0] == "1: not JSON: a string does not end on its line"


def test_a_file_that_is_cut_off_says_so() -> None:
    assert titles(both("[", A, ", ", B[:30])) == [KITES["title"], "2: the record does not end (truncated file)"]


def test_what_pandas_and_twitter_write_is_read() -> None:
    assert titles(b'{"title": "Kites", "year": NaN, "abstract": "We fly\there \\ud83d on."}') == ["Kites"]
    (paper,) = read(["-"], stdin=BytesIO(b'{"title": "Kites", "abstract": "We fly \\ud83d on."}'))
    assert isinstance(paper, Paper)
    assert paper.abstract == "We fly \ufffd on."


@pytest.mark.parametrize("brackets", ["[" * 100_000, '{"a":' * 100_000, '[{"title": ' + "[" * 100_000])
def test_brackets_without_end_are_one_refused_record(brackets: str) -> None:
    (found,) = titles(brackets.encode())
    assert found.startswith(("1: brackets nested", "1: not JSON", "1: the record does not end"))


def test_deep_brackets_in_a_line_cost_that_line() -> None:
    deep = '{"title": "Deep", "x": ' + "[" * 100_000 + "]" * 100_000 + "}"
    found = titles(both(A, "\n", deep, "\n", B))
    assert [found[0], found[2]] == [KITES["title"], STRINGS["title"]]
    assert found[1].startswith("2: ")


def test_a_line_that_is_too_long_costs_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "LINE", 1000)
    found = titles(both(A, "\n", json.dumps({"title": "Long", "abstract": "x " * 5000}), "\n", B))
    assert [found[0], found[2]] == [KITES["title"], STRINGS["title"]]
    assert "a line of more than" in found[1]


def test_a_record_that_is_too_large_costs_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_cut, "RECORD", 5000)
    monkeypatch.setattr(json_cut, "CHUNK", 500)
    large = json.dumps({"title": "Large", "abstract": ["x"] * 5000})
    found = titles(both("[\n", A, ",\n", large, ",\n", B, "\n]"))
    assert [found[0], found[2]] == [KITES["title"], STRINGS["title"]]
    assert "a record of more than" in found[1]


def test_bytes_of_another_encoding_in_a_utf8_line_are_named() -> None:
    data = both(A, "\n", '{"title": "Grüße aus Köln", "abstract": "ü"}\n') + b'{"title": "caf\xe9"}\n' + B.encode()
    assert titles(data) == [KITES["title"], "Grüße aus Köln", "3: not UTF-8: byte 0xe9 at 14", STRINGS["title"]]


def test_records_without_text_are_refused_and_titles_alone_kept() -> None:
    data = b'{"id": "1"}\n{"title": "Only a title"}\n{"title": null, "abstract": "  "}\n'
    data += b'{"abstract": "Only an abstract."}\n{"title": "N/A", "abstract": "No abstract available."}'
    refused = "neither a title nor an abstract"
    assert titles(data) == [f"1: {refused}", "Only a title", f"3: {refused}", "Only an abstract.", f"5: {refused}"]


def test_strict_stops_at_the_first() -> None:
    from kg.errors import InputError

    with pytest.raises(InputError, match="record 2: not JSON"):
        titles(both(A, "\n{\n", B), strict=True)


def test_memory_stays_that_of_a_record(tmp_path: Path) -> None:
    import tracemalloc

    record = json.dumps({"title": "Kites", "abstract": "We fly kites. " * 1000})
    lines, array = tmp_path / "a.jsonl", tmp_path / "a.json"
    lines.write_text((record + "\n") * 2_000, encoding="utf-8")
    array.write_text("[" + ",".join([record] * 2_000) + "]", encoding="utf-8")
    for path in (lines, array):
        tracemalloc.start()
        assert sum(1 for _ in read([path])) == 2_000
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert path.stat().st_size > 28_000_000
        assert peak < 8_000_000


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
records = st.lists(st.dictionaries(st.text(max_size=6).map("x".__add__), values, max_size=4), min_size=1, max_size=5)


@settings(max_examples=25, deadline=None)
@given(records, st.sampled_from([None, 0, 2]), st.booleans(), st.sampled_from([3, 17, 262_144]))
def test_the_cutter_finds_the_records_that_a_parser_finds(rows: list[dict[str, Any]], indent: int | None, ascii_only: bool, chunk: int) -> None:
    from kg.readers.base import Fault, Input

    rows = [{"title": "t", **row} for row in rows]
    data = json.dumps(rows, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    before = json_cut.CHUNK
    json_cut.CHUNK = chunk
    try:
        from io import BufferedReader

        found = list(json_stream.objects(Input("", "", BufferedReader(BytesIO(data)), data[: limits.HEAD])))
    finally:
        json_cut.CHUNK = before
    assert [item[1] for item in found if not isinstance(item, Fault)] == rows
    assert len(found) == len(rows)


STARTS = [
    b"",
    b"{",
    b"[",
    b'[{"title": "a"},',
    b"<feed>",
    b"@article{",
    b"TY  - JOUR\n",
    b"title,abstract\n",
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"%PDF-",
    b"PAR1",
]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(STARTS), st.binary(max_size=300))
def test_any_bytes_are_read_or_refused_never_raised(start: bytes, data: bytes) -> None:
    assert all(isinstance(item, Paper | Unread) for item in read(["-"], stdin=BytesIO(start + data)))


def test_parse_says_where() -> None:
    with pytest.raises(ValueError, match="not JSON"):
        parse(b"{oops}")
    assert first(b"no json") is None


@pytest.mark.parametrize(
    ("before", "large", "after", "found"),
    [
        ("[", '{{"title": "{}"}}', "]", [KITES["title"], "2: a record of more than 0 MiB", STRINGS["title"]]),
        ("[", '{{"x": {{"y": ["{}"]}}}}', "]", [KITES["title"], "2: a record of more than 0 MiB", STRINGS["title"]]),
        ("[", '"{}"', "]", [KITES["title"], "2: a record of more than 0 MiB", STRINGS["title"]]),
        ("", '\n{{"title":\n"{}"}}\n', "", [KITES["title"], "2: a record of more than 0 MiB", STRINGS["title"]]),
        ("", '\n{{"x":\n"{}"}}\n', "", [KITES["title"], "2: a record of more than 0 MiB", STRINGS["title"]]),
    ],
)
def test_a_value_beyond_the_bound_is_passed_over(before: str, large: str, after: str, found: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_cut, "RECORD", 5000)
    monkeypatch.setattr(json_cut, "CHUNK", 500)
    comma = "," if before else ""
    for filling in ("x" * 20_000, 'x\\"{[' * 5_000, "\\\\" * 10_000):
        assert titles(both(before, json.dumps(KITES, indent=1), comma, large.format(filling), comma, json.dumps(STRINGS, indent=1), after)) == found


def test_a_page_may_say_more_about_itself_than_a_record_may_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_cut, "RECORD", 5000)
    monkeypatch.setattr(json_cut, "CHUNK", 500)
    long = json.dumps(["x {" * 10_000] * 3)
    assert titles(both('{"meta": ', long, ', "results": [', A, ",", B, '], "more": ', long, "}")) == [KITES["title"], STRINGS["title"]]
