# ruff: noqa: E501
"""What is written in a format is read back: title, abstract, authors, year and DOI of invented papers."""

import csv
import io
import json
from collections.abc import Callable
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape as xml

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.model import Paper
from kg.readers import Look, read, recognise

Row = dict[str, Any]
LETTERS = "abcdefgh XYZ éüßñ 0123 深度 αβ , ; : ' ( ) - – & < > / + = ! ? 🪁"
words = st.text(st.sampled_from(sorted(set(LETTERS))), min_size=1, max_size=30).map(lambda text: " ".join(text.split()))


def sentence(text: str) -> str:
    return " ".join(f"We study {text} well.".split())


names = st.lists(
    st.sampled_from(["Ada", "Bo", "Émile", "José", "X. Y."]).flatmap(lambda first: st.sampled_from([f"{first} Quill", f"{first} Märsh"])),
    max_size=3,
    unique=True,
)
rows = st.lists(
    st.fixed_dictionaries(
        {
            "title": words.map(lambda text: " ".join(f"On {text} K".split())),
            "abstract": words.map(sentence),
            "authors": names,
            "year": st.integers(1950, 2099),
            "doi": st.integers(0, 10**6).map(lambda number: f"10.1234/k.{number}"),
        }
    ),
    min_size=1,
    max_size=4,
)


def turned(name: str) -> str:
    first, _, last = name.rpartition(" ")
    return f"{last}, {first}"


def inverted(text: str) -> dict[str, list[int]]:
    index: dict[str, list[int]] = {}
    for place, word in enumerate(text.split()):
        index.setdefault(word, []).append(place)
    return index


def table(delimiter: str) -> Callable[[list[Row]], str]:
    def write(found: list[Row]) -> str:
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter)
        writer.writerow(["Title", "Abstract", "Authors", "Year", "DOI"])
        writer.writerows([[r["title"], r["abstract"], "; ".join(r["authors"]), r["year"], r["doi"]] for r in found])
        return out.getvalue()

    return write


def each(template: Callable[[Row], str], before: str = "", after: str = "") -> Callable[[list[Row]], str]:
    return lambda found: before + "".join(map(template, found)) + after


def dumped(shape: Callable[[Row], Any], lines: bool = True) -> Callable[[list[Row]], str]:
    return lambda found: (
        "\n".join(json.dumps(shape(r), ensure_ascii=False) for r in found) if lines else json.dumps([shape(r) for r in found], indent=1)
    )


def tex(text: str) -> str:
    return text.replace("&", r"\&")


def people(template: str, row: Row) -> str:
    return "".join(template.format(first=name.rpartition(" ")[0], last=name.rpartition(" ")[2], name=name) for name in row["authors"])


