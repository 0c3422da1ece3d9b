"""Builds for the tests of RDF, made of rows that are written here."""

from pathlib import Path
from typing import Any

from kg import tables

EVIL = 'a" . <http://evil.org/s> <http://evil.org/p> "b\\\n'
"""A text that would end a literal and add a statement, if it were pasted in."""

SENTENCE = "KiteNet reaches 81.5 % on WindBench\u2028and “beats” GustNet."

ENTITIES: tuple[tuple[str, ...], ...] = (
    ("kitenet", "KiteNet", "Model", "Method"),
    ("gustnet", "GustNet", "Model", ""),
    ("gustnet-2", "GustNet-2", "Model", ""),
    ("windbench", "WindBench", "Dataset", ""),
    ("accuracy", "accuracy", "Metric", ""),
    ("风", "风 – 标", "Task", ""),
    (EVIL, EVIL + "\x00\x07", "Method", ""),
    ("a b/c#d?e%20>~.", "odd <id>", "Method", ""),
)

LINKS = (
    ("p1", "kitenet", "proposed"),
    ("p1", "windbench", "evaluated"),
    ("p1", "gustnet", "compared"),
    ("p1", "accuracy", "evaluated"),
    ("p2", "windbench", "used"),
    ("p2", "gustnet-2", "mentioned"),
    ("p2", EVIL, "used"),
    ("doi:10.1/x y", "a b/c#d?e%20>~.", "proposed"),
    ("doi:10.1/x y", "风", "mentioned"),
    ("doi:10.1/x y", "windbench", "evaluated"),
)


def make(folder: Path, copies: int = 1) -> Path:
    """A build in `folder`; with `copies`, the papers that many times over."""
    connection = tables.open_build(folder, write=True)
    with tables.transaction(connection):
        for table, rows in _rows(copies).items():
            names = tables.columns(table)
            unknown = {name for row in rows for name in row} - set(names)
            assert not unknown, (table, unknown)
            tables.insert(connection, table, [tuple(row.get(name) for name in names) for row in rows])
        tables.set_meta(connection, program="9.9", catalogue="c1")
    connection.close()
    return folder


def _rows(copies: int) -> dict[str, list[dict[str, Any]]]:
    def papers(name: str) -> list[str]:
        return [name if copy == 0 else f"{name}-{copy}" for copy in range(copies)]

    empty: dict[str, Any] = dict.fromkeys(("title", "abstract", "venue", "doi", "arxiv", "openreview", "acl", "pmid", "url"), "")
    empty |= {"authors": [], "code": [], "keywords": [], "language": "en", "text_hash": "", "fingerprint": ""}
    facts: dict[str, dict[str, Any]] = {
        "p1": {"title": "KiteNet", "abstract": SENTENCE, "year": 2023, "authors": ["Ada Quill", 'Bo "Bee" Marsh'], "venue": "KiteConf",
               "arxiv": "2301.00001", "url": "https://example.org/p1?a=1&b=<2>", "code": ["https://example.org/code"], "keywords": ["wind", ""]},
        "p2": {"abstract": EVIL, "year": 2024, "openreview": "aB_9"},
        "doi:10.1/x y": {"title": "Odd", "doi": "10.1/x y", "abstract": "tabs\tand\r\nlines"},
    }  # fmt: skip
    common: dict[str, Any] = {"extractor": "rules", "confidence": 0.875}
    place = {"mentions": 1, "sentence": 0, "start": 0, "end": 7, "inner_start": 0, "inner_end": 7}
    result: dict[str, Any] = {"kind": "absolute", "unit": "%", "subject": "kitenet", "dataset": "windbench", "metric": "accuracy"}
    result |= {"comparator": "gustnet", "subject_text": "KiteNet", "metric_text": "", "dataset_text": "", "comparator_text": ""}
    result |= {"sentence": 0, "start": 0, "end": 7}
    pages = ["http://www.wikidata.org/entity/Q1", "https://example.org/d", "not an iri"]
    known = {"expansion": "", "catalogue": False, "papers": 1, "mentions": 2}
    return {
        "sources": [{"source": "my papers.jsonl", "format": "jsonl", "sha256": "ab", "bytes": 1, "records": 3, "unread": 0}],
        "papers": [empty | fact | {"paper": copy, "label": fact.get("title") or "windy"} for name, fact in facts.items() for copy in papers(name)],
        "places": [{"paper": copy, "source": "my papers.jsonl", "record": "1", "start": 0} for name in facts for copy in papers(name)],
        "extracted": [{"paper": copy, "text_hash": "", "extractor": "x1"} for name in facts for copy in papers(name)],
        "sentences": [
            {"paper": copy, "sentence": 0, "start": 0, "end": 9, "text": str(fact["abstract"])}
            for name, fact in facts.items()
            for copy in papers(name)
        ],
        "entities": [
            known | {"entity": entity, "label": label, "type": type_, "also": also, "urls": pages if entity == "windbench" else []}
            for entity, label, type_, also in ENTITIES
        ],
        "aliases": [{"entity": "gustnet", "surface": surface, "papers": 1} for surface in ("GustNet", "Gust-Net", "Net of Gusts")],
        "families": [{"entity": "gustnet-2", "parent": "gustnet", "reason": "name"}],
        "redirects": [{"old": "kite-net", "new": "kitenet"}],
        "links": [common | place | {"paper": copy, "entity": entity, "role": role} for paper, entity, role in LINKS for copy in papers(paper)],
        "relations": [
            common | {"paper": copy, "head": "kitenet", "relation": relation, "tail": tail, "sentence": 0}
            for relation, tail in (("evaluatedOn", "windbench"), ("outperforms", "gustnet"))
            for copy in papers("p1")
        ],
        "results": [
            common | result | {"paper": copy, "n": n, "value": value, "low": low, "high": low, "higher_is_better": True if n == 0 else None}
            for n, (value, low) in enumerate((("81.5 %", 81.5), ("1e300", 1e300), ("≈ 7", None)))
            for copy in papers("p1")
        ],
        "cooccurrences": [{"a": "gustnet", "b": "windbench", "papers": 3}, {"a": "accuracy", "b": "windbench", "papers": 1}],
    }
