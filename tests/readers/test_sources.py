"""Which files are read, in which order, under which names; the commands that show them."""

import gzip
import hashlib
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.model import Paper, Unread
from kg.readers import UNKNOWN, UNKNOWN_REMEDY, SourceFile, read, read_file, sources


def test_folders_are_walked_by_name_and_named_from_within(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a/z.jsonl", "a/b/c.jsonl", "B.jsonl", ".hidden.jsonl", ".git/x.jsonl", "kg.toml", "decisions.tsv"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b'{"title": "Kites"}')
    assert [source.name for source in sources([tmp_path])] == ["B.jsonl", "a/b/c.jsonl", "a/z.jsonl", "b.jsonl"]


def test_hashes_are_of_the_content(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"kites")
    (source,) = sources([path])
    assert (source.sha256, source.size) == (hashlib.sha256(b"kites").hexdigest(), 5)
    assert next(sources([path], hashed=False)).sha256 == ""


def test_names_are_as_given_and_each_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").write_bytes(b"x")
    monkeypatch.chdir(tmp_path)
    assert [(source.name, source.label) for source in sources(["in/a.jsonl", "in", Path("in") / "a.jsonl"])] == [("in/a.jsonl", "a.jsonl")]


def test_a_bare_id_in_two_files_is_two_papers(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.jsonl").write_text(json.dumps({"id": 1, "title": f"Kites {folder}"}), encoding="utf-8")
    items = list(read([tmp_path / "one", tmp_path / "two"]))
    assert [item.id for item in items if isinstance(item, Paper)] == ["a.jsonl#1", "two/a.jsonl#1"]
    names = [source.name for source in sources([tmp_path / "one", tmp_path / "two"])]
    assert len(set(names)) == 2
    # The record's own id stays to be seen.
    assert [item.places[0].record for item in items if isinstance(item, Paper)] == ["1", "1"]


def test_standard_input_is_read_once_as_a_source(tmp_path: Path) -> None:
    (source,) = sources(["-"])
    assert source == SourceFile("-", "stdin", None)
    (paper,) = read_file(source, stdin=BytesIO(gzip.compress(b"We fly kites by night.\n")))
    assert isinstance(paper, Paper)
    assert (paper.abstract, paper.places[0].source) == ("We fly kites by night.", "-")


def test_the_order_does_not_depend_on_the_file_system(tmp_path: Path) -> None:
    for name in ("2.txt", "10.txt", "1.txt"):
        (tmp_path / name).write_text(f"We fly kites by {name[:-4]}.", encoding="utf-8")
    assert [item.places[0].source for item in read([tmp_path]) if isinstance(item, Paper)] == ["1.txt", "10.txt", "2.txt"]


def test_a_text_keeps_its_offsets(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    text = "Kite Papers 2031\r\n\r\n  We fly **kites** 🪁 by night.\r\nThey rise.\r\n\r\n\r\n(2) Abstract: Strings are cut.\r\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    papers = [item for item in read([path]) if isinstance(item, Paper)]
    assert [paper.abstract for paper in papers] == ["We fly **kites** 🪁 by night.\r\nThey rise.", "Strings are cut."]
    for paper in papers:
        offset = paper.places[0].offset
        assert offset is not None
        assert text[offset : offset + len(paper.abstract)] == paper.abstract


def test_ids_of_a_list_do_not_change_with_its_order(tmp_path: Path) -> None:
    one, two = "We fly kites by night.", "We cut strings by day."
    (tmp_path / "a.txt").write_text(f"List of papers\n\n{one}\n\n{two}\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text(f"List of papers\n\n{two}\n\n{one}\n", encoding="utf-8")
    first, second = ([item.id for item in read([tmp_path / name]) if isinstance(item, Paper)] for name in ("a.txt", "b.txt"))
    assert first == second[::-1]
    assert all(number.startswith("text:") and len(number) == 21 for number in first)


def test_the_seeds_are_read_whole() -> None:
    seeds = Path(__file__).parents[2] / "seeds"
    items = list(read([seeds]))
    assert len(items) == 76
    for path in sorted(seeds.iterdir()):
        text = path.read_text(encoding="utf-8")
        found = [item for item in items if isinstance(item, Paper) and item.places[0].source == path.name]
        assert [item.places[0].record for item in found] == [str(number) for number in range(1, 20)]
        for paper in found:
            offset = paper.places[0].offset
            assert offset is not None
            assert text[offset : offset + len(paper.abstract)] == paper.abstract
        left = text
        for paper in found:
            left = left.replace(paper.abstract, "")
        assert len(left.strip()) < 25


def test_inspect_says_what_a_file_is(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("Paper title,Summary\nKites,We fly kites.\n,\nToo,many,cells\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["inspect", str(path)])
    assert result.exit_code == 3
    assert "table" in result.output
    assert "title ← Paper title, abstract ← Summary" in result.output
    assert "papers     1" in result.output
    assert "3 cells where the header has 2" in result.output
    found = json.loads(CliRunner().invoke(main, ["inspect", "--json", "--first", "1", str(path)]).output)
    assert (found["format"], found["papers"], found["unread"], found["first"][0]["title"]) == ("table", 1, 1, "Kites")


def test_inspect_counts_languages_and_refuses_a_bad_map(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("Wir untersuchen die Grenzen der Drachen und ihre Folgen für das Wetter.\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["inspect", str(path)])
    assert (result.exit_code, "languages  de 1" in result.output) == (0, True)
    assert CliRunner().invoke(main, ["inspect", str(path), "--map", "abstract"]).exit_code == 2


def test_inspect_is_brief_on_what_is_no_format_and_adds_up(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
    (tmp_path / "b.csv").write_text("Name,Notes\nKites,We fly kites.\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["inspect", str(tmp_path), "--map", "abstract=Nots"])
    lines = result.output.splitlines()
    assert lines[0] == f"a.png: {UNKNOWN} (try: {UNKNOWN_REMEDY})"
    assert "  --map      Nots: no column of this name" in lines
    assert lines[-1] == "2 files: 1 papers, 1 not read"


def test_a_mapped_column_that_one_file_lacks_leaves_the_guess(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Title,Notes\nKites,We fly kites.\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("Title,Abstract\nStrings,We cut strings.\n", encoding="utf-8")
    assert [item.abstract for item in read([tmp_path], mapping={"abstract": "Notes"}) if isinstance(item, Paper)] == [
        "We fly kites.",
        "We cut strings.",
    ]


def test_formats_lists_every_reader() -> None:
    from kg.readers import READERS

    result = CliRunner().invoke(main, ["formats"])
    assert result.exit_code == 0
    assert all(reader.name in result.output for reader in READERS)
    assert [row["name"] for row in json.loads(CliRunner().invoke(main, ["formats", "--json"]).output)] == [reader.name for reader in READERS]
    assert CliRunner().invoke(main, ["formats", "nosuch"]).exit_code == 2


def test_a_missing_file_is_unread() -> None:
    (item,) = read(["no-such-folder/no-such-file.json"])
    assert isinstance(item, Unread)
    assert (item.source, item.reason) == ("no-such-folder/no-such-file.json", "no such file or folder")


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TY  - JOUR\nTI  - Kites\nER  - \n", "TY  - JOUR\nTI  - Strings\nER  - \n"),
        ("PMID- 1\nTI  - Kites\n\n", "PMID- 2\nTI  - Strings\n\n"),
        ("@article{a,\n title = {Kites}}\n", "@article{b,\n title = {Strings}}\n"),
        ("title,abstract\nKites,We fly.\n", "title,abstract\nStrings,We cut.\n"),
        ("Title: Kites\nAbstract: We fly.\n\n", "Title: Strings\nAbstract: We cut.\n"),
        ("# Kites\n\nWe fly kites by night and by day.\n", "# Strings\n\nWe cut strings by day and by night.\n"),
        ('{"title": "Kites"}\n', '{"title": "Strings"}\n'),
        ('{"title": "Kites"}', '{"title": "Strings"}\n'),
        ('[{"title": "Kites"}]\n', '[{"title": "Strings"}]\n'),
    ],
)
def test_files_put_one_behind_the_other_lose_no_paper(one: str, other: str, mark: str) -> None:
    items = list(read(["-"], stdin=BytesIO(f"{mark}{one}{mark}{other}".encode())))
    assert [item.title if isinstance(item, Paper) else item for item in items] == ["Kites", "Strings"]


def test_ris_records_without_their_first_line_are_read() -> None:
    text = "Provider: a site\n\nTY  - JOUR\nTI  - Kites\nER  - \nTI  - Lost\nAB  - We fly.\nER  - \nTY  - JOUR\nTI  - Strings\n"
    items = list(read(["-"], stdin=BytesIO(text.encode())))
    assert [item.title if isinstance(item, Paper) else item for item in items] == ["Kites", "Lost", "Strings"]


def test_a_folder_of_thousands_of_other_files_is_read_and_they_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    for group in range(30):
        (folder / f"photos{group}").mkdir(parents=True)
        for number in range(100):
            (folder / f"photos{group}" / f"{number}.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
    (folder / "z.jsonl").write_text('{"title": "Kites That Learn", "abstract": "We fly kites."}\n' + "{oops}\n" * 50, encoding="utf-8")
    result = CliRunner().invoke(main, ["extract", str(folder), "--tier", "rules"])
    assert result.exit_code == 3
    assert len(result.stdout.splitlines()) == 1
    said = result.stderr.splitlines()
    assert len(said) == 42
    assert said[0] == f"kg: photos0/0.png: {UNKNOWN} ({UNKNOWN_REMEDY})"
    assert said[-2:] == [
        f"kg: files: 2,980 more like the last: {UNKNOWN}",
        "kg: z.jsonl: 30 more records like the last: not JSON: unexpected character, expected a string key: line … column … (char …)",
    ]


@pytest.mark.parametrize("reason", ["Permission denied", "Input/output error"])
def test_a_file_that_may_not_be_read_is_named_and_the_rest_read(reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text('{"title": "Kites"}\n', encoding="utf-8")
    real = Path.open

    def refusing(path: Path, *args: Any, **options: Any) -> Any:
        if path.name == "a.jsonl":
            raise OSError(13, reason)
        return real(path, *args, **options)

    monkeypatch.setattr(Path, "open", refusing)
    for hashed in (False, True):
        items = [item for source in sources([tmp_path], hashed=hashed) for item in read_file(source)]
        assert [item.title if isinstance(item, Paper) else (item.source, item.reason) for item in items] == [("a.jsonl", reason.lower()), "Kites"]


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.json", b"", "the file is empty"),
        ("a.json", b"\xef\xbb\xbf", "the file is empty"),
        ("a.jsonl", b" \n\n\t\r\n", "the file is empty"),
        ("a.json", b"[]", "no records: an empty file of the format json"),
        ("a.json", b"{}", "neither a title nor an abstract"),
        ("a.json", b'{"results": [], "meta": {}}', "neither a title nor an abstract"),
        ("a.csv", b"title,abstract\n", "no records: an empty file of the format table"),
        ("a.xml", b'<feed xmlns="http://www.w3.org/2005/Atom"></feed>', "no records: an empty file of the format atom"),
        ("a.bib", b"@string{k = {Kites}}\n", "no records: an empty file of the format bibtex"),
        ("a.txt", b"Kite papers 2031\n", ""),
        ("a.md", b"# Kites\n", "no list of papers in this Markdown document"),
    ],
)
def test_files_without_papers_say_so(name: str, data: bytes, reason: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    items = list(read([tmp_path]))
    assert [item.reason for item in items if isinstance(item, Unread)] == ([reason] if reason else [])
