"""IRIs and literals: how ids and texts of the tables become terms, in Python and in SQL.

The local part of an IRI is the id percent-encoded to letters, digits, `-`, `.`, `_` and `:`, which is at once a valid path of an IRI and a valid
local name of a prefixed name (the grammar of Turtle 1.1, PN_LOCAL), so one form serves every syntax.
"""

import re
from urllib.parse import quote, unquote

from kg.errors import KgError

BASE = "https://w3id.org/kg/"
"""Where entities and papers live unless the user names another base IRI."""

ONTOLOGY = "https://w3id.org/kg/ontology#"

_BROKEN_IRI = re.compile(r"[\x00-\x20<>\"{}|^`\\\x7f-\x9f\ud800-\udfff]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
_NO_XML_SQL = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x{9f}\x{fffe}\x{ffff}]"

_FIRST = {"-": "%2D", ".": "%2E"}
"""What the local part of a prefixed name cannot begin with."""
_ESCAPED_SQL = r"""[\x00-\x1f"\\\x7f-\x{9f}\x{fffe}\x{ffff}]"""


def local(identifier: str) -> str:
    """The local part of the IRI of an id.

    >>> local("gsm8k"), local("doi:10.1/a b"), local("-x."), local(".0"), local("强")
    ('gsm8k', 'doi:10.1%2Fa%20b', '%2Dx%2E', '%2E0', '%E5%BC%BA')
    """
    encoded = quote(identifier, safe="", errors="replace").replace("%3A", ":").replace("~", "%7E")
    if encoded.endswith("."):
        encoded = encoded[:-1] + "%2E"
    return _FIRST.get(encoded[:1], encoded[:1]) + encoded[1:]


def identifier(local_part: str) -> str:
    """The id that a local part stands for.

    >>> identifier(local("doi:10.1/a b"))
    'doi:10.1/a b'
    """
    return unquote(local_part, errors="replace")


def entity_iri(entity: str, base: str = BASE) -> str:
    """The IRI of an entity.

    >>> entity_iri("gsm8k")
    'https://w3id.org/kg/entity/gsm8k'
    """
    return f"{base}entity/{local(entity)}"


def paper_iri(paper: str, base: str = BASE) -> str:
    """The IRI of a paper.

    >>> paper_iri("arxiv:2401.01234")
    'https://w3id.org/kg/paper/arxiv:2401.01234'
    """
    return f"{base}paper/{local(paper)}"


def check_base(base: str) -> str:
    """A base IRI with its closing slash; refuses what is no absolute IRI.

    >>> check_base("https://example.org/ml")
    'https://example.org/ml/'
    """
    if not is_iri(base) or "?" in base or "#" in base:
        raise KgError(f"{base!r} cannot be the base of IRIs", hint="an absolute IRI such as https://example.org/ml/")
    return base if base.endswith(("/", ":")) else base + "/"


def is_iri(text: str) -> bool:
    """Whether a text can stand as an absolute IRI in every syntax.

    >>> is_iri("https://a.org/x?y#z"), is_iri("https://a.org/<b>"), is_iri("a b"), is_iri("a:b")
    (True, False, False, True)
    """
    return bool(_SCHEME.match(text)) and not _BROKEN_IRI.search(text)


def plain(text: str) -> str:
    """A text without the characters that XML cannot hold, so that every format holds the same literal.

    >>> plain("a\\x00b\\x85c")
    'abc'
    """
    return _NO_XML.sub("", text).replace("\r\n", "\n").replace("\r", "\n")


def literal(text: str) -> str:
    """A plain literal as N-Triples and Turtle write it.

    >>> print(literal('say "a\\\\b"'))
    "say \\"a\\\\b\\""
    """
    escaped = plain(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def sql_text(text: str) -> str:
    """A text as an SQL string constant."""
    return "'" + text.replace("'", "''") + "'"


def sql_local(expression: str) -> str:
    """The SQL of `local`."""
    encoded = f"replace(replace(url_encode({expression}), '%3A', ':'), '~', '%7E')"
    tail = f"CASE WHEN suffix({encoded}, '.') THEN left({encoded}, -1) || '%2E' ELSE {encoded} END"
    first = " ".join(f"WHEN prefix({tail}, '{sign}') THEN '{code}' || substr({tail}, 2)" for sign, code in _FIRST.items())
    return f"CASE {first} ELSE {tail} END"


def sql_literal(expression: str) -> str:
    """The SQL of `literal`; the escapes are made only where there is something to escape, which is seldom and far cheaper to see."""
    kept = f"regexp_replace({expression}, {sql_text(_NO_XML_SQL)}, '', 'g')"
    lines = f"replace(replace({kept}, chr(13) || chr(10), chr(10)), chr(13), chr(10))"
    escaped = f"""replace(replace(replace({lines}, '\\', '\\\\'), '"', '\\"'), chr(10), '\\n')"""
    return f"""('"' || CASE WHEN regexp_matches({expression}, {sql_text(_ESCAPED_SQL)}) THEN {escaped} ELSE {expression} END || '"')"""


def sql_iri(expression: str) -> str:
    """An outside IRI in angle brackets; NULL when the text cannot be one."""
    legal = '[A-Za-z][A-Za-z0-9+.-]*:[^\\x00-\\x20<>"{}|^`\\\\\\x7f-\\x{9f}]+'
    return f"CASE WHEN regexp_full_match({expression}, {sql_text(legal)}) THEN '<' || {expression} || '>' END"