WRITERS: dict[str, Callable[[list[Row]], str]] = {
    "json": dumped(lambda r: r),
    "openreview": dumped(lambda r: {"id": "f", "forum": f"forum{r['doi'][-5:]}", "content": {k: {"value": v} for k, v in r.items()} | {"venue": {"value": f"K {r['year']}"}}}),
    "paperlists": dumped(lambda r: {**r, "author": ";".join(r["authors"]), "status": "Poster", "track": "main", "aff": ""}, lines=False),
    "arxiv-snapshot": dumped(lambda r: {**r, "versions": [{"version": "v1", "created": f"Mon, 2 Apr {r['year']} 19:18:42 GMT"}], "authors_parsed": [[n.split()[-1], n.rpartition(' ')[0], ""] for n in r["authors"]]}),
    "openalex": dumped(lambda r: {"id": "https://openalex.org/W1", "title": r["title"], "doi": f"https://doi.org/{r['doi']}", "publication_year": r["year"], "abstract_inverted_index": inverted(r["abstract"]), "authorships": [{"author": {"display_name": n}} for n in r["authors"]]}),
    "semantic-scholar": dumped(lambda r: {"corpusid": 1, "externalids": {"DOI": r["doi"]}, "title": r["title"], "abstract": r["abstract"], "year": r["year"], "authors": [{"name": n} for n in r["authors"]]}),
    "csl": dumped(lambda r: {"type": "article", "title": r["title"], "abstract": r["abstract"], "DOI": r["doi"], "issued": {"date-parts": [[r["year"]]]}, "author": [{"given": n.rpartition(" ")[0], "family": n.split()[-1]} for n in r["authors"]]}, lines=False),
    "atom": each(lambda r: f"<entry><title>{xml(r['title'])}</title><summary>{xml(r['abstract'])}</summary><published>{r['year']}-02-01</published><doi>{r['doi']}</doi>{people('<author><name>{name}</name></author>', r)}</entry>", "<feed>", "</feed>"),
    "oai-pmh": each(lambda r: f"<record><header><identifier>oai:k:1</identifier></header><metadata><dc><title>{xml(r['title'])}</title><description>{xml(r['abstract'])}</description><date>{r['year']}</date><identifier>doi:{r['doi']}</identifier>{people('<creator>{last}, {first}</creator>', r)}</dc></metadata></record>", "<OAI-PMH>", "</OAI-PMH>"),
    "acl-xml": lambda found: "<collection id='2031.k'>" + "".join(f"<volume id='{n}'><meta><year>{r['year']}</year></meta><paper id='1'><title>{xml(r['title'])}</title><abstract>{xml(r['abstract'])}</abstract><doi>{r['doi']}</doi>{people('<author><first>{first}</first><last>{last}</last></author>', r)}</paper></volume>" for n, r in enumerate(found)) + "</collection>",
    "pubmed": each(lambda r: f"<PubmedArticle><MedlineCitation><Article><Journal><JournalIssue><PubDate><Year>{r['year']}</Year></PubDate></JournalIssue></Journal><ArticleTitle>{xml(r['title'])}</ArticleTitle><ELocationID EIdType='doi'>{r['doi']}</ELocationID><Abstract><AbstractText>{xml(r['abstract'])}</AbstractText></Abstract><AuthorList>{people('<Author><LastName>{last}</LastName><ForeName>{first}</ForeName></Author>', r)}</AuthorList></Article></MedlineCitation></PubmedArticle>", "<PubmedArticleSet>", "</PubmedArticleSet>"),
    "jats": each(lambda r: f"<article><front><article-meta><article-id pub-id-type='doi'>{r['doi']}</article-id><title-group><article-title>{xml(r['title'])}</article-title></title-group><contrib-group>{people('<contrib><name><surname>{last}</surname><given-names>{first}</given-names></name></contrib>', r)}</contrib-group><pub-date><year>{r['year']}</year></pub-date><abstract><p>{xml(r['abstract'])}</p></abstract></article-meta></front></article>", "<pmc-articleset>", "</pmc-articleset>"),
    "tei": each(lambda r: f"<TEI><teiHeader><fileDesc><titleStmt><title>{xml(r['title'])}</title></titleStmt><sourceDesc><biblStruct><analytic>{people('<author><persName><forename>{first}</forename><surname>{last}</surname></persName></author>', r)}<idno type='DOI'>{r['doi']}</idno></analytic><monogr><date when='{r['year']}'/></monogr></biblStruct></sourceDesc></fileDesc><profileDesc><abstract><p>{xml(r['abstract'])}</p></abstract></profileDesc></teiHeader></TEI>", "<teiCorpus>", "</teiCorpus>"),
    "zotero-rdf": each(lambda r: f"<bib:Article><dc:title>{xml(r['title'])}</dc:title><dc:abstract>{xml(r['abstract'])}</dc:abstract><dc:date>{r['year']}</dc:date><dc:identifier>DOI {r['doi']}</dc:identifier><bib:authors>{people('<foaf:Person><foaf:surname>{last}</foaf:surname><foaf:givenName>{first}</foaf:givenName></foaf:Person>', r)}</bib:authors></bib:Article>", "<rdf:RDF xmlns:rdf='r' xmlns:bib='http://purl.org/net/biblio#' xmlns:dc='d' xmlns:foaf='f'>", "</rdf:RDF>"),
    "html": each(lambda r: f"<tr><td>{escape(r['title'])}</td><td>{escape(r['abstract'])}</td><td>{'; '.join(r['authors'])}</td><td>{r['year']}</td><td>{r['doi']}</td></tr>", "<html><table><tr><th>Title</th><th>Abstract</th><th>Authors</th><th>Year</th><th>DOI</th></tr>", "</table></html>"),
    "bibtex": each(lambda r: f"@article{{key,\n title = {{{r['title']}}},\n author = {{{' and '.join(map(turned, r['authors']))}}},\n year = {r['year']},\n doi = {{{r['doi']}}},\n abstract = {{{r['abstract']}}}\n}}\n\n"),
    "ris": each(lambda r: f"TY  - JOUR\nTI  - {r['title']}\n" + "".join(f"AU  - {turned(n)}\n" for n in r["authors"]) + f"AB  - {r['abstract']}\nPY  - {r['year']}\nDO  - {r['doi']}\nER  - \n\n"),
    "table": table(","),
    "table (tabs)": table("\t"),
    "markdown": each(lambda r: "| " + " | ".join(cell.replace("<", "‹") for cell in (r["title"], r["abstract"], "; ".join(r["authors"]), str(r["year"]), r["doi"])) + " |\n", "\n| Title | Abstract | Authors | Year | DOI |\n|---|---|---|---|---|\n"),
    "text": each(lambda r: f"Title: {r['title']}\nAuthors: {'; '.join(r['authors'])}\nYear: {r['year']}\nDOI: {r['doi']}\nAbstract: {r['abstract']}\n\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", list(WRITERS))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows)
