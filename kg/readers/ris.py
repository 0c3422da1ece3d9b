"""RIS, and PubMed's tagged format (.nbib), which looks alike. Records are cut apart here, each is given to rispy."""

import re
from collections.abc import Iterator
from typing import Any

from kg.readers import limits
from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.cutting import Cut, cut

_START = re.compile(r"^\s*(?:TY  ?- |PMID- )", re.MULTILINE)
_BORDER = re.compile(r"^ ?(?=TY  ?- |PMID- )(TY|PMID)", re.MULTILINE)
_TWO_TAGS = re.compile(r"^TY  ?- ?[A-Z]{2,12}\s*\n[A-Z][A-Z0-9]  ?- ", re.MULTILINE)
_END = re.compile(r"^ER  ?-.*\n?", re.MULTILINE)
_TAGS = re.compile(r"^[A-Z][A-Z0-9]  - ", re.MULTILINE)
_TAG = re.compile(r"^([A-Z][A-Z0-9]{1,3})\s*- ?(.*)$")


def sniff(look: Look) -> bool:
    """Whether a text begins with a record, or holds what is one beyond doubt: some sites write lines about themselves first."""
    if _START.match(look.text) or _TWO_TAGS.search(look.text):
        return True
    return look.suffix in (".ris", ".nbib") and _START.search(look.text) is not None


def read(source: Input) -> Iterator[Record | Fault]:
    """The references of a file, numbered from 1."""
    number = 0
    for part in cut(_line_feeds(source.text()), _BORDER):
        if part.mark == "PMID" and not part.long:
            number += 1
            yield Record(str(number), _medline(part.text.lstrip()))
            continue
        # What stands before TY or behind ER is a record that lacks its TY when it has tags.
        for text in (part.text,) if part.long else _END.split(part.text):
            if text.lstrip().startswith("TY") or _TAGS.search(text):
                number += 1
                yield _record(str(number), text.strip(), part)


def _record(number: str, text: str, part: Cut) -> Record | Fault:
    if part.long:
        return Fault(number, f"a record of more than {limits.RECORD >> 20} MiB", "end each record with ER, start the next with TY", text[:80])
    try:
        return Record(number, _ris(text))
    except Exception as error:  # rispy raises several kinds
        return Fault(number, f"not RIS: {error}", "check the record's tags", text[:80])


def _line_feeds(pieces: Iterator[str]) -> Iterator[str]:
    """The text with all line ends as line feeds."""
    carriage = ""
    for piece in pieces:
        # A carriage return at the end may be half of a line end.
        whole = carriage + piece
        carriage = "\r" if whole.endswith("\r") else ""
        yield (whole[:-1] if carriage else whole).replace("\r\n", "\n").replace("\r", "\n")
    yield carriage.replace("\r", "\n")


def _ris(text: str) -> Fields:
    import rispy

    lines = [*([] if text.startswith("TY") else ["TY  - GEN"]), *(line.rstrip() for line in text.splitlines()), "ER  - "]
    found: list[dict[str, Any]] = rispy.loads("\n".join(lines) + "\n", skip_unknown_tags=False)
    get = (found[0] if found else {}).get
    return {
        "id": get("id") or get("accession_number"),
        "title": get("title") or get("primary_title") or get("translated_title"),
        "abstract": get("abstract") or get("notes_abstract"),
        "authors": get("authors") or get("first_authors") or get("secondary_authors"),
        "year": get("year") or get("publication_year") or get("date"),
        "venue": get("journal_name") or get("secondary_title") or get("alternate_title3") or get("alternate_title2") or get("alternate_title1"),
        "doi": get("doi"),
        "url": get("urls") or get("url") or get("link1") or get("link2") or get("link3") or get("link4"),
        "keywords": get("keywords"),
        "language": get("language"),
    }


def _medline(text: str) -> Fields:
    values: dict[str, list[str]] = {}
    tag = ""
    for line in text.splitlines():
        if match := _TAG.match(line):
            tag = match[1]
            values.setdefault(tag, []).append(match[2].strip())
        elif tag and line.startswith("      "):
            values[tag][-1] += " " + line.strip()
    first = {name: found[0] for name, found in values.items()}
    return {
        "id": first.get("PMID"),
        "pmid": first.get("PMID"),
        "title": first.get("TI"),
        "abstract": first.get("AB"),
        "authors": values.get("FAU") or values.get("AU"),
        "year": first.get("DP"),
        "venue": first.get("JT") or first.get("TA"),
        "doi": next((value for name in ("LID", "AID") for value in values.get(name, []) if "[doi]" in value), None),
        "keywords": values.get("OT"),
        "language": first.get("LA"),
    }


READER = Reader(
    "ris",
    "RIS, and PubMed's .nbib",
    (".ris", ".nbib"),
    sniff,
    read,
    "TY  - JOUR\nTI  - Small Nets\nAU  - Ray, Ada\nPY  - 2024\nAB  - We propose …\nDO  - 10.1234/x\nER  - \n",
)
