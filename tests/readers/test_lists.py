"""Markdown and HTML lists: nothing that may be a paper is passed over in silence."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import Paper
from kg.readers import limits, read

LONG = "We train kites to fly by themselves, and we do so without any wind tunnel, any string and any patience, "
LONG += "which surprised all who saw the results of it. They also land."


def outcome(text: str, folder: Path, name: str = "list.md") -> list[str]:
    """Titles (or how the abstracts begin) of the papers; of what is not read the reason."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    items = read([path])
    return [(item.title or item.abstract[:20]) if isinstance(item, Paper) else f"- {item.reason}" for item in items]


def test_markdown_items_below_a_category_are_papers(tmp_path: Path) -> None:
    text = "# List\n\n- Flying\n  - [Kites That Learn](https://a.b)\n    - [code](https://c.d)\n  - Far\n    - **Strings That Forget**\n"
    text += "- [Knots That Hold](x)\n  - Ada Quill\n"
    assert outcome(text, tmp_path) == ["Kites That Learn", "Strings That Forget", "Knots That Hold"]


@pytest.mark.parametrize(
    ("piece", "said"),
    [
        ("Some words that may matter.", "a paragraph too short for an abstract, without a title"),
        ("- **BERT**", "a list item too short for a title, without an abstract"),
        ("## Strings That Forget\n\nAda Quill, Bo Marsh and Cy Tarn", "no abstract below the heading 'Strings That Forget'"),
        ("| a | b |\n|---|---|\n| x | y |\n| z | w |", "a table of 2 rows without a column for title or abstract: a, b"),
        ("```\nsome code that may matter\n```", "a block of code holds no papers"),
    ],
)
def test_what_markdown_does_not_give_is_said(piece: str, said: str, tmp_path: Path) -> None:
    assert outcome(f"- **Kites That Learn** {LONG}\n\n{piece}\n", tmp_path) == ["Kites That Learn", f"- {said}"]


@pytest.mark.parametrize(
    "piece", ["[![build](https://a.b/c.svg)](https://a.b)", "- [Papers of 2031](#papers-of-2031)", "<!-- not shown, but long -->", "## 2031", "---"]
)
def test_what_can_be_no_paper_is_passed_over(piece: str, tmp_path: Path) -> None:
    assert outcome(f"{piece}\n\n- **Kites That Learn** {LONG}\n", tmp_path) == ["Kites That Learn"]


def test_html_inside_markdown_is_read(tmp_path: Path) -> None:
    text = "# List\n\n<table><tr><th>Title</th></tr><tr><td>Kites That Learn</td></tr></table>\n\n- [Strings That Forget](x)\n"
    assert outcome(text, tmp_path) == ["Kites That Learn", "Strings That Forget"]


@pytest.mark.parametrize(
    ("piece", "found"),
    [
        (f"<div>{LONG}</div>", [LONG[:20]]),
        (f"<div>We train <b>kites</b>{LONG[14:]}</div>", [LONG[:20]]),
        (f"<div>{LONG}<ul><li>Strings That Forget</li></ul></div>", [LONG[:20], "Strings That Forget"]),
        (f"<button>x</button>{LONG}", [LONG[:20]]),
        (f"<h3>Kites That Learn</h3>Abstract: {LONG}<br>Year: 2031", ["Kites That Learn"]),
        ("<p>Some words that may matter.</p>", ["- a paragraph too short for an abstract, without a title"]),
        ("<table><tr><td>a</td></tr><tr><td>b</td></tr></table>", ["- a table of 1 rows without a column for title or abstract: a"]),
        ("<div>" * 300 + "too deep", ["- elements nested deeper than 255; what follows them is not read"]),
    ],
)
def test_what_html_does_not_give_is_said(piece: str, found: list[str], tmp_path: Path) -> None:
    assert outcome(f"<html><body><ul><li><b>Kites That Learn</b></li></ul>{piece}</body></html>", tmp_path, "list.html") == [
        "Kites That Learn",
        *found,
    ]


@pytest.mark.parametrize("name", ["a.md", "a.html"])
def test_a_document_beyond_the_bound_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DOCUMENT", 1000)
    start = {"a.md": "# List\n\n", "a.html": "<html>"}[name]
    assert "of more than 0 MiB" in outcome(start + "- **Kites That Learn**\n" * 100, tmp_path, name)[0]


@pytest.mark.parametrize("marks", ["- ", "> ", ">", "1. ", "- > "])
def test_lists_inside_each_other_without_end_cost_their_line(marks: str, tmp_path: Path) -> None:
    found = outcome("# Kites\n\n" + marks * 20_000 + "x\n\n- [Kites That Learn](x)\n", tmp_path)
    assert found[0].startswith("- 1 lines of more than 40 lists and quotes")
    assert found[-1] == "Kites That Learn"


words = st.lists(st.sampled_from(["kites", "learn", "to", "fly", "by", "themselves", "again"]), min_size=5, max_size=12).map(" ".join)
pieces = st.one_of(
    words,
    words.map("- **{}**".format),
    words.map("- [{}](https://example.org/x)".format),
    words.map("- *{}*".format),
    words.map("- Group\n  - **{}**".format),
    words.map("> {}".format),
    words.map("| Title |\n|---|\n| {} |".format),
    words.map("| Other |\n|---|\n| {} |".format),
    words.map("<div>{}</div>".format),
    words.map("<ul><li>{}</li></ul>".format),
    words.map("1. {}".format),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(pieces, min_size=1, max_size=6, unique=True))
def test_every_piece_of_a_document_is_read_or_said(found: list[str]) -> None:
    numbered = [re.sub(r"\b(again|fly|kites|learn|to|by|themselves)\b", rf"\g<1>{number}", piece, count=1) for number, piece in enumerate(found)]
    items = list(read(["-"], stdin=BytesIO(("# List\n\n" + "\n\n".join(numbered) + "\n").encode())))
    shown = " ".join(f"{item.title} {item.abstract}" if isinstance(item, Paper) else f"{item.start} {item.reason}" for item in items)
    tables = sum("a table of" in item.reason for item in items if not isinstance(item, Paper))
    lost = [piece for number, piece in enumerate(numbered) if not re.search(rf"[a-z]{number}\b", shown)]
    assert len(lost) <= tables
    assert all("Other" in piece for piece in lost)


def test_markdown_that_begins_with_html_is_markdown(tmp_path: Path) -> None:
    assert outcome("<div align=center><img src=x></div>\n\n- **Kites That Learn**\n", tmp_path) == ["Kites That Learn"]
