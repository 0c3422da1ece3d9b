"""The graph in parts: what the page is told, that it is what the page in a file holds, and what is refused."""

import base64
import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest

from kg import tables
from kg.errors import BuildError, QueryError
from kg.serve import Server
from kg.view import data, live
from kg.view.live import Live
from kg.view.select import Wanted, choose
from tests.view.builds import HANDLER, SCRIPT


@pytest.fixture(scope="module")
def graph(many: Path) -> Iterator[Live]:
    made = Live(many)
    yield made
    made.close()


@pytest.fixture(scope="module")
def whole(many: Path) -> data.Data:
    """All rows, as the page in a file holds them."""
    connection = tables.open_build(many)
    choose(connection, Wanted())
    data.prepare(connection)
    found = data.read(connection)
    connection.close()
    return found


def ask(graph: Live, what: str, **asked: Any) -> Any:
    return json.loads(graph.ask(what, {name: str(value) for name, value in asked.items()}))


def node(graph: Live, identifier: str) -> int:
    return int(ask(graph, "seek", id=identifier)["node"])


def test_ids_redirects_and_papers_are_found(graph: Live) -> None:
    assert node(graph, "gsm8k") == node(graph, "gsm-8k") < graph.size
    assert node(graph, "paper:lss") == node(graph, "lss") >= graph.size
    assert ask(graph, "seek", id="nothing") == {"node": None}


def test_search_has_the_order_of_the_page_in_a_file(graph: Live) -> None:
    def names(query: str, most: int = 3) -> list[str]:
        found = ask(graph, "search", q=query, limit=most)
        labels = dict(zip(found["graph"]["entities"]["n"], found["graph"]["entities"]["label"], strict=True))
        titles = dict(zip(found["graph"]["papers"]["n"], found["graph"]["papers"]["title"], strict=True))
        return [labels.get(hit["n"]) or titles[hit["n"] - graph.size] for hit in found["hits"]]

    assert names("gsm 8", 1) == ["GSM8K"]
    assert names("EXTRA-41")[0] == "extra 41"
    assert names("string") == ["Loose String Sampling", "Loose Strings"]
    assert names("more of 400", 5) == ["More of 400"]
    assert names("img src") == [HANDLER]
    assert names("  ") == []
    assert len(ask(graph, "search", q="e", limit=10_000)["hits"]) == live.NODES
    assert names("a", 2)[0] == "accuracy"
    alias = ask(graph, "search", q="lss", limit=5)["hits"]
    assert [hit["name"] for hit in alias if hit["n"] < graph.size] == ["LSS"]


def test_what_is_reached_is_what_the_file_holds(graph: Live, whole: data.Data) -> None:
    for identifier in ("gsm8k", "script", "paper:lss", "paper:odd", "extra-7", "gsm"):
        number = node(graph, identifier)
        found = ask(graph, "reach", node=number)
        for part, all_of_it in (("graph", whole.graph), ("text", whole.text)):
            for table, columns in found[part].items():
                if table in ("types", "roles", "kinds"):
                    assert columns == all_of_it[table]
                    continue
                rows = columns.pop("n")
                for column, values in columns.items():
                    assert values == [all_of_it[table][column][row] for row in rows], (identifier, table, column)
        links = whole.graph["links"]
        ends = [n + graph.size for n in links["paper"]] if number >= graph.size else links["entity"]
        assert found["tally"]["links"] == sum(end == number for end in ends) == sum(found["tally"]["roles"])


def test_filters_hide_links_in_the_counts(graph: Live) -> None:
    number = node(graph, "gsm8k")
    found = ask(graph, "reach", node=number, roles="mentioned", years="2024,2025", confidence=60)
    assert found["tally"]["roles"] == [0, 1, 0, 0, 0]
    assert found["tally"]["links"] == 3
    assert found["graph"]["links"]["confidence"] == [90]


