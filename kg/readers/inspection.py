"""What a file is and how it will be read: the facts behind `kg inspect`."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from kg.model import Paper, Unread
from kg.readers import Fault, Look, SourceFile, encoding, json_generic, limits, read_input, recognise, table
from kg.readers.opening import opened

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Inspection:
    """One file or archive member.

    `columns` says which key or column was taken for which field, where that was guessed; `not_there` which of the mapped ones the file lacks.
    `problems` holds the first twenty of `unread`.
    """

    source: str
    format: str
    about: str
    encoding: str
    columns: tuple[tuple[str, str], ...]
    not_there: tuple[str, ...]
    papers: int
    unread: int
    without_title: int
    without_abstract: int
    languages: tuple[tuple[str, int], ...]
    first: tuple[Paper, ...]
    problems: tuple[Unread, ...]


def inspect(
    source: SourceFile, *, mapping: Mapping[str, str] = {}, full_text: bool = False, first: int = 2, stdin: BinaryIO | None = None
) -> Iterator[Inspection]:
    """Read a source whole and say what it is, how many papers it holds, and what is wrong with the rest; archives member by member.

    Args:
        source: one of `kg.readers.sources`.
        mapping: field → column or key that holds it.
        full_text: read all text of formats with whole papers.
        first: how many papers to keep as they will be read.
        stdin: read in place of the process' own standard input.

    """
    for item in opened(source, stdin):
        if isinstance(item, Fault):
            name = item.start or source.name
            yield _counted(name, Look(name, b""), [Unread(name, item.place, item.reason, item.remedy)], mapping, first)
            continue
        item.mapping, item.full_text = mapping, full_text
        yield _counted(item.name, Look(item.name, item.head, len(item.head) < limits.HEAD), read_input(item), mapping, first)


def _counted(name: str, look: Look, records: Iterator[Paper | Unread] | list[Paper | Unread], mapping: Mapping[str, str], first: int) -> Inspection:
    reader = recognise(look) if look.head.strip() else None
    keys = _keys(look, reader.name if reader else "")
    papers: list[Paper] = []
    problems: list[Unread] = []
    counts: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    for record in records:
        if isinstance(record, Unread):
            counts["unread"] += 1
            problems += [record][: _SHOWN - len(problems)]
            continue
        counts["papers"] += 1
        counts["without_title"] += not record.title
        counts["without_abstract"] += not record.abstract
        languages[record.language] += 1
        papers += [record][: max(0, first - len(papers))]
    return Inspection(
        source=name,
        format=reader.name if reader else "",
        about=reader.about if reader else "",
        encoding=encoding.detect(look.head) if look.text else "",
        columns=tuple((field, found[0]) for field, found in json_generic.guessed(keys, tuple(mapping.items()))),
        not_there=tuple(name for name in mapping.values() if keys and json_generic.plain(name) not in map(json_generic.plain, keys)),
        papers=counts["papers"],
        unread=counts["unread"],
        without_title=counts["without_title"],
        without_abstract=counts["without_abstract"],
        languages=tuple(sorted(languages.items(), key=lambda pair: (-pair[1], pair[0]))),
        first=tuple(papers),
        problems=tuple(problems),
    )


def _keys(look: Look, name: str) -> tuple[str, ...]:
    """The names of the columns or keys, where fields are guessed by them."""
    if name == "table":
        return tuple(table.header(look.text))
    return tuple(look.record or ()) if name == "json" else ()
