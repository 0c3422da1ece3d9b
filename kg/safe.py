"""Text from outside, made safe for formats that cannot hold every character."""

import re
from typing import Any

_UNHOLDABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_NUMBER = re.compile(r"[+-]?\d[\d.,]*%?")


def text(value: str) -> str:
    r"""A string that XML 1.0, JSON and CSV can all hold: control characters and lone surrogates become U+FFFD, so that nothing vanishes unseen.

    >>> text("a\x00b\ud800c\td")
    'a\ufffdb\ufffdc\td'
    """
    return _UNHOLDABLE.sub("\ufffd", value)


def flat(value: Any, separator: str = "; ") -> Any:
    """A value for a cell or attribute that holds one scalar: lists are joined, strings made safe, the rest is as it was.

    >>> flat(["GSM8K", "GSM-8K"]), flat(2024), flat(True)
    ('GSM8K; GSM-8K', 2024, True)
    """
    if isinstance(value, list | tuple):
        return separator.join(text(str(item)) for item in value)
    return text(value) if isinstance(value, str) else value


def deep(value: Any) -> Any:
    """The same value with every string in its lists and dictionaries made safe."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, dict):
        return {name: deep(item) for name, item in value.items()}
    return [deep(item) for item in value] if isinstance(value, list | tuple) else value


def cell(value: Any) -> Any:
    r"""A value for a CSV cell: on one line, and never a formula when a spreadsheet opens the file.

    A cell that begins like a formula gets an apostrophe before it, as OWASP advises for CSV injection; a plain number does not need one.

    >>> cell("=HYPERLINK(1)"), cell("-2.5%"), cell("@user"), cell("two\nlines"), cell(None), cell(True)
    ("'=HYPERLINK(1)", '-2.5%', "'@user", 'two lines', '', 'true')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    plain = flat(value)
    if not isinstance(plain, str):
        return plain
    plain = " ".join(plain.splitlines()) if len(plain.splitlines()) > 1 else plain.rstrip("\r\n")
    return f"'{plain}" if plain.lstrip(" ")[:1] in tuple("=+-@\t\r") and not _NUMBER.fullmatch(plain) else plain
