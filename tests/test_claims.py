"""`kg results` over the build of the invented papers."""

import json

import pytest
from click.testing import CliRunner

from kg import tables
from kg.claims import claims
from kg.cli import main
from kg.errors import KgError, UnknownNameError


@pytest.fixture(scope="module")
def connection(tiny_build):
    with tables.open_build(tiny_build) as opened:
        yield opened


def test_every_number_has_its_paper_and_sentence(connection):
    rows = list(claims(connection))
    assert rows
    for row in rows:
        assert row["value"] in row["sentence"]
        assert row["paper"]


def test_rows_are_not_ranked_but_newest_first(connection):
    years = [row["year"] for row in claims(connection) if row["year"]]
    assert years == sorted(years, reverse=True)


def test_a_metric_selects(connection):
    every = list(claims(connection))
    name = next(row["metric"] for row in every if row["metric"])
    assert 0 < len(claims(connection, {"metric": name})) <= len(every)


def test_an_unknown_name_is_told(connection):
    with pytest.raises(UnknownNameError):
        claims(connection, {"dataset": "no such thing at all"})
    with pytest.raises(KgError, match="has no 'colour'"):
        claims(connection, {"colour": "red"})


def test_a_high_threshold_leaves_nothing(connection):
    assert len(claims(connection, least=1.0)) == 0


def test_the_command_prints_rows_json_and_csv(tiny_build, tmp_path):
    runner = CliRunner()
    target = tmp_path / "numbers.csv"
    shown = runner.invoke(main, ["results", "--in", str(tiny_build), "--sentences", "--csv", str(target)])
    assert shown.exit_code == 0, shown.output
    assert "kite-1]" in shown.output
    assert target.read_text(encoding="utf-8").startswith("paper,title,year,subject,metric,value")
    told = runner.invoke(main, ["results", "--in", str(tiny_build), "--json"])
    rows = json.loads(told.stdout)
    assert any(row["paper"].endswith("kite-1") and row["value"] == "2.3%" for row in rows)