def test_what_is_written_is_read_back(name: str, found: list[Row]) -> None:
    text = WRITERS[name](found)
    reader = recognise(Look("-", text.encode(), complete=True))
    assert reader is not None
    assert reader.name == name.split(maxsplit=1)[0]
    items = list(read(["-"], stdin=BytesIO(text.encode())))
    assert all(isinstance(item, Paper) for item in items)
    got = [(p.title, " ".join(p.abstract.split()), p.authors, p.year, p.doi) for p in items if isinstance(p, Paper)]
    wanted = [(r["title"], r["abstract"], tuple(r["authors"]), r["year"], r["doi"]) for r in found]
    if name == "markdown":
        wanted = [(title.replace("<", "‹"), text.replace("<", "‹"), *rest) for title, text, *rest in wanted]  # type: ignore[misc]
    assert got == wanted


@settings(max_examples=15, deadline=None)
@given(st.lists(words.map(sentence), min_size=2, max_size=6))
def test_a_text_list_is_read_back_with_offsets(abstracts: list[str]) -> None:
    text = "\ufeffKite Papers 2031\r\n\r\n" + "\r\n\r\n".join(abstracts) + "\r\n"
    items = [item for item in read(["-"], stdin=BytesIO(text.encode())) if isinstance(item, Paper)]
    assert [item.abstract for item in items] == abstracts
    for item in items:
        offset = item.places[0].offset
        assert offset is not None
        assert text[1:][offset : offset + len(item.abstract)] == item.abstract


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(rows)
def test_what_is_written_as_parquet_is_read_back(tmp_path: Path, found: list[Row]) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    pq.write_table(pa.Table.from_pylist(found), path, row_group_size=2)
    assert recognise(Look("-", path.read_bytes())) is not None
    for stdin in (None, BytesIO(path.read_bytes())):
        items = list(read(["-" if stdin else path], stdin=stdin))
        got = [(p.title, p.abstract, p.authors, p.year, p.doi) for p in items if isinstance(p, Paper)]
        assert got == [(r["title"], r["abstract"], tuple(r["authors"]), r["year"], r["doi"]) for r in found]


print_words = st.lists(
    st.sampled_from(
        [
            "we",
            "study",
            "kites",
            "strings",
            "naïve",
            "Schrödinger's",
            "knots",
            "(far)",
            "and",
            "near,",
            "high:",
            "low;",
            "3.5",
            "times;",
            "90%",
            "&",
            "more",
        ]
    ),
    min_size=3,
    max_size=60,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(print_words, print_words, names, st.integers(0, 10**6))
def test_what_is_printed_as_pdf_is_read_back(tmp_path: Path, title: list[str], abstract: list[str], authors: list[str], number: int) -> None:
    pytest.importorskip("pypdfium2")
    platypus, styles = pytest.importorskip("reportlab.platypus"), pytest.importorskip("reportlab.lib.styles")
    path = tmp_path / "a.pdf"
    sheet = styles.getSampleStyleSheet()
    heading = f"On {' '.join(title[:12])}"
    body = f"We print {' '.join(abstract)} here."
    parts = [(heading, "Title"), (", ".join(authors) or "Nobody", "Normal"), ("Abstract", "Heading3"), (body, "Normal")]
    parts += [("1 Introduction", "Heading3"), (f"Long ago. https://doi.org/10.1234/k.{number}", "Normal")]
    document = platypus.SimpleDocTemplate(str(path), author="; ".join(authors))
    document.build([platypus.Paragraph(escape(text, quote=False), sheet[style]) for text, style in parts])
    (paper,) = read([path])
    assert isinstance(paper, Paper)
    assert (paper.title, " ".join(paper.abstract.split())) == (heading, body)
    assert (paper.authors, paper.doi) == (tuple(authors), f"10.1234/k.{number}")
