"""RIS, and PubMed's tagged format (.nbib), which looks alike. Records are cut apart here, each is given to rispy."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.limits import RECORD

_START = re.compile(r"^\s*(?:TY  ?- |PMID- )", re.MULTILINE)
_BORDER = re.compile(r"^(?=TY  ?- )|^(?=PMID- )", re.MULTILINE)
_TAG = re.compile(r"^([A-Z][A-Z0-9]{1,3})\s*- ?(.*)$")


def sniff(look: Look) -> bool:
    return _START.match(look.text) is not None or (look.suffix in (".ris", ".nbib") and _START.search(look.text) is not None)


def read(source: Input) -> Iterator[Record | Fault]:
    """The references of a file, numbered from 1."""
    for number, text in enumerate(_blocks(source.text()), 1):
        if text.startswith("PMID"):
            yield Record(str(number), _medline(text))
            continue
        try:
            yield Record(str(number), _ris(text))
        except Exception as error:  # rispy raises several kinds
            yield Fault(str(number), f"not RIS: {error}", "check the record's tags", text[:80])


def _blocks(pieces: Iterator[str]) -> Iterator[str]:
    buffer, carriage, seen = "", "", 0
    for piece in pieces:
        # A carriage return at the end may be half of a line end.
        whole = carriage + piece
        carriage = "\r" if whole.endswith("\r") else ""
        buffer += (whole[:-1] if carriage else whole).replace("\r\n", "\n").replace("\r", "\n")
        borders = [0, *(match.start() for match in _BORDER.finditer(buffer, max(1, seen), max(1, len(buffer) - 16)))]
        for start, end in itertools.pairwise(borders):
            if _START.match(buffer, start):
                yield buffer[start:end]
        buffer = buffer[borders[-1] :]
        seen = max(0, len(buffer) - 32)
        if len(buffer) > RECORD:
            yield buffer[:RECORD]
            buffer = ""
    borders = [match.start() for match in _BORDER.finditer(buffer)]
    for start, end in zip(borders, [*borders[1:], len(buffer)], strict=True):
        yield buffer[start:end]


def _ris(text: str) -> Fields:
    import rispy

    lines = [line.rstrip() for line in text.splitlines()]
    if not any(line.startswith("ER  -") for line in lines):
        lines.append("ER  - ")
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
