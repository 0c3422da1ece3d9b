import pytest

from kg.frame import Frame

FRAME = Frame(("name", "n", "list"), (("=a<b>", 1.23456789, ["x", "y"]), ("b", None, [])))


def test_csv_is_defused_and_flat() -> None:
    assert FRAME.csv() == "name,n,list\n'=a<b>,1.23456789,x; y\nb,,\n"


def test_html_is_escaped() -> None:
    assert "&lt;b&gt;" in FRAME._repr_html_()
    assert "<b>" not in FRAME._repr_html_()


def test_text_is_aligned_and_cut() -> None:
    assert Frame(("name", "n"), (("a" * 60, 5),)).text(10).splitlines() == ["name        n", "aaaaaaaaa…  5"]


def test_pandas_and_arrow() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = Frame(("name", "n"), (("a", 1), ("b", 2)))
    assert frame.pandas()["n"].sum() == 3
    assert frame.arrow().column("name").to_pylist() == ["a", "b"]
