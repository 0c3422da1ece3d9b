"""The measure: figures worked out by hand on invented cards."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kg.cli.evaluate import command
from kg.errors import InputError
from kg.evaluate import Count, as_json, pair, read_cards, report, score, surface


def entity(name: str, kind: str, *mentions: str, role: str = "used", also: str = "") -> dict[str, Any]:
    return {"name": name, "type": kind, "also": [also] if also else [], "role": role, "mentions": list(mentions or (name,))}


GOLD = {
    "id": "p1",
    "entities": [
        entity("FooNet", "Model", "FooNet", "Foo Network", role="proposed", also="Method"),
        entity("GSM8K", "Dataset", "GSM8K", role="evaluated"),
        entity("accuracy", "Metric", role="evaluated"),
        entity("image captioning", "Task", role="evaluated"),
    ],
    "relations": [["FooNet", "evaluatedOn", "GSM8K"], ["FooNet", "measuredBy", "accuracy"]],
    "results": [
        {"subject": "FooNet", "metric": "accuracy", "value": "81.5%", "dataset": "GSM8K", "comparator": ""},
        {"subject": "FooNet", "metric": "speedup", "value": "2×", "dataset": "", "comparator": ""},
    ],
}
PRED = {
    "id": "p1",
    "entities": [
        entity("Foo Networks", "Method", role="proposed"),
        entity("GSM-8K", "Dataset", role="used"),
        entity("accuracy", "Task"),
        entity("novel idea", "Method"),
    ],
    "relations": [["Foo Networks", "evaluatedOn", "GSM-8K"], ["Foo Networks", "basedOn", "novel idea"]],
    "results": [{"subject": "", "metric": "accuracies", "value": "81.5", "dataset": "", "comparator": ""}],
}


def test_one_card_by_hand() -> None:
    result = score([GOLD], [PRED])
    assert result.count("typed") == Count(2, 4, 4)
    assert result.count("untyped") == Count(3, 4, 4)
    assert result.count("named") == Count(2, 2, 2)
    assert result.count("Task") == Count(0, 1, 1)
    assert result.count("Method") == Count(0, 0, 1), "FooNet is a Model in gold: the hit counts there"
    assert result.count("Model") == Count(1, 1, 1)
    assert result.count("mentions") == Count(2, 5, 4)
    assert result.count("relations") == Count(1, 2, 2)
    assert result.count("results") == Count(1, 2, 1)
    assert result.roles == Count(1, 2, 2)
    assert result.proposed == 2


def test_missing_paper_counts_as_missed_and_an_unknown_one_not_at_all() -> None:
    result = score([GOLD, {**GOLD, "id": "p2"}], [PRED, {**PRED, "id": "other"}])
    assert result.predicted_papers == 1
    assert result.count("typed") == Count(2, 8, 4)


def test_one_name_cannot_pay_twice() -> None:
    whole = [entity("A1", "Method", "A1", "B2")]
    assert pair([entity("A1", "Method"), entity("B2", "Method")], whole, typed=True) == [(0, 0)]
    split = [entity("A1", "Method"), entity("B2", "Method")]
    assert len(pair(whole, split, typed=True)) == 1


def test_less_than_half_of_the_surfaces_is_no_hit() -> None:
    assert pair([entity("A1", "Method")], [entity("A1", "Method", "A1", "C3", "D4")], typed=True) == []


@pytest.mark.parametrize(
    ("one", "two"), [("GSM-8K", "gsm8k"), ("The Pile", "pile"), ("**BERT**", "BERT"), (r"ImageNet 256\times 256", "ImageNet 256×256")]
)
def test_equal_surfaces(one: str, two: str) -> None:
    assert surface(one) == surface(two)


@pytest.mark.parametrize(("one", "two"), [("loss", "los"), ("GAN", "VAE"), ("BERT", "BERT-base")])
def test_different_surfaces(one: str, two: str) -> None:
    assert surface(one) != surface(two)


def test_nothing_at_all() -> None:
    empty = {"id": "p", "entities": []}
    assert score([empty], [empty]).count("typed").f1 == 0.0
    assert list(report(score([], []))) == ["0 papers, 0 predicted"]


def test_interval_holds_the_figure_and_does_not_change() -> None:
    gold = [{**GOLD, "id": f"p{n}"} for n in range(20)]
    pred = [{**(PRED if n % 2 else GOLD), "id": f"p{n}"} for n in range(20)]
    first, second = score(gold, pred, bootstrap=200), score(gold, pred, bootstrap=200)
    low, high = first.intervals["typed"]
    assert low < first.count("typed").f1 < high
    assert first.intervals == second.intervals


def test_report_and_json_say_the_same() -> None:
    result = score([GOLD], [PRED])
    assert any(line.startswith("typed") and "F1 0.5000" in line for line in report(result))
    assert as_json(result)["rows"]["typed"]["f1"] == 0.5
    assert as_json(result)["roles"] == {"accuracy": 0.5, "proposed": 1.0, "pairs": 2}
    errors = list(report(result, errors=1))
    assert "-- missed (2)" in errors
    assert "-- spurious (2)" in errors


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"id": "p"}', '{"id": 1, "entities": []}', '{"id": "p", "entities": [{}]}', '{"id": "p", "entities": [1]}']
)
def test_a_line_that_is_no_card_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "cards.jsonl"
    path.write_text("\n" + line, encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        read_cards(path)


def test_command(tmp_path: Path) -> None:
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    gold.write_text(json.dumps(GOLD), encoding="utf-8")
    pred.write_text(json.dumps(PRED), encoding="utf-8")
    shown = CliRunner().invoke(command, [str(gold), str(pred), "--json", "--bootstrap", "0"])
    assert json.loads(shown.stdout)["rows"]["typed"]["hit"] == 2
    wrong = CliRunner().invoke(command, [str(gold), str(pred), "--gold-entities"])
    assert wrong.exit_code == 2
