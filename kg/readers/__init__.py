"""Files → papers. `read` for all paths at once; `sources` and `read_file` for one file at a time; `recognise` says what a file is."""

import codecs
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from kg.errors import InputError
from kg.model import Paper, Unread
from kg.readers import (
    acl_xml,
    arxiv_snapshot,
    atom,
    bibtex,
    csl,
    fields,
    html_list,
    json_generic,
    limits,
    markdown,
    oai,
    openalex,
    openreview,
    paperlists,
    parquet,
    pdf,
    pubmed,
    ris,
    semantic_scholar,
    table,
    tei,
    text_list,
    zotero_rdf,
)  # fmt: skip
from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.opening import opened
from kg.readers.source import SourceFile, content_hash, sources

__all__ = [
    "READERS", "Fault", "Fields", "Input", "Look", "Reader", "Record", "SourceFile", "content_hash", "read", "read_file", "recognise", "sources",
]  # fmt: skip

READERS: tuple[Reader, ...] = (
    pdf.READER,
    parquet.READER,
    openreview.READER,
    arxiv_snapshot.READER,
    openalex.READER,
    semantic_scholar.READER,
    csl.READER,
    paperlists.READER,
    json_generic.READER,
    atom.READER,
    oai.READER,
    acl_xml.READER,
    pubmed.READER,
    pubmed.JATS,
    tei.READER,
    zotero_rdf.READER,
    html_list.READER,
    bibtex.READER,
    ris.READER,
    markdown.READER,
    table.READER,
    text_list.READER,
)
"""All formats, the most particular first: the first whose `sniff` says yes reads the file."""

UNKNOWN = "not a format that kg reads"
UNKNOWN_REMEDY = "kg formats lists the formats; a list of abstracts is read under the ending .txt"


def recognise(look: Look) -> Reader | None:
    """The reader for an input by its first bytes, or None.

    >>> reader = recognise(Look("papers.dat", b'{"title": "Small Nets"}'))
    >>> reader.name if reader else None
    'json'
    """
    return next((reader for reader in READERS if reader.sniff(look)), None)


def read(
    paths: Sequence[str | Path],
    *,
    mapping: Mapping[str, str] = {},
    strict: bool = False,
    full_text: bool = False,
    stdin: BinaryIO | None = None,
) -> Iterator[Paper | Unread]:
    """Stream the papers of files, folders and standard input ("-"), in a fixed order, in bounded memory.

    Args:
        paths: what the user named; folders are walked in the order of their names.
        mapping: field → column or key of the source that holds it, for what is not guessed right: `{"abstract": "Summary"}`.
        strict: stop at the first record or file that cannot be read.
        full_text: of formats with whole papers (PDF, TEI, JATS) take all text, not only the abstract.
        stdin: read in place of the process' own standard input.

    Yields:
        A Paper per record, or an Unread for what cannot be read, where it stands.

    Raises:
        InputError: with `strict`, at the first Unread.

    >>> from io import BytesIO
    >>> [paper.title for paper in read(["-"], stdin=BytesIO(b'{"title": "Small Nets", "abstract": "We prune."}'))]
    ['Small Nets']

    """
    for source in sources(paths, hashed=False):
        for item in read_file(source, mapping=mapping, full_text=full_text, stdin=stdin):
            if strict and isinstance(item, Unread):
                where = f"{item.source}, record {item.record}" if item.record else item.source
                raise InputError(f"{where}: {item.reason}", hint=item.remedy)
            yield item


def read_file(
    source: SourceFile,
    *,
    mapping: Mapping[str, str] = {},
    full_text: bool = False,
    stdin: BinaryIO | None = None,
    on_format: Callable[[str, str], None] = lambda name, known: None,
) -> Iterator[Paper | Unread]:
    """Stream the papers of one source, the members of an archive in their order. Never raises for what is in the file.

    Args:
        source: one of `sources`.
        mapping: field → column or key that holds it.
        full_text: take all text of formats with whole papers.
        stdin: read in place of the process' own standard input.
        on_format: hears the name of each file or member of an archive whose format is known, and the format's.

    """
    for item in opened(source, stdin):
        if isinstance(item, Fault):
            yield Unread(item.start or source.name, item.place, item.reason, item.remedy)
            continue
        item.mapping, item.full_text = mapping, full_text
        yield from read_input(item, on_format)


def read_input(item: Input, on_format: Callable[[str, str], None] = lambda name, known: None) -> Iterator[Paper | Unread]:
    """The papers of one opened input; `on_format` hears its name and its format's."""
    if not item.head.removeprefix(codecs.BOM_UTF8).strip():
        yield Unread(item.name, "", "the file is empty", "")
        return
    reader = recognise(Look(item.name, item.head, len(item.head) < limits.HEAD))
    if reader is None:
        yield Unread(item.name, "", UNKNOWN, UNKNOWN_REMEDY)
        return
    on_format(item.name, reader.name)
    empty = item.line == 1
    try:
        for record in reader.read(item):
            empty = False
            yield paper_of(item, record)
        if empty:
            yield Unread(item.name, "", f"no records: an empty file of the format {reader.name}", "")
    except ModuleNotFoundError as error:
        extra = f"kg[{reader.extra}]" if reader.extra else str(error.name)
        yield Unread(item.name, "", f"reading {reader.name} needs {extra}", f"pip install '{extra}'")
    except Exception as error:  # a library's parser may raise anything on hostile input; the other files must still be read
        yield Unread(
            item.name,
            "",
            f"the file cannot be read as {reader.name}: {type(error).__name__}: {str(error)[:200]}",
            "check the file, or convert it to JSON Lines",
        )


def paper_of(item: Input, record: Record | Fault) -> Paper | Unread:
    """The paper of one record of an opened input, or why it is none."""
    if isinstance(record, Fault):
        return Unread(item.name, record.place, record.reason, record.remedy, record.start)
    return _bounded(item, fields.paper(item.name, item.label, record))


def _bounded(item: Input, read_paper: Paper | Unread) -> Paper | Unread:
    """The paper, unless its text is longer than an abstract can be."""
    bound = limits.FULL_TEXT if item.full_text else limits.ABSTRACT
    if not isinstance(read_paper, Paper) or len(read_paper.abstract) <= bound:
        return read_paper
    size = len(read_paper.abstract)
    place = read_paper.places[0]
    reason = f"the abstract has {size:,} characters, more than {bound:,}"
    return Unread(place.source, place.record, reason, "keep the abstract alone, or use --full-text", read_paper.abstract[:80])
