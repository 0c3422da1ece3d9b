"""XML, element by element: no entity of the document's own is expanded, nothing is fetched, memory stays that of one record."""

import re
from collections.abc import Iterator
from typing import Any

from kg.readers import limits
from kg.readers.base import Fault, Input
from kg.readers.xml_bound import TEXT, TOO_LARGE, Bounded

_ROOT = re.compile(r"<((?:[\w.-]+:)?([\w.-]+))((?:\s[^<>]*)?)/?>")
_PROLOG = re.compile(
    r"""\s*+(?:
        <\?(?>.*?\?>)\s*+
        | <!--(?>.*?-->)\s*+
        | <!DOCTYPE(?:[^\[>"']|"[^"]*+"|'[^']*+')*+(?:\[(?>.*?\]\s*+>)|>)\s*+
    )*+""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_DECLARED = re.compile(rb"<!ENTITY", re.IGNORECASE)


def root(text: str) -> str:
    """The local name of the root element, a blank, and its start tag; "" for what is not XML.

    >>> root('<?xml version="1.0"?><!-- x --><a:feed xmlns:a="u"><a:entry/></a:feed>')
    'feed <a:feed xmlns:a="u">'
    """
    if not text.lstrip().startswith("<"):
        return ""
    prolog = _PROLOG.match(text)
    match = _ROOT.match(text, prolog.end() if prolog else 0)
    return f"{match[2]} {match[0]}" if match else ""


def elements(source: Input, *tags: str) -> Iterator[Any]:
    """The elements of these local names, each freed when the next is asked for; Faults for what is broken, after which reading goes on.

    Args:
        source: the input.
        tags: local names; "*" before a name is not needed, any namespace counts.

    """
    from lxml import etree

    if _DECLARED.search(source.head):
        yield Fault("", "the document declares entities of its own, as XML bombs do; it is not read", "save it without its DOCTYPE")
        return
    stream = Bounded(source.stream, tags, plain=b"\x00" not in source.head[:64])
    parser: Any = etree.iterparse(
        stream,
        events=("end",),
        tag=[f"{{*}}{tag}" for tag in (*tags, TOO_LARGE)],
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        recover=True,
        remove_pis=True,
    )
    try:
        for number, (_, element) in enumerate(parser, 1):
            stream.renew()
            yield element if local(element) != TOO_LARGE else _too_large(number, element.text or "")
            _free(element)
    except (etree.LxmlError, SyntaxError) as error:
        yield Fault("", f"not well-formed XML: {str(error)[:160]}; the rest is not read", "check the file with xmllint")
        return
    if errors := list(parser.error_log):
        first = errors[0]
        yield Fault(
            "",
            f"not well-formed XML at line {first.line}: {first.message[:160]}",
            "check the file with xmllint; a record near that line may be incomplete",
        )


def _too_large(number: int, start: str) -> Fault:
    reason = (
        f"a record of more than {limits.RECORD >> 20} MiB, with a text of more than {TEXT // 1_000_000} MB, or nested deeper than {limits.NESTING}"
    )
    return Fault(str(number), reason, "split it, or leave its full text out", start)


def _free(element: Any) -> None:
    element.clear(keep_tail=False)
    while element.getprevious() is not None and element.getparent() is not None:
        del element.getparent()[0]


def local(element: Any) -> str:
    """An element's name without its namespace; "" for comments."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def children(element: Any, *path: str) -> list[Any]:
    """The elements below one by a path of local names."""
    found = [element]
    for name in path:
        found = [child for parent in found for child in parent if local(child) == name]
    return found


def below(element: Any, name: str) -> list[Any]:
    """All descendants of a local name."""
    return list(element.iter(f"{{*}}{name}"))


def one(element: Any, *path: str) -> str:
    """The text of the first element at a path, "" for none."""
    return next((text for child in children(element, *path) if (text := flat(child))), "")


_TEX = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_BLOCKS = {"p", "sec", "title", "div", "head", "AbstractText", "li", "item", "br"}


def flat(element: Any, skip: frozenset[str] = frozenset()) -> str:
    """The text of an element: MathML as its letters (as TeX where the source has that), blocks apart, spaces and line ends collapsed."""
    return " ".join(loose(element, skip).split())


def loose(element: Any, skip: frozenset[str] = frozenset()) -> str:
    """The text of an element as `flat` gives it, with the spaces that it has."""
    parts: list[str] = []
    _collect(element, parts, skip)
    return "".join(parts)


def _collect(element: Any, parts: list[str], skip: frozenset[str]) -> None:
    name = local(element)
    if not name:
        # A comment, or the reference to an entity that nothing defines: shown as it is written.
        parts.append(element.text if str(element.text).startswith("&") else "")
    elif name in skip:
        pass
    elif name == "tex-math" or (name == "alternatives" and below(element, "tex-math")):
        tex = element if name == "tex-math" else below(element, "tex-math")[0]
        text = tex.text or ""
        match = _TEX.search(text)
        parts.append((match[1] if match else text).replace("$$", "$").strip())
    elif name == "math":
        parts.append("".join("".join(element.itertext()).split()))
    else:
        parts.append(element.text or "")
        for child in element:
            _collect(child, parts, skip)
            parts.append(child.tail or "")
        if name in _BLOCKS:
            parts.append(" ")
