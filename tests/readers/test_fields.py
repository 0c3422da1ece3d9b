"""Loose values of all sorts become tidy fields."""

from typing import Any

import pytest

from kg.model import Paper, Unread
from kg.readers.base import Record
from kg.readers.fields import abstract, mended, paper, people, year


def made(**fields: Any) -> Paper:
    result = paper("a.jsonl", "a.jsonl", Record("1", fields))  # type: ignore[arg-type]
    assert isinstance(result, Paper)
    return result


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Abstract: We fly.", "We fly."),
        ("ABSTRACT—We fly.", "We fly."),
        ("**Abstract**\nWe fly.", "We fly."),
        ("<p>Abstract</p>We fly.", "We fly."),
        ("Summary. We fly.", "We fly."),
        ("Kites That Learn\nWe fly.", "We fly."),
        ("Kites That Learn. Abstract: We fly.", "We fly."),
        ("Kites That Learn to fly are rare.", "Kites That Learn to fly are rare."),
        ("Abstraction is hard.", "Abstraction is hard."),
        ("Summary statistics are hard.", "Summary statistics are hard."),
        ("None", ""),
        ("[No abstract available]", ""),
        ("N/A", ""),
        (None, ""),
        (["We fly.", "Again."], "We fly."),
    ],
)
def test_abstracts(written: Any, read: str) -> None:
    assert abstract(written, "Kites That Learn") == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Ada Quill, Bo Marsh and Cy Tarn", ("Ada Quill", "Bo Marsh", "Cy Tarn")),
        ("Quill, Ada", ("Ada Quill",)),
        ("Quill, Ada and Marsh, Bo", ("Ada Quill", "Bo Marsh")),
        ("Ada Quill; Bo Marsh;", ("Ada Quill", "Bo Marsh")),
        ([{"name": "Ada Quill"}, None, {"first": "Bo", "middle": ["X."], "last": "Marsh"}, "Ada Quill"], ("Ada Quill", "Bo X. Marsh")),
        ({"value": ["Ada Quill"]}, ("Ada Quill",)),
        (["Kites, Inc."], ("Kites, Inc.",)),
        (7, ()),
        (None, ()),
    ],
)
def test_people(written: Any, read: tuple[str, ...]) -> None:
    assert people(written) == read


def test_years() -> None:
    assert [year(value) for value in (2031, "2031-02-03", "c2031", "03/02/2031", [[2031, 2]], 7, "soon", None, True)] == [
        2031,
        2031,
        2031,
        2031,
        None,
        None,
        None,
        None,
        None,
    ] or (year([[2031, 2]]) == 2031)


def test_ids_are_found_in_links() -> None:
    assert made(title="K", url="https://arxiv.org/abs/3101.00001v2").id == "arxiv:3101.00001"
    assert made(title="K", url="https://openreview.net/forum?id=kItE00001a").id == "openreview:kItE00001a"
    assert made(title="K", url="https://aclanthology.org/2031.kite-main.1/").id == "acl:2031.kite-main.1"
    assert made(title="K", doi="10.48550/arXiv.3101.00001").id == "arxiv:3101.00001"
    assert made(title="K", id="7").id == "a.jsonl#7"
    assert made(title="K", id="x" * 1000).id == made(title="K", id="x" * 1000).id
    assert len(made(title="K", id="x" * 1000).id) < 320


def test_control_characters_do_not_reach_one_line_fields() -> None:
    one = made(title="Ki\x00tes\n That", authors=["Ada\tQuill"], venue="J.\r\n of &amp; Kites", abstract="We\x00 fly.")
    assert (one.title, one.authors, one.venue) == ("Ki tes That", ("Ada Quill",), "J. of & Kites")


def test_code_links_are_found() -> None:
    one = made(abstract="Code: https://github.com/invented/kite-net. Page: https://example.org/x", code=["https://gitlab.com/a/b"])
    assert one.code == ("https://gitlab.com/a/b", "https://github.com/invented/kite-net")


def test_bytes_that_are_no_text_are_refused() -> None:
    result = paper("a", "a", Record("3", {"title": "caf\udce9"}))
    assert isinstance(result, Unread)
    assert result.reason == "not UTF-8: byte 0xe9 in the text"


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_texts_that_were_decoded_wrongly_are_mended(encoding: str) -> None:
    def wrong(text: str) -> str:
        return text.encode().decode(encoding)

    one = made(title=wrong("Naïve kites"), abstract=wrong("We fly — “high."), authors=[wrong("Zoë Quill"), "Bo Märsh"], keywords=[wrong("café")])
    assert (one.title, one.abstract, one.authors, one.keywords) == ("Naïve kites", "We fly — “high.", ("Zoë Quill", "Bo Märsh"), ("café",))
    # The text is no longer that of the file.
    assert made(abstract=wrong("We fly — high."), offset=7).places[0].offset is None
    assert made(abstract="We fly — high.", offset=7).places[0].offset == 7


def test_blanks_around_names_are_no_part_of_them() -> None:
    assert made(title="K", authors=["Ada Quill", " Bo Marsh ", "Bo Marsh"]).authors == ("Ada Quill", "Bo Marsh")


@pytest.mark.parametrize("text", ["SÃO PAULO", "Écrit « à » l’été…", "naïve – déjà vu", "Â 5 °C", "Ñandú”", "ΑΒΓ é€", "Şîñ¦"])
def test_what_is_written_rightly_stays(text: str) -> None:
    assert mended(text) == text
