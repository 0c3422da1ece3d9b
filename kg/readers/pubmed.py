"""PubMed's XML and JATS (PubMed Central, publishers)."""

from collections.abc import Iterator
from typing import Any

from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.xml_stream import below, children, elements, flat, local, one

_ROOTS = ("PubmedArticleSet", "PubmedArticle", "MedlineCitationSet")
_NOT_TEXT = frozenset({"fn", "label", "table-wrap", "fig", "ref-list", "disp-formula-group"})


def sniff(look: Look) -> bool:
    return look.root.split(" ")[0] in _ROOTS


def read(source: Input) -> Iterator[Record | Fault]:
    """The articles of a PubMed answer."""
    for number, element in enumerate(elements(source, "PubmedArticle"), 1):
        yield element if isinstance(element, Fault) else Record(one(element, "MedlineCitation", "PMID") or str(number), _medline(element))


def _medline(element: Any) -> Fields:
    citation = (children(element, "MedlineCitation") or [element])[0]
    article = (children(citation, "Article") or [citation])[0]
    parts = [(part.get("Label", ""), flat(part)) for part in children(article, "Abstract", "AbstractText")]
    ids = {item.get("IdType", ""): flat(item) for item in children(element, "PubmedData", "ArticleIdList", "ArticleId")}
    number = one(citation, "PMID")
    people = children(article, "AuthorList", "Author")
    return {
        "id": number,
        "pmid": number,
        "doi": ids.get("doi") or next((flat(item) for item in children(article, "ELocationID") if item.get("EIdType") == "doi"), None),
        "title": one(article, "ArticleTitle"),
        "abstract": " ".join(f"{label}: {text}" if label and label != "UNLABELLED" else text for label, text in parts if text),
        "authors": [f"{one(person, 'ForeName')} {one(person, 'LastName')}".strip() or one(person, "CollectiveName") for person in people],
        "year": one(article, "Journal", "JournalIssue", "PubDate", "Year") or one(article, "Journal", "JournalIssue", "PubDate", "MedlineDate"),
        "venue": one(article, "Journal", "Title"),
        "keywords": [flat(item) for item in children(citation, "KeywordList", "Keyword")],
        "language": one(article, "Language"),
        "url": f"https://pubmed.ncbi.nlm.nih.gov/{number}/" if number else "",
    }


def sniff_jats(look: Look) -> bool:
    name = look.root.split(" ")[0]
    return (name == "article" and ("<front" in look.text or "jats" in look.text.lower() or "nlm" in look.text.lower())) or name == "pmc-articleset"


def read_jats(source: Input) -> Iterator[Record | Fault]:
    """The articles of a JATS document, which holds one, or of an article set."""
    for number, element in enumerate(elements(source, "article"), 1):
        yield element if isinstance(element, Fault) else Record(str(number), _jats(element, source.full_text))


def _jats(article: Any, full_text: bool) -> Fields:
    meta = (children(article, "front", "article-meta") or children(article, "front-stub") or [article])[0]
    ids = {item.get("pub-id-type", ""): flat(item) for item in children(meta, "article-id")}
    abstracts = [item for item in children(meta, "abstract") if not item.get("abstract-type")] or children(meta, "abstract")
    people = [person for person in below(meta, "contrib") if person.get("contrib-type", "author") == "author"]
    years = sorted(text for date in children(meta, "pub-date") if (text := one(date, "year")))
    title = one(meta, "title-group", "article-title")
    body = " ".join(flat(item, _NOT_TEXT) for item in children(article, "body")) if full_text else ""
    abstract = " ".join(_section(item) for item in abstracts[:1])
    return {
        "id": ids.get("pmc") or ids.get("pmcid") or ids.get("publisher-id"),
        "pmid": ids.get("pmid"),
        "doi": ids.get("doi"),
        "arxiv": ids.get("arxiv"),
        "title": title,
        "abstract": f"{abstract}\n{body}".strip() if body else abstract,
        "authors": [_person(person) for person in people],
        "year": years[0] if years else "",
        "venue": one(article, "front", "journal-meta", "journal-title-group", "journal-title")
        or one(article, "front", "journal-meta", "journal-title"),
        "keywords": [flat(item) for item in below(meta, "kwd")],
        "language": article.get("{http://www.w3.org/XML/1998/namespace}lang", ""),
    }


def _section(abstract: Any) -> str:
    """The abstract's text, its own heading "Abstract" left out, the headings of its parts kept with a colon."""
    parts = []
    for child in abstract:
        name = local(child)
        if name == "sec":
            heading, rest = one(child, "title"), flat(child, _NOT_TEXT | {"title"})
            parts.append(f"{heading.rstrip(':')}: {rest}" if heading else rest)
        elif name and name not in ("title", "label"):
            parts.append(flat(child, _NOT_TEXT))
    return " ".join(part for part in parts if part) or flat(abstract, _NOT_TEXT)


def _person(person: Any) -> str:
    name = (below(person, "name") or [person])[0]
    return f"{one(name, 'given-names')} {one(name, 'surname')}".strip() or one(person, "collab") or one(person, "string-name")


READER = Reader(
    "pubmed",
    "PubMed XML",
    (".xml",),
    sniff,
    read,
    "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>Small Nets</ArticleTitle>"
    '<Abstract><AbstractText Label="METHODS">We propose …</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>\n',
)
JATS = Reader(
    "jats",
    "JATS XML (PubMed Central and publishers)",
    (".xml", ".nxml"),
    sniff_jats,
    read_jats,
    '<article><front><article-meta><article-id pub-id-type="doi">10.1234/x</article-id><title-group>'
    "<article-title>Small Nets</article-title></title-group><abstract><p>We propose …</p></abstract></article-meta></front></article>\n",
)
