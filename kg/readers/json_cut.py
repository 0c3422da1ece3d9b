"""Cuts a stream of JSON into its records by brackets and strings alone, in the memory of one record.

This is done here and not by a streaming parser (ijson was weighed), because such a parser ends at the first fault, sets no bound on one value,
and is slower than finding the borders and giving each record to orjson.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from io import BufferedReader

from kg.readers.base import Fault
from kg.readers.limits import CHUNK, NESTING, RECORD

PAGES = (
    "results",
    "notes",
    "data",
    "papers",
    "works",
    "items",
    "records",
    "entries",
    "articles",
    "hits",
    "docs",
    "publications",
    "message",
    "response",
)
"""Keys under which a page of an API's answer holds its records."""
HINT = "check the record with a JSON tool (python -m json.tool)"
_STRING = rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
_TOKEN = re.compile(rb'[^"{}\[\]]*+(' + _STRING + rb'|["{}\[\]])?', re.DOTALL)
"""The next string or bracket; a lone quote for a string that does not end here, nothing at the end."""
_BRACKET = re.compile(rb'(?:[^"{}\[\]]++|' + _STRING + rb')*+(["{}\[\]])?', re.DOTALL)
"""The same with whole strings passed over."""
_INSIDE = re.compile(rb'[^"\\\n]*+(?:\\.[^"\\\n]*+)*+', re.DOTALL)
_NEXT_OBJECT = re.compile(rb"\n[ \t]{0,8}(?=\{)")
_OPEN = (b"{", b"[")
_CLOSE = (b"}", b"]")
_SHORT = 100
"""Strings from this length on (bytes) are no keys that matter here."""
Token = tuple[bytes, int, int]
"""A bracket, a string, or a lone quote for a string that does not end on its line; where it starts and ends in the buffer."""


def shown(data: bytes) -> str:
    """How a broken record begins, to be shown."""
    return data[:200].decode("utf-8", "replace").strip()[:80]


