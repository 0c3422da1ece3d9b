"""Loose fields → Paper: values tidied, ids found, language told. Markup stays; `kg.text` cleans it later."""

import html
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from kg import identity
from kg.letters import beyond_ascii
from kg.model import Paper, Place, Unread
from kg.readers import language, limits
from kg.readers.base import Fields, Record

_SPACE = re.compile(r"[\s\x00-\x1f\x7f]+")
_ABSTRACT = re.compile(
    r"^\s*(?:<[^<>]{1,40}>\s*)*(?:[*_#]{0,4})(?:abstract|summary)(?:[*_]{0,4})\s*(?:</[^<>]{1,40}>\s*)*(?:[:.—–-]\s*(?:[*_]{0,4})\s*|\n\s*|(?<=>)\s*)",
    re.I,
)
_NOTHING = re.compile(
    r"^\W*(?:n/?a|none|null|nan|no abstract(?: (?:is )?(?:available|provided))?|abstract not available|not available|tbd|undefined|-)?\W*$",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|21\d\d)(?!\d)")
_CODE_LINK = re.compile(
    r"https?://(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|huggingface\.co|codeberg\.org|anonymous\.4open\.science)/[\w./~-]*\w",
    re.IGNORECASE,
)
_ESCAPED = re.compile("[\udc80-\udcff]")
_MISREAD = re.compile(
    "[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]|[\u0080-\u009f]"
)
"""A byte of UTF-8 and its next, as they look once read as Latin-1 or Windows-1252; and the control characters that such texts hold."""
_LIST = re.compile(r"\s*;\s*|\s*\|\s*|\s*•\s*")
_NAME_KEYS = ("fullname", "full_name", "display_name", "name", "literal", "raw_author_name", "title", "value", "term", "keyword", "tag")


def text(value: Any) -> str:
    """A string out of a loose value: the first of a list, the `value` of an object, a number as written; "" for nothing.

    >>> text({"value": "A"}), text(["B", "C"]), text(None), text(3)
    ('A', 'B', '', '3')
    """
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return "" if math.isnan(value) else str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, Mapping):
        return text(next((value[key] for key in ("value", "#text", "text", "content", *_NAME_KEYS) if key in value), None))
    if isinstance(value, Iterable):
        return next((found for item in value if (found := text(item))), "")
    return str(value)


def line(value: Any) -> str:
    """A loose value on one line, without control characters."""
    if value is None:
        return ""
    found = value if type(value) is str else text(value)
    if found.isprintable() and "  " not in found:
        return found.strip(" ")
    return _SPACE.sub(" ", found).strip()


def mended(value: str) -> str:
    """A text without the traces of having been decoded wrongly once, before it came into its file.

    >>> mended("na\u00c3\u00afve"), mended("S\u00c3O PAULO"), mended("caf\u00e9\u2019s")
    ('na\u00efve', 'S\u00c3O PAULO', 'caf\u00e9\u2019s')
    """
    if value.isascii() or len(value) > limits.FULL_TEXT or not _MISREAD.search(beyond_ascii(value)) or not _MISREAD.search(value):
        return value
    import ftfy

    return ftfy.fix_encoding(value)


def _all_mended(values: tuple[str, ...]) -> tuple[str, ...]:
    return values if "".join(values).isascii() else tuple(map(mended, values))


def names(value: Any) -> tuple[str, ...]:
    """People or keywords out of a loose value: a list of strings or objects, or one string with ";", "|", " and " or commas between.

    >>> names("Ada Lovelace and Charles Babbage"), names([{"name": "Ada"}, {"given": "Ada", "family": "King"}]), names("Lovelace, Ada; Babbage, C.")
    (('Ada Lovelace', 'Charles Babbage'), ('Ada', 'Ada King'), ('Lovelace, Ada', 'Babbage, C.'))
    """
    if value is None:
        return ()
    if isinstance(value, str):
        return _unique(line(part) for part in _split(value))
    if isinstance(value, dict):
        inner = value.get("value")
        return names(inner) if isinstance(inner, list | str) else _unique([_name(value)])
    if isinstance(value, Iterable):
        return _unique([item.strip(" ") if type(item) is str and item.isprintable() and "  " not in item else _name(item) for item in value])
    return ()


def people(value: Any) -> tuple[str, ...]:
    """Authors as `names` finds them, each in reading order.

    >>> people("Lovelace, Ada; Babbage, C."), people(["King, Ada", "OpenAI, Inc."])
    (('Ada Lovelace', 'C. Babbage'), ('Ada King', 'OpenAI, Inc.'))
    """
    found = names(value)
    return tuple([_turned(name) for name in found]) if "," in "".join(found) else found


