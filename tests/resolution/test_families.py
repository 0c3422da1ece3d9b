"""Variants under their family, and no family by a common beginning."""

import pytest

from tests.resolution.found import Row, build


def parents(*rows: tuple[str, str]) -> dict[str, str]:
    connection = build([Row(f"p{n}", name, kind) for n, (name, kind) in enumerate(rows)])
    return dict(connection.execute("SELECT entity, parent FROM families ORDER BY ALL").fetchall())


def test_qualifier_size_and_version_come_off_one_by_one() -> None:
    found = parents(("LLaDA-8B-Instruct", "Model"), ("LLaDA-8B", "Model"), ("LLaDA", "Model"))
    assert found["llada-8b-instruct"] == "llada-8b"
    assert found["llada-8b"] == "llada"


@pytest.mark.parametrize(
    ("child", "parent", "kind"),
    [
        ("ZorbNet 256×256", "ZorbNet", "Dataset"),
        ("SQuOD v2.0", "SQuOD", "Dataset"),
        ("ResNot-50", "ResNot", "Model"),
        ("OkapiViT-B/16", "OkapiViT", "Model"),
        ("Zorb@10", "Zorb", "Metric"),
        ("ZORB2017", "ZORB", "Dataset"),
    ],
)
def test_variant_has_its_parent(child: str, parent: str, kind: str) -> None:
    assert list(parents((child, kind), (parent, kind)).values()) == [parent.lower()]


def test_a_parent_that_two_share_is_made() -> None:
    connection = build([Row("a", "ZorbLM-7B", "Model"), Row("b", "ZorbLM-70B", "Model"), Row("c", "OkapiLM-7B", "Model")])
    assert connection.execute("SELECT entity, parent FROM families ORDER BY ALL").fetchall() == [("zorblm-70b", "zorblm"), ("zorblm-7b", "zorblm")]
    assert connection.execute("SELECT label, papers FROM entities WHERE entity = 'zorblm'").fetchall() == [("ZorbLM", 0)]


@pytest.mark.parametrize(
    "rows",
    [
        (("GPS", "Method"), ("GPT", "Model")),
        (("ZorbNetwork", "Model"), ("ZorbNet", "Model")),
        (("Zorb-Okapi", "Model"), ("Zorb", "Model")),
        (("F1", "Metric"), ("F", "Metric")),
        (("T5", "Model"), ("T", "Model")),
        (("ZORB-10", "Dataset"), ("Zorb", "Task")),
    ],
)
def test_no_family_by_a_common_beginning(rows: tuple[tuple[str, str], ...]) -> None:
    connection = build([Row(f"p{n}", name, kind) for n, (name, kind) in enumerate(rows)])
    names = {label for (label,) in connection.execute("SELECT label FROM entities").fetchall()}
    pairs = connection.execute(
        "SELECT c.label, p.label FROM families f JOIN entities c USING (entity) JOIN entities p ON p.entity = f.parent"
    ).fetchall()
    assert not [pair for pair in pairs if set(pair) <= {name for name, _ in rows}], (pairs, names)
