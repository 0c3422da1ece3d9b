"""How the readers of known JSON sources are built: a test on one record, and a function from record to fields."""

import reprlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.json_generic import pick
from kg.readers.json_stream import objects

Json = dict[str, Any]


def shape(name: str, about: str, matches: Callable[[Json], bool], fields: Callable[[Json, Input], Fields | Fault], example: str) -> Reader:
    """A reader for one source of JSON.

    Args:
        name: the format's name.
        about: what it is, in a line.
        matches: whether a record is of this source; asked for the first to recognise a file, and for every one to read it.
        fields: the fields of a record, or why it is no paper.
        example: a small file of this format.

    """

    def sniff(look: Look) -> bool:
        return look.record is not None and matches(look.record)

    return Reader(name, about, (".json", ".jsonl", ".ndjson"), sniff, partial(_read, matches, fields), example)


def _read(matches: Callable[[Json], bool], fields: Callable[[Json, Input], Fields | Fault], source: Input) -> Iterator[Record | Fault]:
    def found(values: Json, source: Input) -> Fields | Fault:
        return fields(values, source) if matches(values) else pick(values, source.mapping)

    for item in objects(source):
        yield item if isinstance(item, Fault) else record(*item, found, source)


def record(place: str, values: Json, fields: Callable[[Json, Input], Fields | Fault], source: Input) -> Record | Fault:
    """The record of one object.

    Args:
        place: its line or number.
        values: the object.
        fields: its fields, or why it is no paper; may raise what an object of another form than expected makes it raise.
        source: the input, whose `mapping` wins.

    """
    try:
        found = fields(values, source)
    except (TypeError, ValueError, KeyError, AttributeError, IndexError) as error:
        return Fault(place, f"a field is not of the form that this source has: {error}", "check the record", reprlib.repr(values)[:80])
    if isinstance(found, Fault):
        return Fault(place, found.reason, found.remedy, found.start)
    for field, key in source.mapping.items():
        if key in values:
            found[field] = values[key]  # type: ignore[literal-required]
    return Record(place, found)


def child(value: Any, *keys: str) -> Any:
    """The value under nested keys, None where one is missing or not an object.

    >>> child({"a": {"b": 1}}, "a", "b"), child({"a": None}, "a", "b")
    (1, None)
    """
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