def _turned(name: str) -> str:
    last, comma, first = (part.strip() for part in name.partition(","))
    if not (comma and last and first) or "," in first or first.rstrip(".").lower() in _NO_FIRST_NAMES:
        return name
    return f"{first} {last}"


_NO_FIRST_NAMES = {"jr", "sr", "ii", "iii", "iv", "inc", "ltd", "llc", "gmbh", "phd", "md", "msc", "co"}


def keywords(value: Any) -> tuple[str, ...]:
    """Keywords out of a loose value; a string is parted at ";", "|" or "•", else at commas.

    >>> keywords("nets, pruning"), keywords("graphs, large; nets"), keywords(["a", {"name": "b"}])
    (('nets', 'pruning'), ('graphs, large', 'nets'), ('a', 'b'))
    """
    if isinstance(value, str) and not re.search(r"[;|•]", value):
        return _unique([line(part) for part in re.split(r",|\n", value)])
    return names(value)


def _split(value: str) -> list[str]:
    if parts := [part for part in _LIST.split(value) if part] if re.search(r"[;|•]", value) else []:
        return parts
    if re.search(r"\s+and\s+", value):
        parts = re.split(r"\s+and\s+", value)
        # "A B, C D and E F", but not BibTeX' "B, A and D, C".
        return [piece for part in parts for piece in (part.split(",") if (len(parts) == 2 and part.count(",") > 1) or _spelled(part) else [part])]
    return value.split(",") if value.count(",") > 1 or _spelled(value) else [value]


def _spelled(value: str) -> bool:
    """Whether the commas of a string part people or words, not a last name from a first name."""
    pieces = [piece.split() for piece in value.split(",")]
    return len(pieces) > 1 and all(len(piece) > 1 for piece in pieces)


def _name(item: Any) -> str:
    if isinstance(item, dict):
        author = item.get("author")
        if isinstance(author, Mapping):
            return _name(author) or line(item.get("raw_author_name"))
        first = next((item[key] for key in ("given", "firstName", "first", "first_name", "forenames") if item.get(key)), "")
        last = next((item[key] for key in ("family", "lastName", "last", "last_name", "keyname") if item.get(key)), "")
        if last and not item.get("name"):
            middle = item.get("middle")
            parts = [
                line(first),
                *(names(middle) if isinstance(middle, list) else [line(middle)]),
                line(item.get("non-dropping-particle")),
                line(last),
                line(item.get("suffix")),
            ]
            return " ".join(part for part in parts if part)
    return line(item)


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    found = dict.fromkeys(values)
    found.pop("", None)
    return tuple(found)


