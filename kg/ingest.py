"""Files to the papers table: only new or changed files are read, and the records of one paper become one row."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg import identity, readers
from kg.errors import InputError
from kg.model import Paper, Place, Unread
from kg.tables import columns, insert

if TYPE_CHECKING:
    import duckdb

    from kg.readers import SourceFile

BATCH = 2000
_MEMBER = "options = ''"
"""Whether a row of `sources` is of a member of an archive, which is read with the archive and has no options of its own."""
_PAPER_FIELDS = ("title", "abstract", "authors", "year", "venue", "doi", "arxiv", "openreview", "acl", "pmid", "url", "code", "keywords", "language")


@dataclass(frozen=True, slots=True)
class Ingested:
    """What reading did: files read and skipped as unchanged, records and unread ones in force, papers, and which papers are new, changed or gone."""

    files: int
    unchanged_files: int
    records: int
    unread: int
    papers: int
    new: int
    removed: int


def ingest(
    connection: "duckdb.DuckDBPyConnection",
    paths: Sequence[str | Path],
    *,
    mapping: Mapping[str, str] | None = None,
    strict: bool = False,
    full_text: bool = False,
    on_unread: Callable[[Unread], None] = lambda unread: None,
    on_records: Callable[[int], None] = lambda count: None,
) -> Ingested:
    """Bring `sources`, `records`, `unread`, `papers` and `places` in line with the files under `paths`.

    A file whose content hash and reading options are unchanged, and whose format was noted, is not read again; what a vanished file held leaves.
    `on_unread` hears of each record that cannot be read, those of unchanged files too; `on_records` of the number of records read so far.
    Raises InputError at the first unreadable record when `strict`.
    """
    options = reading_options(mapping or {}, full_text=full_text)
    wanted = {source.name: source for source in readers.sources(paths)}
    noted = "format <> '' OR records = 0"
    known = {
        name: stamp for name, *stamp in connection.execute(f"SELECT source, sha256, options, {noted} FROM sources WHERE NOT {_MEMBER}").fetchall()
    }
    unchanged = {name for name, source in wanted.items() if source.sha256 and known.get(name) == [source.sha256, options, True]}
    _forget(connection, sorted(known.keys() - unchanged))
    fresh = [source for name, source in wanted.items() if name not in unchanged]
    count = 0
    for source in fresh:
        formats: dict[str, str] = {}
        read = readers.read_file(source, mapping=mapping or {}, full_text=full_text, on_format=formats.__setitem__)
        count = _read(connection, source, options, _stopping(read) if strict else read, count, on_records)
        _set_formats(connection, source.name, formats)
    for unread in connection.execute("SELECT * EXCLUDE (file) FROM unread ORDER BY file, rowid").fetchall():
        on_unread(Unread(*unread))
    new, removed = _papers(connection)
    records, unreadable, papers = (_count(connection, table) for table in ("records", "unread", "papers"))
    return Ingested(len(fresh), len(unchanged), records, unreadable, papers, new, removed)


def reading_options(mapping: Mapping[str, str], *, full_text: bool) -> str:
    """What is kept of the options of reading: a file is read again when they change."""
    return json.dumps([sorted(mapping.items()), full_text])


def _count(connection: "duckdb.DuckDBPyConnection", table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0])


def _stopping(read: Iterable[Paper | Unread]) -> Iterator[Paper | Unread]:
    for item in read:
        if isinstance(item, Unread):
            where = f"{item.source}, record {item.record}" if item.record else item.source
            raise InputError(f"{where}: {item.reason}", hint=item.remedy)
        yield item


def _forget(connection: "duckdb.DuckDBPyConnection", names: list[str]) -> None:
    connection.execute(
        f"DELETE FROM sources WHERE {_MEMBER} AND EXISTS (SELECT 1 FROM unnest(?::VARCHAR[]) f(name) WHERE starts_with(source, f.name || '!'))",
        [names],
    )
    for table, column in (("sources", "source"), ("records", "file"), ("unread", "file")):
        connection.execute(f"DELETE FROM {table} WHERE {column} IN (SELECT unnest(?::VARCHAR[]))", [names])


def _read(
    connection: "duckdb.DuckDBPyConnection",
    source: "SourceFile",
    options: str,
    read: Iterable[Paper | Unread],
    count: int,
    on_records: Callable[[int], None],
) -> int:
    stream = iter(read)
    position = unread_count = 0
    while batch := list(islice(stream, BATCH)):
        papers = [item for item in batch if isinstance(item, Paper)]
        unread = [item for item in batch if isinstance(item, Unread)]
        insert(connection, "records", [record_row(paper, position + n, source.name) for n, paper in enumerate(papers)])
        insert(connection, "unread", [unread_row(item, source.name) for item in unread])
        position += len(papers)
        unread_count += len(unread)
        on_records(count + position + unread_count)
    insert(connection, "sources", [(source.name, "", source.sha256, options, source.size, position, unread_count)])
    return count + position + unread_count


def _set_formats(connection: "duckdb.DuckDBPyConnection", file: str, formats: Mapping[str, str]) -> None:
    """Note the format of a file that was read; of an archive those of its members, which get rows of their own."""
    known = ", ".join(sorted(set(formats.values())))
    connection.execute("UPDATE sources SET format = ? WHERE source = ?", [known, file])
    members = {name: known for name, known in formats.items() if name != file}
    insert(connection, "sources", [(name, known, "", "", None, 0, 0) for name, known in members.items()])
    for column, table in (("records", "records"), ("unread", "unread")):
        connection.execute(
            f"""UPDATE sources SET {column} = c.count FROM (SELECT source, count(*) AS count FROM {table} WHERE file = ? GROUP BY source) c
            WHERE c.source = sources.source AND {_MEMBER}""",
            [file],
        )


def unread_row(unread: Unread, file: str) -> tuple[Any, ...]:
    """The row of `unread` for a record of a file."""
    return (file, unread.source, unread.record, unread.reason, unread.remedy, _plain(unread.start))


def record_row(paper: Paper, position: int, file: str) -> tuple[Any, ...]:
    """The row of `records` for a paper as one record gives it; `position` is its place among the records of the file."""
    place = paper.places[0]
    fields = [_plain(getattr(paper, name)) for name in _PAPER_FIELDS]
    content = hashlib.sha256(repr(fields).encode()).hexdigest()[:32]
    return (file, place.source, place.record, position, place.offset, paper.id, list(identity.same_paper_keys(paper)), *fields, content)


def paper_row(paper: str, records: Sequence[Paper], fingerprint: str) -> tuple[Any, ...]:
    """The row of `papers` for the records that are one paper, without its label and the hash of its text."""
    one = identity.merge(records)
    return (paper, "", *(_plain(getattr(one, name)) for name in _PAPER_FIELDS), "", fingerprint)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


_GROUPS = """
CREATE OR REPLACE TEMP TABLE shared_keys AS
SELECT key, list(id ORDER BY id) AS ids FROM (SELECT DISTINCT id, unnest(keys) AS key FROM records) GROUP BY key HAVING count(*) > 1
"""

_WANTED = """
CREATE OR REPLACE TEMP TABLE wanted AS
SELECT coalesce(g.paper, r.id) AS paper, md5(string_agg(r.hash, ' ' ORDER BY r.source, r.position)) AS fingerprint, count(*) AS records
FROM records r LEFT JOIN grouped g ON g.id = r.id GROUP BY 1
"""

_SINGLES = """
INSERT INTO papers
SELECT w.paper, '', r.title, r.abstract, r.authors, r.year, r.venue, r.doi, r.arxiv, r.openreview, r.acl, r.pmid, r.url, r.code, r.keywords,
    r.language, '', w.fingerprint
