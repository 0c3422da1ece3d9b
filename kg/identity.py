"""Which papers are one: ids from DOI, arXiv, OpenReview, ACL and PubMed, keys under which two records are the same paper, and their merging."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

from kg.letters import beyond_ascii
from kg.model import Paper, Place

_DOI = re.compile(r"(?<![\d.])(10\.\d{4,9}(?:\.\d+)*/[^\s\"<>{}|\\^]+)")
_DOI_ALONE = re.compile(r"^\s*(?:https?://(?:dx\.)?doi\.org/|doi:?\s*)?(10\.\d{4,9}(?:\.\d+)*/[^\s\"{}|\\^]+)\s*$", re.IGNORECASE)
_ARXIV = re.compile(r"(?<![\w.])(\d{4}\.\d{4,5}|(?:[a-z]+(?:-[a-z]+)?(?:\.[A-Za-z]{2})?)/\d{7})(?:v\d+)?(?![\w/])")
_ARXIV_LINK = re.compile(r"(?:arxiv\.org/(?:abs|pdf|html|e-print)/|^\s*arxiv:\s*|^oai:arxiv\.org:|^abs/|10\.48550/arxiv\.)", re.IGNORECASE)
_OPENREVIEW = re.compile(r"openreview\.net/(?:forum|pdf|attachment|notes)\?(?:[^#\s]*&)?id=([\w-]{6,20})")
_ACL_ID = r"(?:[A-Z]\d{2}-\d{4,5}|\d{4}\.[a-z0-9_]+(?:-[a-z0-9_]+)*\.\d{1,4})"
_ACL_LINK = re.compile(rf"(?:aclanthology\.org/|aclweb\.org/anthology/(?:papers/\w/\w+/)?)({_ACL_ID})(?:v\d+)?(?:\.pdf|/|$)")
_ACL = re.compile(rf"^{_ACL_ID}$")
_PMID_LINK = re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/pubmed/)(\d{1,9})\b")
_PLAIN = bytes(code if code > 127 or chr(code).isalnum() else 32 for code in range(256))
"""Byte of UTF-8 → byte: letters, digits and what is not ASCII to themselves, all else to blanks."""
_MARK = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
_TEXT_KEY = 200
"""Abstracts shorter than this (characters, normalised) are no sign that two papers are one: "No abstract available."."""


def doi(value: str) -> str:
    """The DOI in a string or link, in lower case, "" for none. An arXiv DOI is none: it is an arXiv id.

    >>> doi("https://doi.org/10.1162/TACL_a_00123."), doi("doi:10.48550/arXiv.2401.01234"), doi("n/a")
    ('10.1162/tacl_a_00123', '', '')
    """
    plain = value.replace("%2F", "/").replace("%2f", "/")
    # Old DOIs hold < and >, which end one only inside a text.
    match = _DOI_ALONE.search(plain) or _DOI.search(plain)
    found = match[1].lower().rstrip(".,;:") if match else ""
    if found.endswith(")") and found.count("(") < found.count(")"):
        found = found[:-1]
    return "" if found.startswith("10.48550/arxiv.") else found


def arxiv(value: str, *, bare: bool = True) -> str:
    """The arXiv id in a string or link, its version cut off, "" for none.

    Args:
        value: an id or a link.
        bare: take an id that nothing marks as arXiv's.

    >>> arxiv("https://arxiv.org/abs/2401.01234v2"), arxiv("arXiv:math.GT/0309136"), arxiv("2401.01234", bare=False)
    ('2401.01234', 'math/0309136', '')

    """
    link = _ARXIV_LINK.search(value)
    if not link and not bare:
        return ""
    match = _ARXIV.search(value[link.end() :] if link else value)
    return re.sub(r"\.\w+/", "/", match[1].lower()) if match else ""


def openreview(value: str) -> str:
    """The OpenReview id in a link, "" for none.

    >>> openreview("https://openreview.net/forum?id=abcDEF1234")
    'abcDEF1234'
    """
    match = _OPENREVIEW.search(value)
    return match[1] if match else ""


def acl(value: str) -> str:
    """The ACL Anthology id in a link, an ACL DOI or alone, "" for none.

    >>> acl("https://aclanthology.org/2020.acl-main.1/"), acl("10.18653/v1/p19-1001"), acl("W18-5401"), acl("page 3")
    ('2020.acl-main.1', 'P19-1001', 'W18-5401', '')
    """
    if match := _ACL_LINK.search(value):
        return match[1]
    tail = value.strip()
    for prefix in ("10.18653/v1/", "https://doi.org/10.18653/v1/"):
        if tail.lower().startswith(prefix):
            tail = tail[len(prefix) :]
            tail = tail.upper() if tail[:1].isalpha() else tail
    return tail if _ACL.match(tail) else ""


def pmid(value: str) -> str:
    """The PubMed id in a link or alone, "" for none.

    >>> pmid("https://pubmed.ncbi.nlm.nih.gov/31452104/"), pmid("PMID: 31452104"), pmid("PMC123")
    ('31452104', '31452104', '')
    """
    if match := _PMID_LINK.search(value):
        return match[1]
    match = re.fullmatch(r"\s*(?:pmid:?\s*)?(\d{1,9})\s*", value, re.IGNORECASE)
    return match[1] if match else ""


def normalised(text: str) -> str:
    r"""A text for comparison: letters and digits only, without case, accents and markup signs, single blanks.

    >>> normalised("**GRACE**: Déjà-vu  in\nTransformers!")
    'grace deja vu in transformers'
    """
    lower = text.casefold()
    if not lower.isascii():
        lower = unicodedata.normalize("NFKD", lower)
        for sign in set(beyond_ascii(lower)):
            if not sign.isalnum():
                lower = lower.replace(sign, "" if _MARK.match(sign) else " ")
    plain = lower.encode().translate(_PLAIN)
    # Taking a long text apart into words costs ten times as much.
    while b"  " in plain:
        plain = plain.replace(b"  ", b" ")
    return plain.strip().decode()


def text_hash(text: str) -> str:
    """16 hex digits of the SHA-256 of the normalised text.

    >>> text_hash("A  text.") == text_hash("a text")
    True
    """
    return hashlib.sha256((normalised(text) or text).encode("utf-8", "replace")).hexdigest()[:16]


def paper_id(paper: Paper, own: str = "") -> str:
    """The id of a paper: DOI, arXiv, OpenReview, ACL or PubMed id, else its source's own id, else a hash of its text.

    Args:
        paper: whose `id` does not matter.
        own: the record's own id, qualified by its source, or "".

    >>> paper_id(Paper("", "T", "", (), doi="10.1/ab", arxiv="2401.01234")), paper_id(Paper("", "T", "", ()), "a.csv#7")
    ('doi:10.1/ab', 'a.csv#7')

    """
    for scheme in ("doi", "arxiv", "openreview", "acl", "pmid"):
        if value := getattr(paper, scheme):
            return f"{scheme}:{value}"
    return own or f"text:{text_hash(paper.raw)}"


def same_paper_keys(paper: Paper) -> tuple[str, ...]:
    """Keys of a paper: two papers that share one are the same paper.

    The id, every outside id, the normalised title with year and first author's last name, and the hash of a long abstract.

    >>> same_paper_keys(Paper("a#1", "Big Nets", "", (), authors=("Ada Lovelace",), year=1843, arxiv="2401.01234"))
    ('a#1', 'arxiv:2401.01234', 'title:big nets|1843|lovelace')
    """
    keys = [paper.id]
    keys += [f"{scheme}:{value}" for scheme in ("doi", "arxiv", "openreview", "acl", "pmid") if (value := getattr(paper, scheme))]
    title = normalised(paper.title)
    if " " in title and paper.year and paper.authors:
        keys.append(f"title:{title}|{paper.year}|{last_name(paper.authors[0])}")
    if len(paper.abstract) >= _TEXT_KEY and len(plain := normalised(paper.abstract)) >= _TEXT_KEY:
        keys.append(f"text:{hashlib.sha256(plain.encode('utf-8', 'replace')).hexdigest()[:16]}")
    return tuple(dict.fromkeys(keys))


def last_name(author: str) -> str:
    """The normalised last name of an author, given as "First Last" or "Last, First".

    >>> last_name("Schölkopf, Bernhard"), last_name("Yann LeCun"), last_name("Martin Luther King Jr.")
    ('scholkopf', 'lecun', 'king')
    """
    head, comma, _ = author.partition(",")
    words = normalised(head).split()
    while len(words) > 1 and words[-1] in {"jr", "sr", "ii", "iii", "iv"}:
        words.pop()
    if not words:
        return ""
    return " ".join(words) if comma else words[-1]


_RANK = {"doi": 0, "arxiv": 1, "openreview": 2, "acl": 3, "pmid": 4, "text": 6}


def id_strength(paper_id: str) -> tuple[int, str]:
    """The sort key of ids by how well they identify a paper, the strongest first.

    >>> sorted(["text:00ff", "a.csv#7", "arxiv:2401.01234"], key=id_strength)
    ['arxiv:2401.01234', 'a.csv#7', 'text:00ff']
    """
    return (_RANK.get(paper_id.split(":", 1)[0], 5) if ":" in paper_id else 5, paper_id)


def _order(paper: Paper) -> tuple[int, str, tuple[tuple[str, str], ...]]:
    return (*id_strength(paper.id), tuple((p.source, p.record) for p in paper.places))


def merge(papers: Iterable[Paper]) -> Paper:
    """One paper out of the records of the same paper; the order in which they are given does not matter.

    Each field comes from the record with the strongest id that has it; title, abstract and authors from the fullest; code links and keywords
    are united; all places are kept. A place keeps its offset only when the merged text is the text that it holds.

    Raises:
        ValueError: no paper was given.

    >>> one = merge([Paper("text:1", "", "We study nets.", ()), Paper("doi:10.1/a", "Nets", "", (), doi="10.1/a", year=2020)])
    >>> one.id, one.title, one.abstract, one.year
    ('doi:10.1/a', 'Nets', 'We study nets.', 2020)

    """
    ordered = sorted(papers, key=lambda paper: (*_order(paper), repr(paper)))
    if not ordered:
        raise ValueError("no papers to merge")
    if len(ordered) == 1:
        return ordered[0]
    abstract = max((p.abstract for p in ordered), key=lambda text: (len(text), text))
    title = max((p.title for p in ordered), key=lambda text: (bool(text), -_first(ordered, text)))
    base = replace(
        ordered[0],
        title=title,
        abstract=abstract,
        authors=max((p.authors for p in ordered), key=len),
        year=next((p.year for p in ordered if p.year), None),
        code=_united(p.code for p in ordered),
        keywords=_united(p.keywords for p in ordered),
        language=next(p.language for p in ordered if p.abstract == abstract),
        venue=_first_of(ordered, "venue"),
        doi=_first_of(ordered, "doi"),
        arxiv=_first_of(ordered, "arxiv"),
        openreview=_first_of(ordered, "openreview"),
        acl=_first_of(ordered, "acl"),
        pmid=_first_of(ordered, "pmid"),
        url=_first_of(ordered, "url"),
    )
    return replace(base, places=_places(ordered, base.raw), id=paper_id(base, ordered[0].id))


def _first(ordered: Sequence[Paper], title: str) -> int:
    return next(index for index, paper in enumerate(ordered) if paper.title == title)


def _first_of(ordered: Sequence[Paper], name: str) -> str:
    return next((value for paper in ordered if (value := str(getattr(paper, name)))), "")


def _united(groups: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for group in groups for item in group))


def _places(ordered: Sequence[Paper], raw: str) -> tuple[Place, ...]:
    places = {place if paper.raw == raw else replace(place, offset=None) for paper in ordered for place in paper.places}
    return tuple(sorted(places, key=lambda place: (place.source, place.record, -1 if place.offset is None else place.offset)))