def year(value: Any) -> int | None:
    """The year in a loose value: a number, a date in any order, milliseconds since 1970, CSL's date-parts; None for none.

    >>> year("12 May 2021"), year(1690000000000), year({"date-parts": [[2019, 3]]}), year("forthcoming"), year(2024.0)
    (2021, 2023, 2019, None, 2024)
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        if 1500 <= value < 2200:
            return int(value)
        # Milliseconds since 1970: the mean length of a year is enough, borders apart by hours.
        return 1970 + int(value / 31_556_952_000) if 1e11 < value < 7e12 else None
    if isinstance(value, Mapping):
        parts = value.get("date-parts")
        return year(parts[0] if isinstance(parts, list) and parts else text(value) or value.get("raw"))
    if isinstance(value, list | tuple):
        return year(value[0]) if value else None
    match = _YEAR.search(text(value))
    return int(match[1]) if match else None


def links(value: Any) -> tuple[str, ...]:
    """The http links in a loose value."""
    if isinstance(value, str):
        return (value.strip(),) if value.strip().startswith(("http://", "https://")) else ()
    if isinstance(value, Mapping):
        return links(value.get("url") or value.get("URL") or value.get("value"))
    return tuple(link for item in value for link in links(item)) if isinstance(value, list | tuple) else ()


def abstract(value: Any, title: str = "") -> str:
    """An abstract without what is none of it: a leading "Abstract:", the title repeated, and stand-ins such as "N/A".

    >>> abstract("Abstract: We study nets."), abstract("Big Nets. We study nets.", "Big Nets"), abstract("N/A"), abstract("Abstract art is hard.")
    ('We study nets.', 'We study nets.', '', 'Abstract art is hard.')
    """
    found = text(value).strip()
    if found[:1] in "<*_#AaSs" and (match := _ABSTRACT.match(found)):
        found = found[match.end() :]
    if title and len(title) > 5 and found[: len(title)].casefold() == title.casefold():
        rest = found[len(title) :]
        if rest[:1] in (".", ":", "\n") or rest[:2] in (" -", " –"):
            found = rest.lstrip(" .:\n\r-–")
            if match := _ABSTRACT.match(found):
                found = found[match.end() :]
    return "" if len(found) < 40 and _NOTHING.match(found) else found


_SCHEMES = (("arxiv", identity.arxiv), ("acl", identity.acl), ("pmid", identity.pmid))


def _ids(fields: Fields, own: str, url: str) -> dict[str, str]:
    """The outside ids of a record, from their own fields, its links and its own id."""
    get = fields.get
    stated = text(get("doi"))
    found = dict.fromkeys(("doi", "arxiv", "openreview", "acl", "pmid"), "")
    if stated:
        found["doi"] = identity.doi(stated)
    if value := line(get("openreview")):
        found["openreview"] = identity.openreview(value) if "/" in value else value
    for scheme, tidy in _SCHEMES:
        if (stands := get(scheme)) and (value := text(stands)):
            found[scheme] = tidy(value)
    for place in (stated, url, own):
        if place:
            _ids_in(place, found)
    return found


def _ids_in(place: str, found: dict[str, str]) -> None:
    """Fill the ids that are still missing from a link, DOI or own id."""
    if not found["doi"] and "10." in place:
        found["doi"] = identity.doi(place)
    if not found["arxiv"] and "rxiv" in place.lower():
        found["arxiv"] = identity.arxiv(place, bare=False)
    if not found["openreview"] and "openreview.net" in place:
        found["openreview"] = identity.openreview(place)
    if not found["acl"] and ("acl" in place or "10.18653/v1/" in place):
        found["acl"] = identity.acl(place)
    if not found["pmid"] and "ncbi.nlm.nih.gov" in place:
        found["pmid"] = identity.pmid(place)


def _code(fields: Fields, body: str) -> tuple[str, ...]:
    stated = fields.get("code")
    if not stated and "://" not in body:
        return ()
    found = list(links(stated))
    if isinstance(stated, str) and not found:
        found = _CODE_LINK.findall(stated)
    if (first := body.find("://")) >= 0:
        found += _CODE_LINK.findall(body, max(0, first - len("https")))
    return _unique(found)


def _unescaped(value: str) -> str:
    """HTML entities of a one-line field; texts keep theirs."""
    return html.unescape(value) if "&" in value and ";" in value else value


def paper(source: str, label: str, record: Record) -> Paper | Unread:
    """The paper of a record, or why it is none: neither title nor abstract, or bytes that are not text.

    A paper with a title alone is kept: its title names things too.
    """
    get = record.fields.get
    title, body = line(mended(text(get("title")))), text(get("abstract"))
    if len(title) > limits.TITLE and not body:
        title, body = "", text(get("title"))
    stripped = abstract(mended(body), title)
    if title and len(title) < 20 and _NOTHING.match(title):
        title = ""
    own = line(get("id"))
    if not title and not stripped:
        return Unread(
            source, record.place, "neither a title nor an abstract", "leave the record out, or name its columns with --map", _start(record.fields)
        )
    if not (title.isascii() and stripped.isascii()) and (damaged := _ESCAPED.search(title) or _ESCAPED.search(stripped)):
        reason = f"not UTF-8: byte 0x{ord(damaged[0]) - 0xDC00:02x} in the text"
        return Unread(source, record.place, reason, "convert the file to UTF-8", _start(record.fields))
    url = get("url")
    url = url.strip() if type(url) is str and url.startswith("http") else next(iter(links(url)), "")
    offset: int | None = record.fields.get("offset")
    if offset is not None:
        # The text that offsets count in is the file's own only without a title in front.
        offset = offset + body.find(stripped) if not title and stripped in body else None
    draft = Paper(
        id="",
        title=title,
        abstract=stripped,
        places=(Place(source, own or record.place, offset),),
        authors=_all_mended(people(get("authors"))),
        year=year(get("year")),
        venue=_unescaped(mended(line(get("venue")))),
        url=url,
        code=_code(record.fields, stripped),
        keywords=_all_mended(keywords(get("keywords"))),
        language=language.detect(stripped or title, language.code(stated) if (stated := line(get("language"))) else ""),
        **_ids(record.fields, own, url),
    )
    return _with_id(draft, f"{label}#{own}" if own else "")


def _with_id(draft: Paper, own: str) -> Paper:
    if len(own) > limits.KEY:
        own = f"{own[: limits.KEY - 20]}…{identity.text_hash(own)}"
    # The draft is not shared yet, and dataclasses.replace costs as much as all the rest.
    object.__setattr__(draft, "id", identity.paper_id(draft, own))
    return draft


def _start(fields: Fields) -> str:
    return next(
        (f"{key}: {shown}" for key, value in fields.items() if key != "offset" and (shown := str(value)[:80].encode("utf-8", "replace").decode())), ""
    )