FROM incoming_papers w JOIN records r ON r.id = w.paper WHERE w.records = 1
"""


_PLACES = (
    """CREATE OR REPLACE TEMP TABLE now_at AS SELECT coalesce(g.paper, r.id) AS paper, r.source, r.record, r.start
    FROM records r LEFT JOIN grouped g ON g.id = r.id""",
    """CREATE OR REPLACE TEMP TABLE moved AS SELECT paper FROM (FROM places EXCEPT ALL FROM now_at)
    UNION SELECT paper FROM (FROM now_at EXCEPT ALL FROM places)""",
    "DELETE FROM places WHERE paper IN (SELECT paper FROM moved)",
    "INSERT INTO places SELECT * FROM now_at SEMI JOIN moved USING (paper) ORDER BY ALL",
)
"""`moved` are the papers that stand in other places than before."""

_HASHES = "UPDATE papers SET text_hash = left(sha256(language || chr(31) || title || chr(31) || abstract), 32) WHERE text_hash = ''"


def _papers(connection: "duckdb.DuckDBPyConnection") -> tuple[int, int]:
    """Make `papers` hold one row for each group of records that are one paper; returns how many rows came and how many left."""
    connection.execute(_GROUPS)
    leader = _leaders(connection.execute("SELECT ids FROM shared_keys ORDER BY key").fetchall())
    connection.execute("CREATE OR REPLACE TEMP TABLE grouped (id VARCHAR, paper VARCHAR)")
    _insert_pairs(connection, "grouped", sorted(leader.items()))
    connection.execute(_WANTED)
    removed = connection.execute("DELETE FROM papers WHERE (paper, fingerprint) NOT IN (SELECT paper, fingerprint FROM wanted)").fetchall()[0][0]
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE incoming_papers AS SELECT * FROM wanted w WHERE NOT EXISTS (SELECT 1 FROM papers p WHERE p.paper = w.paper)"
    )
    connection.execute(_SINGLES)
    _merge_groups(connection)
    for statement in _PLACES:
        connection.execute(statement)
    connection.execute(_HASHES)
    return _count(connection, "incoming_papers"), removed


def _leaders(groups: list[tuple[list[str]]]) -> dict[str, str]:
    """The id that stands for each id that shares a key with another: union-find over the groups."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for (ids,) in groups:
        for other in ids[1:]:
            a, b = root(ids[0]), root(other)
            if a != b:
                first, second = sorted((a, b), key=identity.id_strength)
                parent[second] = first
    return {name: root(name) for name in parent}


