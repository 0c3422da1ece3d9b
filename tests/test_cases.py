"""Invented texts with their exact cards, in tests/cases/*.jsonl: what the extractors without a trained model and the joining make of each.

A case with `xfail` states the right card and why the program does not reach it yet; when it does, the test fails until the mark goes.
"""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from kg.model import Paper
from kg.resolve.within import join
from kg.text import read_text

CASES = Path(__file__).parent / "cases"


def cases() -> list[Any]:
    found = []
    for path in sorted(CASES.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            marks = [pytest.mark.xfail(strict=True, reason=case["xfail"])] if "xfail" in case else []
            found.append(pytest.param(case, id=f"{path.stem}/{case['id']}", marks=marks))
    return found


@pytest.mark.parametrize("case", cases())
def test_card(case: dict[str, Any]) -> None:
    package: Any = import_module("kg.extract")
    text = read_text(Paper(case["id"], case["title"], case["abstract"], ()))
    found = join(text, *package.run(text, "rules"))
    card = [{"name": e.name, "type": e.type.value, "mentions": list(e.surfaces)} for e in found]
    assert sorted(card, key=lambda e: e["name"]) == sorted(case["entities"], key=lambda e: e["name"])
