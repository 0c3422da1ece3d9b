"""The bytes of an XML document for its parser, each record whole: one that is too large is passed over before the parser sees it."""

import io
import re
from html.entities import html5
from typing import IO
from xml.sax.saxutils import escape

from kg.readers import limits

TOO_LARGE = "kg-too-large"
"""The element that stands for a record which was passed over; its text is how that began."""
_NEAR = 400
"""No tag's name, and no named character, is longer (bytes)."""
TEXT = 9_000_000
"""The longest text without a tag (bytes): beyond 10 million libxml2 ends the document."""
_NAMED = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,30});")
_TAGS = re.compile(rb"<(?:(/)[^<>]*|[^\s<>!?/][^<>]*?(/)?)>")
_OPEN_END = re.compile(rb"[<&][^<>&;]*\Z")
_XML_OWN = {b"amp", b"lt", b"gt", b"quot", b"apos"}


class Bounded(io.RawIOBase):
    """Holds each record back until it ends, and writes TOO_LARGE in place of one beyond the bound, so that memory stays that of the bound.

    The named characters of HTML (&nbsp; &alpha;) are written as numbers, which XML knows without a DTD.

    Args:
        stream: the document.
        tags: the local names of the records' elements.
        plain: whether the document is in an encoding whose ASCII bytes are ASCII characters; in others nothing is held back or replaced.

    Raises:
        SyntaxError: in place of reading on, when no record comes within the bound.

    """

    def __init__(self, stream: IO[bytes], tags: tuple[str, ...], *, plain: bool) -> None:
        names = "|".join(map(re.escape, tags)).encode()
        self._marks = re.compile(rb"<(?:(?:[\w.-]+:)?(%b)(?=[\s/>])|/(?:[\w.-]+:)?(%b)\s*>)" % (names, names))
        self._stream = stream
        self._plain = plain
        self._held = bytearray()
        self._seen = 0
        self._record = b""
        self._large = b""
        self._outside = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Some bytes of the document, b"" at its end; more than `size` when a record is larger."""
        while data := self._stream.read(max(size, limits.CHUNK)):
            if not self._plain:
                return self._counted(data)
            self._held += data
            if passed := self._passed():
                return _NAMED.sub(_numbered, passed)
        rest, self._held = bytes(self._held), bytearray()
        if self._large:
            rest, self._large = _stand_in(self._large), b""
        return _NAMED.sub(_numbered, rest) if self._plain else rest

    def renew(self) -> None:
        """Another record was read: as much may come before the next."""
        self._outside = 0

    def _counted(self, data: bytes) -> bytes:
        self._outside += len(data)
        if self._outside > limits.RECORD:
            raise SyntaxError(f"no record within {limits.RECORD >> 20} MiB")
        return data

    def _passed(self) -> bytes:
        """What of the bytes held need not be held any longer."""
        held, passed, begin = self._held, bytearray(), 0
        for match in self._marks.finditer(held, self._seen):
            self._seen = match.end()
            if self._large:
                if match[2] == self._record:
                    passed += _stand_in(self._large)
                    self._large, self._record, begin = b"", b"", match.end()
            elif match[1]:
                passed += held[begin : match.start()]
                self._record, begin = match[1], match.start()
            else:
                if self._record and _too_large(held, begin, match.end()):
                    passed += _stand_in(held[begin : begin + _NEAR])
                else:
                    passed += held[begin : match.end()]
                self._record, begin = b"", match.end()
        if self._record and not self._large and len(held) - begin > limits.RECORD:
            self._large = bytes(held[begin : begin + _NEAR])
        if self._large:
            begin = max(begin, len(held) - _NEAR)
        elif not self._record:
            half = _OPEN_END.search(held, max(begin, len(held) - _NEAR))
            end = half.start() if half else len(held)
            passed += self._counted(bytes(held[begin:end]))
            begin = end
        del held[:begin]
        self._seen = max(self._seen - begin, len(held) - _NEAR, 0)
        return bytes(passed)


def _depth(record: bytes | bytearray) -> int:
    """How deep the elements of a record are nested, itself counted."""
    depth = deepest = 0
    for end, alone in _TAGS.findall(record):
        depth += -1 if end else not alone
        deepest = max(deepest, depth)
    return deepest


def _too_large(held: bytearray, begin: int, end: int) -> bool:
    """Whether a record is more than the bound, or holds a text or a depth that the parser would stop at."""
    if end - begin > limits.RECORD or (end - begin > TEXT and max(map(len, held[begin:end].split(b"<"))) > TEXT):
        return True
    return held.count(b"<", begin, end) > limits.NESTING and _depth(held[begin:end]) > limits.NESTING


def _stand_in(start: bytes | bytearray) -> bytes:
    shown = escape(start.decode("ascii", "ignore")[:80])
    return f"<{TOO_LARGE}>{shown}</{TOO_LARGE}>".encode()


def _numbered(match: re.Match[bytes]) -> bytes:
    if match[1] in _XML_OWN:
        return match[0]
    text = html5.get(match[1].decode() + ";", "")
    return "".join(f"&#{ord(c)};" for c in text).encode() or match[0]
