"""Cards to correct, and their check: every fault is named with its line, and a good card has none."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kg.annotate import check, prefill
from kg.cli.annotate import command
from kg.model import Card, Paper
from kg.pipeline import read_card

GOOD: dict[str, Any] = {
    "id": "p1",
    "title": "FooNet",
    "abstract": r"We present \textbf{FooNet}, tested on GSM8K, where accuracy rises to 81.5\%.",
    "entities": [
        {"name": "FooNet", "type": "Model", "also": ["Method"], "role": "proposed", "mentions": ["FooNet"]},
        {"name": "GSM8K", "type": "Dataset", "also": [], "role": "evaluated", "mentions": ["GSM8K"]},
    ],
    "relations": [["FooNet", "evaluatedOn", "GSM8K"]],
    "results": [{"subject": "FooNet", "metric": "accuracy", "value": "81.5%", "dataset": "GSM8K", "comparator": ""}],
}


def changed(**fields: Any) -> str:
    return json.dumps({**GOOD, **fields})


def entity(**fields: Any) -> list[dict[str, Any]]:
    return [{**GOOD["entities"][0], **fields}, GOOD["entities"][1]]


def test_a_good_card_has_no_fault() -> None:
    assert list(check([json.dumps(GOOD), "", "  "])) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[]", "an id and an abstract"),
        ('{"id": "p"}', "an id and an abstract"),
        (changed(entities=None), "entities is a list"),
        (changed(entities=[{"type": "Model"}]), "each with a name"),
        (changed(entities=entity(type="Thing")), "FooNet: no type 'Thing'"),
        (changed(entities=entity(role="hero")), "FooNet: no role 'hero'"),
        (changed(entities=entity(also="Method")), "also is a list"),
        (changed(entities=entity(mentions=[])), "mentions is a list"),
        (changed(entities=entity(mentions=["BarNet"])), "not in the text: 'BarNet'"),
        (changed(entities=GOOD["entities"] * 2), "FooNet: 2 entities of that name"),
        (changed(relations=[["FooNet", "likes", "GSM8K"]]), "no relation 'likes'"),
        (changed(relations=[["FooNet", "evaluatedOn", "MATH"]]), "there is no 'MATH'"),
        (changed(relations=[["FooNet", "evaluatedOn"]]), "a relation is"),
        (changed(results=[{"value": 3}]), "results is a list"),
    ],
)
def test_each_fault_is_named(line: str, message: str) -> None:
    faults = list(check([json.dumps({**GOOD, "id": "first"}), line]))
    assert faults
    assert all(fault.line == 2 for fault in faults)
    assert any(message in str(fault) for fault in faults)


def test_the_same_paper_twice() -> None:
    assert [str(f) for f in check([json.dumps(GOOD)] * 2)] == ["line 2 (p1): this paper is there twice"]


def test_what_is_filled_in_passes_its_own_check() -> None:
    paper = Paper("p", GOOD["title"], GOOD["abstract"], ())
    card = prefill(read_card(paper, "fast"))
    assert card["entities"]
    assert list(check([json.dumps(card)])) == []


def test_an_empty_card_is_written_too() -> None:
    from kg.text import read_text

    paper = Paper("p", "", "Nothing.", ())
    assert prefill(Card(paper, read_text(paper)))["entities"] == []


def test_command(tmp_path: Path) -> None:
    papers, cards = tmp_path / "papers.jsonl", tmp_path / "cards.jsonl"
    papers.write_text(json.dumps({"id": "p1", "title": GOOD["title"], "abstract": GOOD["abstract"]}) + "\n", encoding="utf-8")
    made = CliRunner().invoke(command, [str(papers), "--tier", "fast"])
    assert made.exit_code == 0
    assert json.loads(made.stdout)["abstract"] == GOOD["abstract"]
    cards.write_text(made.stdout + "{\n", encoding="utf-8")
    checked = CliRunner().invoke(command, ["--check", str(cards)])
    assert checked.exit_code == 1
    assert "line 2: not JSON" in checked.stdout
