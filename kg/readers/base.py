"""What readers share: the loose fields of a record, the opened input, the look at its first bytes, and the Reader itself."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any, TypedDict

from kg.readers import encoding


class Fields(TypedDict, total=False):
    """A record in kg's names, values still loose: strings, numbers, lists, or the objects of the format. `kg.readers.fields` tidies them."""

    id: Any
    title: Any
    abstract: Any
    authors: Any
    year: Any
    venue: Any
    doi: Any
    arxiv: Any
    openreview: Any
    acl: Any
    pmid: Any
    url: Any
    code: Any
    keywords: Any
    language: Any
    offset: int | None


@dataclass(frozen=True, slots=True)
class Record:
    """One record: `place` is its line, index or key in the file."""

    place: str
    fields: Fields


@dataclass(frozen=True, slots=True)
class Fault:
    """A record, or the rest of a file (`place` is ""), that cannot be read."""

    place: str
    reason: str
    remedy: str = ""
    start: str = ""


@dataclass(slots=True)
class Input:
    """One opened file or archive member. `stream` yields its unpacked bytes once; `file` is set when those are a file's own bytes.

    `line` is the number of its first line, more than 1 when it is a part of a file of lines.
    """

    name: str
    label: str
    stream: BufferedReader
    head: bytes
    file: Path | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    full_text: bool = False
    line: int = 1

    def utf8(self) -> BufferedReader:
        """The bytes as UTF-8 without a byte order mark, whatever encoding the file has; bytes that are not UTF-8 in a UTF-8 file stay."""
        return encoding.as_utf8(self.stream, self.head)

    def text(self) -> Iterator[str]:
        """The decoded text in pieces, line ends as they are; a byte that does not decode becomes a lone surrogate, which `fields.paper` refuses."""
        return encoding.decoded(self.stream, self.head)


PACKED = (".gz", ".bz2", ".xz", ".lzma", ".zst", ".zstd")


@dataclass
class Look:
    """The first bytes of an input, and what is derived from them once for all readers. `complete` says that they are the whole input."""

    name: str
    head: bytes
    complete: bool = False

    @cached_property
    def suffix(self) -> str:
        """The lower-case file ending, a compression's ending cut off."""
        path = Path(self.name.lower())
        return Path(path.stem).suffix if path.suffix in PACKED else path.suffix

    @cached_property
    def text(self) -> str:
        """The decoded first bytes, "" when they are not text."""
        if encoding.is_binary(self.head):
            return ""
        return "".join(encoding.decoded(BufferedReader(BytesIO(self.head)), self.head))

    @cached_property
    def record(self) -> dict[str, Any] | None:
        """The first JSON object, taken out of the array or page that holds it."""
        from kg.readers.json_stream import first

        return first(self.head)

    @cached_property
    def root(self) -> str:
        """The name of the XML root element without its prefix, a blank, and its start tag up to `>`: `feed <feed xmlns="…">`."""
        from kg.readers.xml_stream import root

        return root(self.text)


@dataclass(frozen=True, slots=True)
class Reader:
    """One format. `sniff` decides by content (and by the ending only where content is not enough); `read` streams the records."""

    name: str
    about: str
    suffixes: tuple[str, ...]
    sniff: Callable[[Look], bool]
    read: Callable[[Input], Iterator[Record | Fault]]
    example: str
    extra: str = ""