def test_lists_have_a_limit_and_say_how_much_there_is(graph: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LINKS", 1)
    monkeypatch.setattr(live, "ROWS", 2)
    found = ask(graph, "reach", node=node(graph, "gsm8k"))
    assert found["tally"]["roles"] == [0, 2, 0, 0, 1]
    assert len(found["graph"]["links"]["n"]) == 2
    assert found["tally"]["together"] > len(found["together"]) == 2
    assert len(ask(graph, "meet", nodes=",".join(map(str, range(300))))["together"]) == live.NODES


def test_what_passes_is_a_bit_a_node(graph: Live) -> None:
    bits = np.unpackbits(np.frombuffer(base64.b64decode(ask(graph, "passing", types="Paper", years="2025,2025")["passes"]), dtype=np.uint8))
    passing = {n for n, bit in enumerate(bits[: graph.size + graph.papers]) if bit}
    assert passing == {node(graph, name) for name in ("loose-string-sampling", "gsm8k", "llada", "accuracy", "text-generation", "gsm")}


def test_the_strongest_and_the_shared(graph: Live) -> None:
    assert ask(graph, "strongest", count=2, types="Method")["nodes"] == [node(graph, "gsm8k"), node(graph, "accuracy")]
    shared = ask(graph, "shared", node=node(graph, "gsm8k"), other=node(graph, "accuracy"))
    assert len(shared["links"]) == len(shared["text"]["sentences"]["text"]) == 2


def test_a_folder_without_tables_is_named(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="there is no build"):
        Live(tmp_path)


def test_the_build_can_be_renewed_while_it_is_walked_through(graph: Live, many: Path) -> None:
    tables.open_build(many, write=True).close()
    assert node(graph, "gsm8k") < graph.size


@pytest.mark.parametrize(
    ("what", "asked"),
    [
        ("reach", {}),
        ("reach", {"node": "x"}),
        ("reach", {"node": "9" * 30}),
        ("reach", {"node": "0", "years": "1"}),
        ("reach", {"node": "0", "confidence": "1 OR true"}),
        ("meet", {"nodes": "1,2;3"}),
        ("search", {"q": "a", "limit": "many"}),
    ],
)
def test_wrong_questions_are_refused(graph: Live, what: str, asked: dict[str, str]) -> None:
    with pytest.raises(QueryError, match=what):
        graph.ask(what, asked)


def get(walked: Server, path: str, method: str = "GET") -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", walked.server_address[1], timeout=60)
    connection.request(method, path, headers={"Content-Length": "0"} if method == "POST" else {})
    response = connection.getresponse()
    found = response.status, dict(response.headers), response.read().decode()
    connection.close()
    return found


def test_the_page_may_ask_its_own_server_and_holds_what_it_draws(walked: Server) -> None:
    status, headers, body = get(walked, "/graph")
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert "connect-src &#39;self&#39;; default-src &#39;none&#39;; script-src &#39;sha256-" in body
    assert '"overview":true' in body
    assert 'id="text"' not in body
    assert "More of 400" not in body
    assert SCRIPT not in body


def test_questions_over_http(walked: Server) -> None:
    status, headers, body = get(walked, "/graph/search?" + urlencode({"q": "</script>", "limit": 3}))
    assert (status, headers["Content-Type"], headers["X-Content-Type-Options"]) == (200, "application/json", "nosniff")
    assert json.loads(body)["hits"]
    assert get(walked, "/graph/reach?node=x")[0] == 400
    assert get(walked, "/graph/nothing")[0] == 404
    assert get(walked, "/graph/")[0] == 404
    assert get(walked, "/graph/reach", "POST")[0] == 405
    assert walked.server_address[0] == "127.0.0.1"


def test_pages_of_entities_and_the_query_page_lead_to_the_graph(walked: Server) -> None:
    assert '<a href="/graph">Graph</a>' in get(walked, "/")[2]
    assert '<a href="/graph#gsm8k">Graph</a>' in get(walked, "/entity/gsm8k")[2]
    assert '<a href="/graph#paper%3Alss">Graph</a>' in get(walked, "/paper/lss")[2]
