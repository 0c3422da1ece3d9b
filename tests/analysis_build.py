"""A small build of invented papers for the tests of what reads a build: graph, exports, metrics, report, find."""

import re
from pathlib import Path
from typing import Any

from kg import tables
from kg.model import Card, EntityType, Found, FoundRelation, FoundResult, Mention, Paper, Place, RelationKind, ResultKind, Role, Span
from kg.surface import slug
from kg.tables.derive import derive
from kg.text import read_text

HOSTILE = '</script><script>alert(1)</script> & "quotes" =1+1'

# (id, year, title, abstract, entities as (name, type, role, surfaces), relations, results as (value, subject, metric, dataset))
PAPERS: tuple[tuple[Any, ...], ...] = (
    (
        "arxiv:2301.00001", 2023, "Willow: a small model for sums",
        "We propose Willow, a small language model. Willow is tested on SumBench and reaches an accuracy of 61.5% there. Oak reaches 58%.",
        [("Willow", "Model", "proposed", ["Willow"]), ("SumBench", "Dataset", "evaluated", ["SumBench"]),
         ("accuracy", "Metric", "evaluated", ["accuracy"]), ("Oak", "Model", "compared", ["Oak"])],
        [("Willow", "evaluatedOn", "SumBench"), ("Willow", "outperforms", "Oak"), ("Willow", "measuredBy", "accuracy")],
        [("61.5%", "Willow", "accuracy", "SumBench"), ("58%", "Oak", "accuracy", "SumBench")],
    ),
    (
        "arxiv:2302.00002", 2023, "Branching search",
        "Branching search helps Willow-2B on SumBench v2 and on MazeWorld. The success rate on MazeWorld is 44 %.",
        [("branching search", "Method", "proposed", ["Branching search"]), ("Willow-2B", "Model", "evaluated", ["Willow-2B"]),
         ("SumBench v2", "Dataset", "evaluated", ["SumBench v2"]), ("MazeWorld", "Dataset", "evaluated", ["MazeWorld"]),
         ("success rate", "Metric", "evaluated", ["success rate"])],
        [("branching search", "appliedTo", "Willow-2B"), ("Willow-2B", "evaluatedOn", "MazeWorld")],
        [("44 %", "Willow-2B", "success rate", "MazeWorld")],
    ),
    (
        "arxiv:2401.00003", 2024, "Folding for planning",
        "Folding trains Oak for planning on MazeWorld. It beats branching search in success rate: 52%.",
        [("folding", "Method", "proposed", ["Folding"]), ("Oak", "Model", "used", ["Oak"]), ("planning", "Task", "evaluated", ["planning"]),
         ("MazeWorld", "Dataset", "evaluated", ["MazeWorld"]), ("branching search", "Method", "compared", ["branching search"]),
         ("success rate", "Metric", "evaluated", ["success rate"])],
        [("folding", "outperforms", "branching search"), ("folding", "basedOn", "branching search"),
         ("folding", "appliedTo", "Oak"), ("folding", "evaluatedOn", "MazeWorld")],
        [("52%", "folding", "success rate", "MazeWorld")],
    ),
    (
        "papers.jsonl#4", 2024, "",
        "Folding and tempering are combined. Tempering is a kind of annealing. On SumBench, tempering gives an accuracy of 63 %.",
        [("tempering", "Method", "proposed", ["tempering", "Tempering"]), ("folding", "Method", "used", ["Folding"]),
         ("annealing", "Method", "mentioned", ["annealing"]), ("SumBench", "Dataset", "evaluated", ["SumBench"]),
         ("accuracy", "Metric", "evaluated", ["accuracy"])],
        [("tempering", "variantOf", "annealing"), ("tempering", "evaluatedOn", "SumBench")],
        [("63 %", "tempering", "accuracy", "SumBench")],
    ),
    (
        "papers.jsonl#5", 2025, "A survey of planning",
        "We review planning with Oak and with Willow. MazeWorld is the usual test, and success rate the usual measure.",
        [("planning", "Task", "evaluated", ["planning"]), ("Oak", "Model", "mentioned", ["Oak"]), ("Willow", "Model", "mentioned", ["Willow"]),
         ("MazeWorld", "Dataset", "mentioned", ["MazeWorld"]), ("success rate", "Metric", "mentioned", ["success rate"])],
        [], [],
    ),
    (
        "papers.jsonl#6", 2025, f"Hostile {HOSTILE}",
        "We test @Sum on =Bench\x0b and on Бенч, with tempering. Ünïcode names appear, and <b>markup</b>.",
        [("=Bench", "Dataset", "evaluated", ["=Bench"]), ("@Sum", "Method", "proposed", ["@Sum"]), ("Бенч", "Dataset", "evaluated", ["Бенч"]),
         ("tempering", "Method", "used", ["tempering"])],
        [("@Sum", "evaluatedOn", "=Bench")], [],
    ),
    ("papers.jsonl#7", None, "Nothing named here", "This paper names nothing that is known.", [], [], []),
)  # fmt: skip

