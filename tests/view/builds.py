"""Small builds for the tests of the view, row by row, from papers that nobody wrote; some of their text attacks the page."""

from pathlib import Path
from typing import Any

from kg import tables
from kg.tables.derive import derive
from kg.tables.schema import columns

LONG = "An endless name " * 625
RIGHT = "\u202eagnirts\u202c شبكة عصبية"
SCRIPT = "</script><script>window.hit = 1</script>"
HANDLER = '<img src=x onerror="window.hit = 2">'

ENTITIES = [
    ("gsm8k", "GSM8K", "Dataset"),
    ("llada", "LLaDA", "Model"),
    ("loose-string-sampling", "Loose String Sampling", "Method"),
    ("accuracy", "accuracy", "Metric"),
    ("text-generation", "text generation", "Task"),
    ("script", SCRIPT, "Method"),
    ("handler", HANDLER, "Task"),
    ("long", LONG, "Method"),
    ("right", RIGHT, "Model"),
    ("formula", "=HYPERLINK(1)", "Metric"),
]

# paper, title, year, url, doi, [(entity, role, confidence)]
PAPERS: list[tuple[str, str, int | None, str, str, list[tuple[str, str, float]]]] = [
    ("lss", "Loose Strings", 2025, "https://example.org/lss", "10.1234/lss", [
        ("loose-string-sampling", "proposed", 0.95), ("gsm8k", "evaluated", 0.9), ("llada", "compared", 0.8), ("accuracy", "evaluated", 0.9),
        ("text-generation", "mentioned", 0.4)]),
    ("kite", "Kites in the Wind", 2023, "javascript:window.hit=3", "", [
        ("gsm8k", "evaluated", 0.7), ("accuracy", "used", 0.6), ("script", "proposed", 0.9), ("handler", "used", 0.9)]),
    ("odd", SCRIPT, 2024, "data:text/html,<script>window.hit=4</script>", "", [
        ("long", "proposed", 0.9), ("right", "used", 0.9), ("formula", "evaluated", 0.9), ("gsm8k", "mentioned", 0.5)]),
    ("lonely", "Nothing Found Here", None, "", "", []),
]  # fmt: skip


def sentence(label: str) -> str:
    return f'Here 🪁 we speak of {label} and of "quotes" & <b>tags</b>.'


def paper_row(**known: Any) -> tuple[Any, ...]:
    lists = ("authors", "code", "keywords")
    return tuple(known.get(name, [] if name in lists else None if name == "year" else "") for name in columns("papers"))


def rows() -> dict[str, list[tuple[Any, ...]]]:
    """The rows of every table that a build needs before `derive`."""
    labels = {entity: label for entity, label, _ in ENTITIES}
    types = {entity: kind for entity, _, kind in ENTITIES}
    found: dict[str, list[tuple[Any, ...]]] = {name: [] for name in ("papers", "sentences", "found", "mentions", "resolved", "found_relations")}
    found["entities"] = [
        (entity, label, kind, "", "", False, ["https://example.org/" + entity, "javascript:1"], 0, 0) for entity, label, kind in ENTITIES
    ]
    found["aliases"] = [("gsm8k", "GSM8K", 2), ("gsm8k", "GSM-8K", 1), ("loose-string-sampling", "LSS", 1)]
    found["entities"].append(("gsm", "GSM", "Dataset", "", "", True, ["https://example.org/gsm"], 0, 0))
    found["families"] = [("llada", "text-generation", "stated"), ("gsm8k", "gsm", "the catalogue")]
    found["redirects"] = [("gsm-8k", "gsm8k")]
    for paper, title, year, url, doi, links in PAPERS:
        found["papers"].append(paper_row(paper=paper, title=title, authors=["Ada Quill", HANDLER], year=year, venue="KiteConf", doi=doi, url=url))
        for k, (entity, role, confidence) in enumerate(links):
            text = sentence(labels[entity])
            start = text.index(labels[entity])
            end = start + len(labels[entity])
            found["sentences"].append((paper, k, 1000 * k, 1000 * k + len(text), text))
            found["found"].append((paper, k, labels[entity], types[entity], "", role, confidence, "test", "", ""))
            found["mentions"].append((paper, k, 1000 * k + start, 1000 * k + end, labels[entity], types[entity], "test", confidence, k, start, end))
            found["resolved"].append((paper, k, entity))
    found["found_relations"] = [("lss", 0, kind, 1, 0, 0.8, "test") for kind in ("evaluatedOn", "outperforms")]
    found["found_results"] = [
        ("lss", 0, "67%", "absolute", 67.0, 67.0, 58.0, "%", True, 0, 3, 1, 2, "LSS", "accuracy", "GSM8K", "LLaDA", 1, 0, 3, 0.9, "test")
    ]  # fmt: skip
    return found


def build(folder: Path, *, backwards: bool = False, many: int = 0) -> Path:
    """Write the build; `backwards` puts every table's rows in the other way round, `many` adds so many entities, each in two papers of its own."""
    found = rows()
    for n in range(many):
        entity = f"extra-{n}"
        found["entities"].append((entity, f"extra {n}", "Method", "", "", False, [], 0, 0))
        for half in (n, (n + 1) % many):
            paper = f"more-{half}"
            found["found"].append((paper, n + 1, f"extra {n}", "Method", "", "used", 0.9, "test", "", ""))
            found["mentions"].append((paper, n + 1, 0, 5, f"extra {n}", "Method", "test", 0.9, 0, 0, 5))
            found["resolved"].append((paper, n + 1, entity))
        found["papers"].append(paper_row(paper=f"more-{n}", title=f"More of {n}", year=2020))
        found["sentences"].append((f"more-{n}", 0, 0, 40, f"Extra work on {n}."))
    connection = tables.open_build(folder, write=True)
    with tables.transaction(connection):
        for table, values in found.items():
            tables.insert(connection, table, values[::-1] if backwards else values)
        derive(connection)
    connection.close()
    return folder
