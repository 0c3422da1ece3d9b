"""JSON in any arrangement → its objects, one at a time: lines, an array, a page with the array inside, objects one after another."""

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
from kg.readers.json_cut import HINT, PAGES, shown, values
from kg.readers.limits import CHUNK, LINE

STRING_HINT = 'write each as {"abstract": "…"}, or as a text, one abstract a paragraph'
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
    found = _lines(stream, source.line) if is_lines(source.head) else values(stream)
    for place, data in found:
        if isinstance(data, Fault):
            yield data
            continue
        try:
            value = parse(data)
        except ValueError as error:
            yield from _several(place, data) or [Fault(place, str(error), HINT, shown(data))]
            continue
        if type(value) is dict and ("title" in value or "abstract" in value):
            yield place, value
        else:
            yield from _unwrapped(place, value)


def _several(place: str, data: bytes) -> list[tuple[str, dict[str, Any]] | Fault]:
    """The objects of a line that holds more than one, as where files without a last line end were put one behind the other; none for any other."""
    if not _TOGETHER.search(data):
        return []
    parts = [part for _, part in values(BufferedReader(BytesIO(data)))]
    try:
        found = [parse(part) for part in parts if isinstance(part, bytes)]
    except ValueError:
        return []
    if len(found) < max(2, len(parts)):
        return []
    return [item for number, value in enumerate(found, 1) for item in _unwrapped(f"{place}.{number}", value)]


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
