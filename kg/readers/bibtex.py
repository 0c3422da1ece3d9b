"""BibTeX and BibLaTeX, the ACL Anthology's with abstracts among them. Entries are cut apart here, so that a broken one costs only itself."""

import logging
import re
from collections.abc import Iterator
from typing import Any

from kg.readers import limits
from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.cutting import cut

_ENTRY = re.compile(r"^[ \t]*@[ \t]*([A-Za-z]+)[ \t]*[{(]", re.MULTILINE)
_SNIFF = re.compile(
    r"^[ \t]*@[ \t]*(?!(?:media|import|charset|supports|keyframes)\b)[A-Za-z]+[ \t]*[{(][ \t]*(?:[^\s,{}()=]*[ \t]*,|\w+[ \t]*=|\")", re.MULTILINE
)
_OUTSIDE = {"", "comment", "preamble", "string", "ieeetranbstctl", "control", "set"}
_VOLUMES = {"proceedings", "mvproceedings", "collection", "mvcollection", "periodical"}
_REMEDY = "check the braces and quotes of the entry"


def sniff(look: Look) -> bool:
    match = _SNIFF.search(look.text[:65536])
    return match is not None and (
        look.suffix in (".bib", ".biblatex", ".bibtex") or not look.text[: match.start()].strip() or look.text.lstrip()[:1] in "%@"
    )


def read(source: Input) -> Iterator[Record | Fault]:
    """The entries of a bibliography, under their keys."""
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    strings: dict[str, str] = {}
    for part in cut(source.text(), _ENTRY):
        kind = part.mark.lower()
        if kind == "string":
            _remember(part.text, strings)
        elif part.long and kind not in _OUTSIDE:
            yield Fault(f"line {part.line}", f"an entry of more than {limits.RECORD >> 20} MiB", _REMEDY, part.text[:80].strip())
        elif kind not in _OUTSIDE:
            yield from _entries(part.text, part.line, strings)


def _remember(text: str, strings: dict[str, str]) -> None:
    from bibtexparser.entrypoint import parse_string

    for item in parse_string(text).strings:
        strings[item.key.lower()] = str(item.value)


def _entries(text: str, at: int, strings: dict[str, str]) -> Iterator[Record | Fault]:
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import DuplicateBlockKeyBlock, DuplicateFieldKeyBlock

    library = parse_string(text)
    for entry in library.entries:
        fields = _fields(entry, strings)
        if entry.entry_type.lower() in _VOLUMES and not fields["abstract"]:
            yield Fault(entry.key, "a volume, not a paper", "nothing to do", text[:80].strip())
        else:
            yield Record(entry.key or f"line {at}", fields)
    for block in library.failed_blocks:
        inner: Any = block.ignore_error_block
        if isinstance(block, DuplicateFieldKeyBlock | DuplicateBlockKeyBlock) and inner is not None and hasattr(inner, "fields"):
            yield Record(inner.key or f"line {at}", _fields(inner, strings))
        else:
            yield Fault(f"line {at}", "a BibTeX entry that does not hold together", _REMEDY, text[:80].strip())


def _fields(entry: Any, strings: dict[str, str]) -> Fields:
    values: dict[str, str] = {}
    for field in entry.fields:
        value = str(field.value).strip()
        values.setdefault(field.key.lower(), _joined(value, strings) if getattr(field, "enclosing", None) == "no-enclosing" else _bare(value))
    get = values.get
    eprint = get("eprint", "")
    kind = (get("archiveprefix") or get("eprinttype") or "").lower()
    return {
        "id": entry.key,
        "title": _shelled(get("title", "")),
        "abstract": get("abstract") or get("annotation"),
        "authors": [person(name) for name in re.split(r"\s+and\s+", get("author") or get("editor") or "") if name and name != "others"],
        "year": get("year") or get("date"),
        "venue": plain(get("booktitle") or get("journal") or get("journaltitle") or get("eventtitle") or ""),
        "doi": (get("doi") or "").replace("\\_", "_"),
        "arxiv": eprint if kind == "arxiv" or "arxiv" in eprint.lower() else _arxiv_note(values),
        "pmid": get("pmid") or (eprint if kind == "pubmed" else None),
        "acl": entry.key if get("url", "").startswith("https://aclanthology.org/") and "://" in entry.key else None,
        "url": (get("url") or get("howpublished") or "").replace("\\url{", "").replace("}", "").replace("\\_", "_").replace("\\%", "%"),
        "keywords": get("keywords") or get("keyword"),
        "language": get("langid") or get("language"),
        "code": get("code") or get("github") or get("note"),
    }


def _bare(value: str) -> str:
    """A value without the braces or quotes around all of it (entries with a repeated field keep theirs)."""
    if len(value) > 1 and (value[0], value[-1]) in (("{", "}"), ('"', '"')) and _closes_last(value):
        return value[1:-1].strip()
    return value


def _closes_last(value: str) -> bool:
    if value[0] == '"':
        return '"' not in value[1:-1]
    depth = 0
    for index, c in enumerate(value):
        depth += (c == "{") - (c == "}")
        if depth == 0:
            return index == len(value) - 1
    return False


def _shelled(title: str) -> str:
    """A title without BibTeX' second pair of braces around all of it."""
    return _bare(title) if title[:1] == "{" else title


def _joined(value: str, strings: dict[str, str]) -> str:
    """A bare value: a @string's name, a number, or pieces joined by #."""
    parts = [piece.strip() for piece in value.split("#")]
    return "".join(part[1:-1] if part[:1] in '{"' else strings.get(part.lower(), part) for part in parts)


def _arxiv_note(values: dict[str, str]) -> str:
    found = re.search(
        r"arXiv[: ]+(?:preprint )?(?:arXiv:)?\s*([\w.\-/]+\d)",
        " ".join((values.get("journal", ""), values.get("note", ""), values.get("volume", ""))),
        re.I,
    )
    return found[1] if found else ""


def plain(value: str) -> str:
    r"""A name as text: LaTeX accents and braces decoded.

    >>> plain('Sch{\\"o}lkopf'), plain("Proceedings of the {ACL}")
    ('Schölkopf', 'Proceedings of the ACL')
    """
    if "\\" in value or "{" in value or "~" in value or "$" in value:
        from pylatexenc.latex2text import LatexNodes2Text

        try:
            return " ".join(LatexNodes2Text(keep_comments=True).latex_to_text(value.replace("%", "\\%").replace("\\\\%", "\\%")).split())
        except Exception:  # hostile LaTeX: the name stays as written
            return value
    return " ".join(value.split())


def person(name: str) -> str:
    r"""A person's name in reading order.

    >>> person('M{\\"u}ller, J. K.'), person("van den Berg, Jr., Ann"), person("{OpenAI}")
    ('J. K. Müller', 'Ann van den Berg Jr.', 'OpenAI')
    """
    if name.strip().startswith("{") and _closes_last(name.strip()):
        return plain(name)
    parts = [part.strip() for part in plain(name).split(",")]
    if len(parts) == 3:
        return f"{parts[2]} {parts[0]} {parts[1]}".strip()
    return f"{parts[1]} {parts[0]}".strip() if len(parts) == 2 else " ".join(parts)


READER = Reader(
    "bibtex",
    "BibTeX and BibLaTeX",
    (".bib", ".bibtex", ".biblatex"),
    sniff,
    read,
    "@inproceedings{ray2024,\n  title = {Small {N}ets},\n  author = {Ray, Ada and Lee, B.},\n  year = {2024},\n  abstract = {We propose …},\n}\n",
)
