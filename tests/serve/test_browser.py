"""The query page in Chromium, which may ask nobody but the server."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kg.serve import Limits, Server
from tests.serve.conftest import until

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(windy: Path) -> Iterator[Server]:
    made = Server(windy, port=0, limits=Limits(seconds=60))
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.close()


def run(driver: "Chrome", query: str) -> str:
    driver.execute_script("document.getElementById('status').textContent = ''; document.getElementById('query').value = arguments[0]", query)
    driver.find_element("id", "run").click()
    return str(
        until(
            driver, "/row|Yes|No|answered| s$/.test(document.getElementById('status').textContent) && document.getElementById('status').textContent"
        )
    )


def test_a_person_asks_and_follows_an_answer(server: Server, chromium: "Chrome") -> None:
    chromium.get(server.address)
    until(chromium, "document.getElementById('named').options.length >= 25")
    assert "kg:paperCount" in chromium.execute_script("return document.getElementById('query').value")
    assert run(chromium, "SELECT ?d ?label { ?d a kg:Dataset ; skos:prefLabel ?label }").startswith("1 row")
    assert chromium.find_element("css selector", "#answer tbody").text == "e:windbench WindBench"
    assert run(chromium, "ASK { ?s a kg:Paper }").startswith("Yes")
    run(chromium, "DESCRIBE e:windbench")
    assert 'skos:prefLabel "WindBench"' in chromium.find_element("id", "text").text
    assert run(chromium, "SELECT * {\n ?s ?p }") == "Not answered"
    assert "line 2" in chromium.find_element("id", "text").text
    run(chromium, "SELECT ?d { ?d a kg:Dataset }")
    chromium.find_element("css selector", "#answer tbody a").click()
    until(chromium, "document.querySelector('h1').textContent === 'WindBench'")
    chromium.find_element("link text", "KiteNet").click()
    until(chromium, "document.querySelector('h1').textContent === 'KiteNet'")


def test_a_link_holds_the_query_and_hostile_names_do_nothing(server: Server, chromium: "Chrome") -> None:
    chromium.get("about:blank")
    chromium.get(server.address + "#SELECT%20%3Fx%20%7B%20%3Fx%20a%20kg%3AMethod%20%3B%20skos%3AprefLabel%20%3Fl%20%7D%20ORDER%20BY%20%3Fl")
    until(chromium, "document.querySelectorAll('#answer tbody tr').length === 3")
    run(chromium, "SELECT ?l { VALUES ?l { '<img src=x onerror=document.title=1>' } }")
    assert chromium.execute_script("return document.querySelectorAll('#answer img').length") == 0
    asked = chromium.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert all(url.startswith(server.address) for url in asked)
    assert not [entry for entry in chromium.get_log("browser") if entry["source"] != "network"]
