"""JSON in any arrangement → its objects, one at a time: lines, an array, a page with the array inside, objects one after another.

The cutting into records is done here and not by a streaming parser (ijson was weighed), because such a parser ends at the first fault,
sets no bound on one value, and is slower than finding the borders and giving each record to orjson.
"""

import codecs
import json
import re
import reprlib
from collections.abc import Iterator
from io import BufferedReader, BytesIO
from typing import Any

import orjson

from kg.readers import encoding
from kg.readers.base import Fault, Input
from kg.readers.limits import CHUNK, LINE, NESTING, RECORD

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
STRING_HINT = 'write each as {"abstract": "…"}, or as a text, one abstract a paragraph'
HINT = "check the record with a JSON tool (python -m json.tool)"
_TOGETHER = re.compile(rb"\}\s*(?:\xef\xbb\xbf)?\{")
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse(data: bytes) -> Any:
    """One JSON value. What orjson refuses and writers still write (NaN, lone surrogates, raw tabs) is read by the standard library.

    Raises:
        ValueError: no JSON; the message is short and says where.

    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        if data.startswith(codecs.BOM_UTF8):
            # Where files were put one behind the other, each may have its mark.
            return parse(data.lstrip(codecs.BOM_UTF8))
        first_error = str(error)
    try:
        return _mended(json.loads(data.decode("utf-8"), strict=False))
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: byte 0x{data[error.start]:02x} at {error.start}") from None
    except RecursionError:
        raise ValueError("brackets nested too deep") from None
    except ValueError:
        raise ValueError(f"not JSON: {first_error[:120]}") from None


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", key): _mended(item) for key, item in value.items()}
    return value


def objects(source: Input) -> Iterator[tuple[str, dict[str, Any]] | Fault]:
    """The JSON objects of an input with their place: the line (JSON Lines) or the number of the record (all else), from 1."""
    stream = source.utf8()
    values = _lines(stream, source.line) if is_lines(source.head) else _values(stream)
    for place, data in values:
        if isinstance(data, Fault):
            yield data
            continue
        try:
            value = parse(data)
        except ValueError as error:
            yield from _several(place, data) or [Fault(place, str(error), HINT, shown(data))]
            continue
        yield from _unwrapped(place, value)


def _several(place: str, data: bytes) -> list[tuple[str, dict[str, Any]] | Fault]:
    """The objects of a line that holds more than one, as where files without a last line end were put one behind the other; none for any other."""
    if not _TOGETHER.search(data):
        return []
    parts = [part for _, part in _values(BufferedReader(BytesIO(data)))]
    try:
        found = [parse(part) for part in parts if isinstance(part, bytes)]
    except ValueError:
        return []
    if len(found) < max(2, len(parts)):
        return []
    return [item for number, value in enumerate(found, 1) for item in _unwrapped(f"{place}.{number}", value)]


def shown(data: bytes) -> str:
    """How a broken record begins, to be shown."""
    return data[:200].decode("utf-8", "replace").strip()[:80]


def first(head: bytes) -> dict[str, Any] | None:
    """The first JSON object within the first bytes of a file, or None when they hold none that is complete."""
    if not _plain(head[:4096]).lstrip(b" \t\r\n").startswith((b"{", b"[")):
        return None
    found = objects(Input("", "", BufferedReader(BytesIO(head)), head))
    return next((item[1] for item in found if not isinstance(item, Fault)), None)


def _plain(head: bytes) -> bytes:
    """The first bytes in UTF-8 without a byte order mark."""
    return encoding.as_utf8(BufferedReader(BytesIO(head)), head).read()


def is_lines(head: bytes) -> bool:
    """Whether the first bytes of a file begin JSON Lines, by its first line, or by the next when the first is broken."""
    head = _plain(head)
    line = head.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0].strip()
    if not line.startswith(b"{"):
        return False
    try:
        return isinstance(parse(line), dict)
    except ValueError:
        # A broken first line is still a line when another object starts right below it.
        rest = head.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 2)
        return line.endswith(b"}") and len(rest) > 1 and rest[1].startswith(b"{")


def _lines(stream: BufferedReader, first_line: int) -> Iterator[tuple[str, bytes | Fault]]:
    number = first_line - 1
    readline = stream.readline
    while line := readline(LINE + 1):
        number += 1
        if len(line) > LINE and not line.endswith(b"\n"):
            while (more := readline(CHUNK)) and not more.endswith(b"\n"):
                pass
            yield (
                str(number),
                Fault(str(number), f"a line of more than {LINE >> 20} MiB", "split the record, or leave its full text out", shown(line)),
            )
        elif not line.isspace():
            yield str(number), line


def _unwrapped(place: str, value: Any) -> Iterator[tuple[str, dict[str, Any]] | Fault]:
    if isinstance(value, dict):
        inner = _page(value)
        if inner is None:
            yield place, value
            return
        for number, (key, item) in enumerate(inner, 1):
            at = key or (f"{place}.{number}" if place != "1" else str(number))
            if isinstance(item, dict):
                yield at, item
            else:
                yield _no_object(at, item)
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        for number, item in enumerate(value, 1):
            yield f"{place}.{number}", item
    else:
        yield _no_object(place, value)


def _no_object(place: str, value: Any) -> Fault:
    if isinstance(value, str):
        return Fault(place, "a bare string, not a JSON object", STRING_HINT, value[:80])
    return Fault(place, "not a JSON object", HINT, reprlib.repr(value)[:80])


def _page(value: dict[str, Any]) -> list[tuple[str, Any]] | None:
    """The records of a page, or of an object that maps ids to records; None when the object is a record itself."""
    if "title" in value or "abstract" in value:
        return None
    for key in PAGES:
        inner = value.get(key)
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            return [("", item) for item in inner]
        if isinstance(inner, dict) and "title" in inner:
            return [("", inner)]
        if isinstance(inner, dict) and (page := _page(inner)) is not None:
            return page
    if value and all(isinstance(item, dict) and ("title" in item or "abstract" in item) for item in value.values()):
        return [(key, {"id": key, **item}) for key, item in value.items()]
    return None


_TOKEN = re.compile(rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|["{}\[\]]', re.DOTALL)
_NEXT_OBJECT = re.compile(rb"\n[ \t]{0,8}(?=\{)")
_OPEN = (b"{", b"[")
_CLOSE = (b"}", b"]")


class _Cutter:
    """Finds the borders of records in a stream of JSON by its brackets and strings alone. `at` is where in the buffer reading has come to."""

    def __init__(self, stream: BufferedReader) -> None:
        self._read = stream.read1
        self.buffer = b""
        self.at = 0
        self.ended = False

    def more(self) -> bool:
        """Read a piece more; False at the end."""
        piece = b"" if self.ended else self._read(CHUNK)
        self.ended = not piece
        self.buffer += piece
        return not self.ended

    def token(self, at: int) -> re.Match[bytes] | None:
        """The next string or bracket; None at the end, a lone quote for a string that does not end on its line."""
        while True:
            match = _TOKEN.search(self.buffer, at)
            lone = match is not None and match[0] == b'"'
            if match and (not lone or self.buffer.find(b"\n", match.start()) >= 0 or len(self.buffer) - at > RECORD):
                return match
            if not match:
                at = len(self.buffer)
            if not self.more():
                return match

    def trim(self) -> None:
        """Forget what was read."""
        if self.at > CHUNK:
            self.buffer = self.buffer[self.at :]
            self.at = 0


def _values(stream: BufferedReader) -> Iterator[tuple[str, bytes | Fault]]:
    """The records of a stream: the elements of each array at the top or under a PAGES key, and every other object at the top."""
    cut = _Cutter(stream)
    number = 0
    inside = page = False
    while match := cut.token(cut.at):
        gap = cut.buffer[cut.at : match.start()].strip(b", \t\r\n\x1e\xef\xbb\xbf")
        mark, cut.at = match[0], match.start()
        if gap and (inside or not page):
            number += 1
            yield str(number), Fault(str(number), "not a JSON object", HINT, shown(gap))
        if mark == b"]" and inside:
            inside, cut.at = False, match.end()
        elif mark in _CLOSE or (page and not inside):
            page, cut.at = page and mark != b"}", match.end() if mark not in _OPEN else _skipped(cut)
        elif mark == b"[" and not inside:
            inside, cut.at = True, match.end()
        elif mark == b"{" and not inside and _enter_page(cut):
            inside = page = True
        else:
            number += 1
            yield str(number), _element(cut, str(number))
        cut.trim()


def _skipped(cut: _Cutter) -> int:
    """Where the value at `at` ends: a part of a page that holds no records."""
    at, depth = cut.at, 0
    while match := cut.token(at):
        depth += (match[0] in _OPEN) - (match[0] in _CLOSE)
        at = match.end()
        if depth <= 0 or at - cut.at > RECORD:
            return at
    return len(cut.buffer)


def _enter_page(cut: _Cutter) -> bool:
    """Whether the object at `at` is a page: then `at` is moved to behind the bracket of its records."""
    at, depth, key = cut.at + 1, 1, b""
    while depth and (match := cut.token(at)):
        mark = match[0]
        if mark == b'"' or (mark in (b'"title"', b'"abstract"') and depth == 1):
            return False
        if depth == 1 and mark == b"[" and key.decode("utf-8", "replace") in PAGES:
            following = cut.token(match.end())
            if following and following[0] == b"{" and cut.buffer[match.end() : following.start()].isspace() | (match.end() == following.start()):
                cut.at = match.end()
                return True
        key = mark[1:-1] if depth == 1 and mark[:1] == b'"' else key
        depth += (mark in _OPEN) - (mark in _CLOSE)
        at = match.end()
        if at - cut.at > RECORD or depth > NESTING:
            return False
    return False


def _element(cut: _Cutter, place: str) -> bytes | Fault:
    """Take the record at `at`."""
    at, depth = cut.at, 0
    while match := cut.token(at):
        mark = match[0]
        at = match.end()
        depth += (mark in _OPEN) - (mark in _CLOSE)
        if mark == b'"' and cut.ended and cut.buffer.find(b"\n", at) < 0:
            break
        if mark == b'"' or depth > NESTING or at - cut.at > RECORD:
            return _broken(cut, place, mark == b'"', depth)
        if depth <= 0:
            data = cut.buffer[cut.at : at]
            cut.at = at
            return data
    data, cut.at = cut.buffer[cut.at :], len(cut.buffer)
    return Fault(place, "the record does not end (truncated file)", "get the file again", shown(data))


def _broken(cut: _Cutter, place: str, open_string: bool, depth: int) -> Fault:
    """Skip a broken record: on to the next line that starts an object."""
    begin = shown(cut.buffer[cut.at : cut.at + 200])
    at = cut.at + 1
    while not (match := _NEXT_OBJECT.search(cut.buffer, at)):
        cut.buffer, at = cut.buffer[max(at, len(cut.buffer) - 16) :], 0
        if not cut.more():
            break
    cut.at = match.end() if match else len(cut.buffer)
    if open_string:
        return Fault(place, "not JSON: a string does not end on its line", HINT, begin)
    if depth > NESTING:
        return Fault(place, f"brackets nested deeper than {NESTING}", "leave the nested part out", begin)
    return Fault(place, f"a record of more than {RECORD >> 20} MiB", "split it, or leave its full text out", begin)