FAMILIES = (("willow-2b", "willow", "size"), ("sumbench-v2", "sumbench", "version"))


def card(row: tuple[Any, ...]) -> Card:
    """One invented paper as the extraction would hand it on."""
    name, year, title, abstract, entities, relations, results = row
    paper = Paper(
        name,
        title,
        abstract,
        (Place("papers.jsonl", name),),
        authors=("Ann Author", "Bo {Brace}"),
        year=year,
        venue="InventConf",
        url="https://example.org/p",
    )
    text = read_text(paper)
    found, index = [], {}
    for label, kind, role, surfaces in entities:
        mentions = tuple(
            Mention(Span(m.start(), m.end()), m.group(), EntityType(kind), "invented", 0.9)
            for surface in surfaces
            for m in re.finditer(rf"(?<!\w){re.escape(surface)}(?![\w-])", text.clean)
        )
        assert mentions, (label, text.clean)
        index[label] = len(found)
        found.append(Found(label, EntityType(kind), mentions, 0.5 + 0.1 * len(mentions), "invented", Role(role)))
    stated = tuple(
        FoundRelation(index[h], RelationKind(k), index[t], text.sentences[text.sentence_of(found[index[t]].mentions[-1].span.start)], 0.8, "invented")
        for h, k, t in relations
    )
    return Card(paper, text, tuple(found), stated, tuple(_result(text.clean, index, *result) for result in results))


def _result(clean: str, index: dict[str, int], value: str, subject: str, metric: str, dataset: str) -> FoundResult:
    at, number = clean.index(value), float(re.findall(r"[\d.]+", value)[0])
    return FoundResult(
        value, ResultKind.ABSOLUTE, number, number, "%", Span(at, at + len(value)), 0.7, "invented", higher_is_better=True,
        subject=index[subject], metric=index[metric], dataset=index[dataset], subject_text=subject, metric_text=metric, dataset_text=dataset,
    )  # fmt: skip


def build(folder: Path, rows: tuple[tuple[Any, ...], ...] = PAPERS) -> Path:
    """Write the build into `folder`: one entity per name, families as above."""
    connection = tables.open_build(folder, write=True)
    collected: dict[str, list[tuple[Any, ...]]] = {"papers": [], "places": []}
    for made in map(card, rows):
        p = made.paper
        known = {"paper": p.id, "title": p.title, "abstract": p.abstract, "authors": list(p.authors), "year": p.year, "venue": p.venue, "url": p.url}
        known |= {"code": [], "keywords": [], "language": "en", "text_hash": tables.text_hash(p)}
        collected["papers"].append(tuple(known.get(column, None if column == "year" else "") for column in tables.columns("papers")))
        collected["places"].append((p.id, "papers.jsonl", p.id, None))
        for table, values in tables.card_rows(made, "invented-1").items():
            collected.setdefault(table, []).extend(values)
    names = sorted({(row[2], row[3]) for row in collected["found"]})
    collected["resolved"] = [(row[0], row[1], slug(row[2])) for row in collected["found"]]
    collected["entities"] = [(slug(name), name, kind, "", "", False, [], 0, 0) for name, kind in names]
    surfaces = sorted({(slug(row[2]), s[2], row[0]) for row in collected["found"] for s in collected["found_surfaces"] if s[:2] == row[:2]})
    pairs = [pair[:2] for pair in surfaces]
    collected["aliases"] = [(*pair, pairs.count(pair)) for pair in sorted(set(pairs))]
    there = {row[2] for row in collected["resolved"]}
    collected["families"] = [family for family in FAMILIES if family[0] in there]
    collected["merges"] = [("tempering", "tempering", "Tempering", "same key", "papers.jsonl#4")]
    with tables.transaction(connection):
        for table, values in collected.items():
            tables.insert(connection, table, values)
        derive(connection)
    connection.close()
    return folder
