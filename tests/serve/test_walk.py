"""The graph's page on the server, in Chromium: it opens with an overview and fetches the rest as somebody walks through."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kg.serve import Limits, Server
from tests.serve.conftest import until
from tests.view.conftest import page_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.browser

FILTERS = (
    "kg.state.hiddenRoles.add('used')",
    "kg.state.years = [2020, 2024]",
    "kg.state.hiddenTypes.add('Metric')",
    "kg.state.confidence = 80",
    "kg.state.hiddenTypes.add('Paper')",
    "kg.state.clear()",
)


@pytest.fixture
def page(walked: Server, chromium: "Chrome") -> Iterator["Chrome"]:
    """The page, opened; afterwards nobody but the server was asked, and nothing went wrong."""
    chromium.get("about:blank")
    chromium.get_log("browser")
    chromium.get(f"{walked.address}graph")
    until(chromium, "document.body.classList.contains('ready')")
    yield chromium
    asked = chromium.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert [url for url in asked if not url.startswith(walked.address) and url != "data:,"] == []
    assert [entry["message"] for entry in chromium.get_log("browser") if entry["level"] == "SEVERE"] == []
    assert chromium.execute_script("return window.hit === undefined")


def title(driver: "Chrome", text: str) -> None:
    until(driver, f"document.getElementById('card-title')?.innerText === {json.dumps(text)}")


def test_a_node_outside_the_overview_is_found_expanded_and_shown_with_its_evidence(page: "Chrome") -> None:
    from selenium.webdriver.common.keys import Keys

    assert page.execute_script("return [kg.facts.overview, kg.graph.nodes.length, kg.data.node('extra-400')]") == [True, 180, None]
    field = page.find_element("id", "search")
    field.click()
    field.send_keys("extra 400")
    until(page, "document.querySelector('#suggestions li')?.innerText.startsWith('extra 400')")
    field.send_keys(Keys.ENTER)
    title(page, "extra 400")
    assert page.execute_script("return location.hash") == "#extra-400"
    text = page.execute_script("return kg.$('card').innerText")
    assert "Used\n2" in text
    assert "More of 400" in text
    assert "Extra work on 400." in text
    assert page.execute_script("return ['extra-400', 'paper:more-400', 'paper:more-401'].every((id) => kg.graph.has(kg.data.node(id)))")
    page.execute_script("kg.go(kg.data.node('paper:more-401'))")
    title(page, "More of 401")
    page.find_element("id", "card-expand").click()
    until(page, "kg.data.node('extra-401') && kg.graph.has(kg.data.node('extra-401'))")
    page.back()
    title(page, "extra 400")


def test_deep_links_marks_tables_and_lines(page: "Chrome", walked: Server) -> None:
    page.get(f"{walked.address}graph#gsm-8k")
    title(page, "GSM8K")
    marks = page.execute_script("return [...document.querySelectorAll('#card mark')].map((mark) => mark.textContent)")
    assert marks == ["GSM8K"] * 3
    text = page.execute_script("return kg.$('card').innerText")
    for piece in ("GSM-8K", "Evaluated", "Loose Strings", "outperforms", "67%", "variant of"):
        assert piece in text
    page.execute_script("kg.table.open(true)")
    until(page, "document.querySelectorAll('#table tbody tr').length === 3")
    page.execute_script("kg.table.open(false); kg.tie.show({ from: kg.data.node('gsm8k'), to: kg.data.node('accuracy'), kind: 'together' })")
    until(page, "document.querySelector('#card h2.tie') && document.querySelectorAll('#card li').length === 2")
    page.execute_script("location.hash = '#no-such-thing'")
    until(page, "kg.$('say').innerText.includes('no-such-thing')")


def test_hostile_names_stay_text(page: "Chrome") -> None:
    page.execute_script("location.hash = '#script'")
    title(page, "</script><script>window.hit = 1</script>")
    page.execute_script("location.hash = '#paper:odd'")
    until(page, "document.querySelectorAll('#card mark').length === 4")
    assert page.execute_script("return !document.querySelector('main img, main script, #card b')")


def test_what_the_filters_hide_is_what_they_hide_in_the_file(page: "Chrome", walked: Server, many: Path, tmp_path: Path) -> None:
    ask = "const done = arguments[0]; {0}; kg.state.refresh().then(() => done([...kg.state.shown]))"
    there = [page.execute_async_script(ask.replace("{0}", change)) for change in FILTERS]
    page.execute_script("kg.state.hiddenTypes.add('Method'); kg.state.refresh()")
    until(page, "!kg.$('fill').hidden")
    page.execute_script("kg.$('fill').click()")
    until(page, "kg.graph.isFilled && kg.graph.drawn().length === 7")
    file = tmp_path / "graph.html"
    file.write_text(page_of(many), encoding="utf-8")
    page.get(file.as_uri())
    until(page, "document.body.classList.contains('ready')")
    here = [page.execute_async_script(ask.replace("{0}", change)) for change in FILTERS]
    assert [sum(shown) for shown in there] == [sum(shown) for shown in here]
    assert there == here
    page.get(f"{walked.address}graph")
    until(page, "document.body.classList.contains('ready')")


def test_a_server_that_is_gone_is_said(many: Path, chromium: "Chrome") -> None:
    gone = Server(many, port=0, limits=Limits(workers=1))
    threading.Thread(target=gone.serve_forever, daemon=True).start()
    chromium.get(f"{gone.address}graph")
    until(chromium, "document.body.classList.contains('ready')")
    gone.close()
    chromium.execute_script("location.hash = '#extra-300'")
    until(chromium, "kg.$('say').innerText.includes('does not answer')")


def test_search_finds_what_it_finds_in_the_file(page: "Chrome", walked: Server, many: Path, tmp_path: Path) -> None:
    queries = ["gsm", "GSM 8k", "gsm8", "extra-4", "of 12", "string", "<img", "e", "شبكة", "", "nothing like it"]
    find = (
        "const [queries, done] = arguments; Promise.all(queries.map((q) => kg.data.find(q, 30)))"
        ".then((found) => done(found.map((hits) => hits.map(({ n, name }) => [n, name]))))"
    )
    there = page.execute_async_script(find, queries)
    file = tmp_path / "graph.html"
    file.write_text(page_of(many), encoding="utf-8")
    page.get(file.as_uri())
    until(page, "document.body.classList.contains('ready')")
    assert page.execute_async_script(find, queries) == there
    assert [len(hits) > 0 for hits in there] == [True] * 9 + [False] * 2
    page.get(f"{walked.address}graph")
    until(page, "document.body.classList.contains('ready')")
