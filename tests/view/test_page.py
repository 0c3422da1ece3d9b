"""The page as a file: what it holds, what it cannot do, and that the same tables give the same bytes."""

import base64
import hashlib
import json
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from kg import tables, view
from kg.view import page as pages
from tests.view.builds import LONG, build
from tests.view.conftest import page_of


class Parts(HTMLParser):
    """The elements of a page and the text of its scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, dict[str, str | None], str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.raw.append((tag, dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem:
            tag, attributes, text = self.raw[-1]
            self.raw[-1] = (tag, attributes, text + data)


def parts(page: str) -> Parts:
    found = Parts()
    found.feed(page)
    return found


@pytest.fixture(scope="module")
def page(hostile: Path) -> str:
    return page_of(hostile, title="Kites & <strings>")


def data_of(page: str, name: str) -> Any:
    return next(json.loads(text) for tag, attributes, text in parts(page).raw if attributes.get("id") == name)


def test_nothing_is_fetched(page: str) -> None:
    for tag, attributes in parts(page).elements:
        assert tag not in ("img", "iframe", "object", "embed", "base", "form", "source", "audio", "video"), tag
        assert "src" not in attributes
        assert attributes.get("href", "data:,") == "data:,"


def test_no_text_of_the_data_becomes_markup(page: str) -> None:
    found = parts(page)
    assert [attributes.get("id") for tag, attributes in found.elements if tag == "script" and attributes.get("type")] == [
        "facts", "options", "nodes", "edges", "graph", "text",
    ]  # fmt: skip
    assert sum(tag == "script" and not attributes.get("type") for tag, attributes in found.elements) == 2
    assert not [name for _, attributes in found.elements for name in attributes if name.startswith("on")]
    assert "<title>Kites &amp; &lt;strings&gt;</title>" in page


def test_the_policy_allows_these_very_scripts_and_no_connection(page: str) -> None:
    found = parts(page)
    policy = next(attributes["content"] for tag, attributes in found.elements if attributes.get("http-equiv") == "Content-Security-Policy") or ""
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    for kind, rule in (("script", "script-src"), ("style", "style-src")):
        hashes = {
            "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
            for tag, attributes, text in found.raw
            if tag == kind and not attributes.get("type")
        }
        assert set(rules[rule].split()) == hashes
    assert rules["default-src"] == "'none'"
    assert not {"connect-src", "frame-src", "font-src"} & set(rules)


def test_only_web_addresses_become_links(page: str) -> None:
    text, graph = data_of(page, "text"), data_of(page, "graph")
    urls = dict(zip(graph["papers"]["id"], text["papers"]["urls"], strict=True))
    assert urls == {"lss": ["https://example.org/lss", "https://doi.org/10.1234/lss"], "kite": [], "odd": [], "lonely": []}
    assert all(urls == [f"https://example.org/{entity}"] for entity, urls in zip(graph["entities"]["id"], graph["entities"]["urls"], strict=True))


def test_every_paper_entity_and_link_is_there(page: str) -> None:
    graph, text = data_of(page, "graph"), data_of(page, "text")
    assert sorted(graph["papers"]["id"]) == ["kite", "lonely", "lss", "odd"]
    assert len(graph["entities"]["id"]) == 11
    assert graph["entities"]["id"][0] == "gsm8k"
    assert LONG in graph["entities"]["label"]
    assert len(graph["links"]["paper"]) == 13
    assert graph["redirects"] == {"gsm-8k": 0}
    marked = {
        text["sentences"]["text"][sentence][start:end]
        for sentence, start, end in zip(text["links"]["sentence"], text["links"]["from"], text["links"]["to"], strict=True)
    }
    assert marked == set(graph["entities"]["label"]) - {"GSM"}


def test_parallel_edges_all_stay(page: str) -> None:
    nodes, edges = data_of(page, "nodes"), data_of(page, "edges")
    names = {node["id"]: node["label"] for node in nodes}
    between = sorted(edge["kind"] for edge in edges if {names[edge["from"]], names[edge["to"]]} == {"Loose String Sampling", "LLaDA"})
    assert between == []
    between = sorted(edge["kind"] for edge in edges if {names[edge["from"]], names[edge["to"]]} == {"Loose String Sampling", "GSM8K"})
    assert between == ["evaluatedOn", "outperforms"]
    assert len(edges) == 13 + 2 + 2


def test_drawn_names_are_short_and_on_one_line(page: str) -> None:
    assert all(len(node["label"]) <= 60 and "\n" not in node["label"] for node in data_of(page, "nodes"))


def test_the_same_tables_give_the_same_bytes(page: str, tmp_path: Path) -> None:
    other = page_of(build(tmp_path, backwards=True), title="Kites & <strings>")
    assert other == page


def test_much_data_is_compressed_and_comes_back(page: str, hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "PLAIN", 0)
    packed = page_of(hostile, title="Kites & <strings>")
    found = {attributes["id"]: (attributes["type"], text) for _, attributes, text in parts(packed).raw if attributes.get("type")}
    kind, text = found["graph"]
    assert kind == "application/deflate"
    assert json.loads(zlib.decompress(base64.b64decode(text))) == data_of(page, "graph")
    assert "MIT" in found["licences"][1]


def test_a_large_build_opens_with_an_overview(many: Path) -> None:
    page = page_of(many)
    facts, nodes, edges = (data_of(page, name) for name in ("facts", "nodes", "edges"))
    assert facts["overview"]
    assert facts["held"] == facts["whole"] == {"entities": 431, "papers": 424, "links": 13 + 840}
    assert len(nodes) == 180
    assert {node["group"] for node in nodes} <= {"Dataset", "Model", "Method", "Metric", "Task"}
    assert {edge["kind"] for edge in edges} == {"together"}
    assert facts["communities"]


@pytest.mark.parametrize(
    ("options", "entities", "papers"),
    [
        ({"top": 1}, {"gsm8k"}, {"lss", "kite", "odd"}),
        ({"min_papers": 2}, {"gsm8k", "accuracy"}, {"lss", "kite", "odd"}),
        ({"types": ("Model",)}, {"llada", "right"}, {"lss", "odd"}),
        ({"around": "LSS", "hops": 1}, {"loose-string-sampling", "gsm8k"}, {"lss"}),
        ({"around": "GSM-8K", "hops": 1, "types": ("Method",)}, {"loose-string-sampling"}, {"lss"}),
        ({"around": "Nothing Found Here", "hops": 3}, set(), set()),
    ],
)
def test_a_part_of_a_build(hostile: Path, options: dict[str, Any], entities: set[str], papers: set[str]) -> None:
    graph = data_of(page_of(hostile, **options), "graph")
    assert set(graph["entities"]["id"]) == entities
    assert set(graph["papers"]["id"]) == papers


def test_an_unknown_name_says_what_is_near(hostile: Path) -> None:
    from kg.errors import UnknownNameError

    with pytest.raises(UnknownNameError, match="did you mean GSM8K"):
        page_of(hostile, around="GSM9K")


def test_an_empty_build_makes_a_page(tmp_path: Path) -> None:
    tables.open_build(tmp_path, write=True).close()
    for whole in (False, True):
        page = page_of(tmp_path, whole=whole)
        assert data_of(page, "facts")["held"] == {"entities": 0, "papers": 0, "links": 0}
        assert data_of(page, "nodes") == []


def test_a_failed_page_leaves_the_last_good_one(hostile: Path, tmp_path: Path) -> None:
    path = tmp_path / "graph.html"
    path.write_text("good", encoding="utf-8")
    connection = tables.open_build(hostile)
    with pytest.raises(Exception, match="nothing in the build"):
        view.write(connection, path, around="no such thing at all")
    assert [entry.name for entry in tmp_path.iterdir()] == ["graph.html"]
    assert path.read_text(encoding="utf-8") == "good"
    assert view.write(connection, path) == path
    connection.close()
    assert path.read_bytes().startswith(b"<!DOCTYPE html>\n")
    assert b"\r" not in path.read_bytes()


def test_the_whole_graph_has_a_place_for_every_node(many: Path) -> None:
    page = page_of(many, whole=True)
    assert "visjs.github.io" not in page
    spots = data_of(page, "graph")["spots"]
    assert len(spots["x"]) == len(spots["y"]) == 431 + 424
    assert len(set(zip(spots["x"], spots["y"], strict=True))) > 800


def test_a_frame_holds_the_page_as_one_attribute(page: str) -> None:
    frame = view.frame(page)
    found = parts(frame)
    assert [tag for tag, _ in found.elements] == ["iframe"]
    assert found.elements[0][1]["srcdoc"] == page
    assert "allow-same-origin" not in (found.elements[0][1]["sandbox"] or "")


def test_families_that_no_paper_names_are_there_beside_their_variants(page: str) -> None:
    graph, facts = data_of(page, "graph"), data_of(page, "facts")
    entities = graph["entities"]
    gsm, gsm8k = (entities["id"].index(name) for name in ("gsm", "gsm8k"))
    assert (entities["papers"][gsm], entities["variants"][gsm], entities["parents"][gsm8k]) == (0, [gsm8k], [gsm])
    assert {"from": gsm8k, "to": gsm, "kind": "variant", "papers": 1} in data_of(page, "edges")
    assert facts["held"]["entities"] == sum(facts["counts"]["types"].values()) == 11
    assert facts["counts"]["roles"] == {"compared": 1, "evaluated": 4, "mentioned": 2, "proposed": 3, "used": 3}
    assert facts["counts"]["years"] == {"2023": 1, "2024": 1, "2025": 1}