def _insert_pairs(connection: "duckdb.DuckDBPyConnection", table: str, pairs: list[tuple[str, str]]) -> None:
    connection.execute(f"INSERT INTO {table} SELECT unnest(?::VARCHAR[]), unnest(?::VARCHAR[])", [[a for a, _ in pairs], [b for _, b in pairs]])


def _merge_groups(connection: "duckdb.DuckDBPyConnection") -> None:
    names = ", ".join(f"r.{name}" for name in _PAPER_FIELDS)
    rows = connection.execute(
        f"""SELECT w.paper, w.fingerprint, r.source, r.record, r.start, r.id, {names} FROM incoming_papers w
        JOIN (SELECT coalesce(g.paper, r.id) AS paper, r.* FROM records r LEFT JOIN grouped g ON g.id = r.id) r ON r.paper = w.paper
        WHERE w.records > 1 ORDER BY w.paper, r.source, r.position"""
    )
    merged: list[tuple[Any, ...]] = []
    group: list[Paper] = []
    current: tuple[str, str] | None = None
    while batch := rows.fetchmany(BATCH):
        for paper, fingerprint, source, record, start, own, *fields in batch:
            if current != (paper, fingerprint):
                _close(merged, current, group)
                current, group = (paper, fingerprint), []
            values: dict[str, Any] = {
                name: tuple(value) if isinstance(value, list) else value for name, value in zip(_PAPER_FIELDS, fields, strict=True)
            }
            group.append(Paper(id=own, places=(Place(source, record, start),), **values))
    _close(merged, current, group)
    insert(connection, "papers", merged)


def _close(merged: list[tuple[Any, ...]], current: tuple[str, str] | None, group: list[Paper]) -> None:
    if current is None:
        return
    merged.append(paper_row(current[0], group, current[1]))


assert columns("papers")[2:16] == _PAPER_FIELDS