class _Cutter:
    """Finds the borders of records in a stream of JSON by its brackets and strings alone.

    `at` is where in the buffer the value starts that is being read. Of one beyond the bound only how it began is kept, in `large`.
    """

    def __init__(self, stream: BufferedReader) -> None:
        self._stream = stream
        self.buffer = b""
        self.at = 0
        self.large = b""
        self.ended = False

    def more(self, at: int) -> int:
        """Read a piece more and return where the place `at` is then in the buffer."""
        size = len(self.buffer) - self.at
        if size > RECORD:
            self.large = self.large or self.buffer[self.at : self.at + 200]
            self.buffer, self.at, at = self.buffer[at:], 0, 0
        # Larger pieces for larger values, which would else be copied with each.
        piece = b"" if self.ended else self._stream.read1(CHUNK) if size < 4 * CHUNK else self._stream.read(min(size, RECORD // 4))
        self.ended = not piece
        self.buffer += piece
        return at

    def token(self, at: int, *, strings: bool = True) -> Token | None:
        """The next string or bracket from `at` on, or bracket alone; None at the end."""
        pattern = _TOKEN if strings else _BRACKET
        while True:
            match = pattern.match(self.buffer, at)
            assert match is not None
            mark: bytes | None = match[1]
            if mark is None:
                at = self.more(match.end())
                if self.ended:
                    return None
            elif mark != b'"':
                return mark, match.start(1), match.end(1)
            else:
                token = self._string(match.start(1))
                if strings or token[0] == b'"':
                    return token
                at = token[2]

    def _string(self, start: int) -> Token:
        """A string of which the buffer holds only the beginning."""
        at = start + 1
        while True:
            match = _INSIDE.match(self.buffer, at)
            at = match.end() if match else at
            end = self.buffer[at : at + 1]
            if end == b'"':
                return self.buffer[start : at + 1] if start >= 0 and at - start < _SHORT else b'""', max(start, 0), at + 1
            now = at if end == b"\n" else self.more(at)
            start -= at - now
            if end == b"\n" or self.ended:
                return b'"', max(start, 0), max(start + 1, 0)
            at = now

    def trim(self) -> None:
        """Forget what was read."""
        if self.at > CHUNK:
            self.buffer = self.buffer[self.at :]
            self.at = 0

    def begin(self) -> bytes:
        """How the value that is being read begins."""
        begin, self.large = self.large or self.buffer[self.at : self.at + 200], b""
        return begin


def values(stream: BufferedReader) -> Iterator[tuple[str, bytes | Fault]]:
    """The records of a stream: the elements of each array at the top or under a PAGES key, and every other object at the top."""
    cut = _Cutter(stream)
    number = 0
    inside = page = False
    while token := cut.token(cut.at):
        mark, start, end = token
        if cut.large and mark == b'""':
            number, cut.at = number + 1, end
            yield str(number), _too_large(str(number), cut.begin())
            continue
        gap = cut.begin() if cut.large else cut.buffer[cut.at : start].strip(b", \t\r\n\x1e\xef\xbb\xbf")
        cut.at = start
        if gap and (inside or not page):
            number += 1
            yield str(number), Fault(str(number), "not a JSON object", HINT, shown(gap))
        if mark == b"]" and inside:
            inside, cut.at = False, end
        elif mark in _CLOSE or (page and not inside):
            page, cut.at = page and mark != b"}", end if mark not in _OPEN else _skipped(cut)
        elif mark == b"[" and not inside:
            inside, cut.at = True, end
        elif mark == b"{" and not inside:
            found = _enter_page(cut)
            inside = page = found is True
            if not page:
                number += 1
                yield str(number), _element(cut, str(number)) if isinstance(found, bool) else replace(found, place=str(number))
        else:
            number += 1
            yield str(number), _element(cut, str(number))
        cut.trim()


def _skipped(cut: _Cutter) -> int:
    """Where the value at `at` ends: a part of a page that holds no records."""
    at, depth = cut.at, 0
    while token := cut.token(at, strings=False):
        depth += (token[0] in _OPEN) - (token[0] in _CLOSE)
        at = token[2]
        if depth <= 0:
            break
    cut.large = b""
    return at if token else len(cut.buffer)


def _enter_page(cut: _Cutter) -> bool | Fault:
    """Whether the object at `at` is a page: then `at` is moved to its first record. A Fault for a record that is too large, which is passed over."""
    at, depth, key, record = cut.at + 1, 1, b"", False
    while depth and (token := cut.token(at, strings=depth == 1)):
        mark, _, at = token
        record = record or (depth == 1 and mark in (b'"title"', b'"abstract"'))
        if mark == b'"' or depth > NESTING or (record and not cut.large):
            break
        if not record and depth == 1 and mark == b"[" and key.decode("utf-8", "replace") in PAGES and _at_object(cut, at):
            cut.large = b""
            return True
        key = mark[1:-1] if depth == 1 and mark[:1] == b'"' else key
        depth += (mark in _OPEN) - (mark in _CLOSE)
    if not cut.large:
        return False
    cut.at = at if not depth else len(cut.buffer)
    return _too_large("", cut.begin())


def _at_object(cut: _Cutter, at: int) -> bool:
    """Whether an object stands at `at`, blanks apart; then that is where the cutter goes on."""
    rest = cut.buffer[at:].lstrip()
    while not rest and not cut.ended:
        at = cut.more(at)
        rest = cut.buffer[at:].lstrip()
    if rest.startswith(b"{"):
        cut.at = len(cut.buffer) - len(rest)
        return True
    return False


def _element(cut: _Cutter, place: str) -> bytes | Fault:
    """Take the record at `at`."""
    at, depth = cut.at, 0
    while token := cut.token(at, strings=not depth):
        mark, _, at = token
        depth += (mark in _OPEN) - (mark in _CLOSE)
        if mark == b'"' and cut.ended and cut.buffer.find(b"\n", at) < 0:
            break
        if mark == b'"' or depth > NESTING:
            return _broken(cut, place, depth)
        if depth <= 0:
            data = cut.buffer[cut.at : at]
            fault = _too_large(place, cut.begin()) if cut.large else None
            cut.at = at
            return fault or data
    begin, cut.at = cut.begin(), len(cut.buffer)
    return Fault(place, "the record does not end (truncated file)", "get the file again", shown(begin))


def _too_large(place: str, begin: bytes) -> Fault:
    return Fault(place, f"a record of more than {RECORD >> 20} MiB", "split it, or leave its full text out", shown(begin))


def _broken(cut: _Cutter, place: str, depth: int) -> Fault:
    """Skip a broken record: on to the next line that starts an object."""
    begin = shown(cut.begin())
    at = cut.at + 1
    while not (match := _NEXT_OBJECT.search(cut.buffer, at)):
        cut.buffer, cut.at, at = cut.buffer[max(at, len(cut.buffer) - 16) :], 0, 0
        cut.more(0)
        if cut.ended:
            break
    cut.at = match.end() if match else len(cut.buffer)
    if depth > NESTING:
        return Fault(place, f"brackets nested deeper than {NESTING}", "leave the nested part out", begin)
    return Fault(place, "not JSON: a string does not end on its line", HINT, begin)
