"""The page in Chromium, opened from the file system with the network cut."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kg.view import page as pages
from tests.view.builds import HANDLER, SCRIPT
from tests.view.conftest import Open, page_of, until

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(hostile: Path) -> str:
    return page_of(hostile, title="Kites")


@pytest.fixture(scope="module")
def large(many: Path) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "PLAIN", 0)
        return page_of(many)


@pytest.fixture
def size(chromium: "Chrome") -> Iterator[Any]:
    """Set the size of the window and the theme for one test."""

    def set_size(width: int, height: int, theme: str = "light") -> None:
        measures = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", measures)
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})

    yield set_size
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def key(driver: "Chrome", name: str, target: str = "document.body") -> None:
    driver.execute_script(f"{target}.dispatchEvent(new KeyboardEvent('keydown', {{key: {json.dumps(name)}, bubbles: true, cancelable: true}}))")


def card(driver: "Chrome") -> str:
    return str(driver.execute_script("return document.getElementById('card').innerText"))


def test_no_request_leaves_the_page_and_nothing_hostile_runs(opened: Open, page: str) -> None:
    driver = opened(page, "#script")
    until(driver, "!document.getElementById('card').hidden")
    for node in range(15):
        driver.execute_script(f"kg.go({node})")
        until(driver, f"kg.state.selected === {node} && document.getElementById('card-title')")
    driver.execute_script("kg.go(kg.data.node('odd')); kg.table.open(true)")
    until(driver, "document.querySelectorAll('#table tbody tr').length")
    requests = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    urls = [m["params"]["request"]["url"] for m in requests if m["method"] == "Network.requestWillBeSent"]
    assert [url for url in urls if not url.startswith("file:") and not url.startswith("data:,")] == []
    assert len([url for url in urls if url.startswith("file:")]) == 1
    assert driver.execute_script("return window.hit === undefined && !document.querySelector('main img, main script, #card b')")
    assert driver.execute_script("return [...document.querySelectorAll('a')].every((a) => a.protocol === 'https:')")


def test_search_by_alias_opens_the_card_with_the_mention_marked(opened: Open, page: str) -> None:
    driver = opened(page)
    driver.execute_script("const s = kg.$('search'); s.focus(); s.value = 'gsm 8'; s.dispatchEvent(new Event('input'))")
    options = driver.execute_script("return [...document.querySelectorAll('#suggestions [role=option]')].map((o) => o.innerText)")
    assert options[0].startswith("GSM8K")
    assert driver.execute_script("return kg.$('search').getAttribute('aria-activedescendant')") == "suggestion-0"
    key(driver, "Enter", "kg.$('search')")
    until(driver, "document.querySelector('#card mark')")
    text = card(driver)
    assert text.startswith("Dataset")
    for piece in ("GSM8K", "GSM-8K", "Evaluated", "Mentioned", "Loose Strings", "outperforms", "67%"):
        assert piece in text
    assert driver.execute_script("return [...document.querySelectorAll('#card mark')].every((m) => m.textContent === 'GSM8K')")
    assert driver.execute_script("return location.hash") == "#gsm8k"


def test_the_address_leads_to_a_node_and_back_goes_back(opened: Open, page: str) -> None:
    driver = opened(page, "#gsm-8k")
    until(driver, "document.getElementById('card-title')?.innerText === 'GSM8K'")
    driver.execute_script("kg.go(kg.data.node('paper:lss'))")
    until(driver, "document.getElementById('card-title')?.innerText === 'Loose Strings'")
    links = driver.execute_script("return [...document.querySelectorAll('#card .urls a')].map((a) => a.href)")
    assert links == ["https://example.org/lss", "https://doi.org/10.1234/lss"]
    driver.back()
    until(driver, "document.getElementById('card-title')?.innerText === 'GSM8K'")
    driver.execute_script("location.hash = '#no-such-thing'")
    until(driver, "document.getElementById('say').innerText.includes('no-such-thing')")


def test_filters_of_type_role_confidence_and_year(opened: Open, page: str) -> None:
    driver = opened(page)

    def shown() -> set[str]:
        return set(driver.execute_script("return kg.graph.drawn().map(kg.data.id)"))

    def press(name: str) -> None:
        driver.execute_script(f"document.querySelector('#filters input[data-name=\"{name}\"]').click()")

    assert len(shown()) == 15
    assert "3" in driver.execute_script("return document.querySelector('#filters label').innerText")
    press("Dataset")
    assert "gsm8k" not in shown()
    press("Dataset")
    press("mentioned")
    assert "text-generation" not in shown()
    assert "gsm8k" in shown()
    press("mentioned")
    driver.execute_script("const r = document.querySelector('input[aria-label*=confidence]'); r.value = 85; r.dispatchEvent(new Event('input'))")
    assert "llada" not in shown()
    driver.execute_script("document.getElementById('filters-clear').click()")
    assert len(shown()) == 15
    driver.execute_script("const y = document.querySelector('input[aria-label^=Earliest]'); y.value = 2025; y.dispatchEvent(new Event('input'))")
    assert {"lss", "gsm8k"} <= shown()
    assert not {"kite", "script", "lonely"} & shown()
    driver.execute_script("document.querySelectorAll('#filters fieldset:first-of-type input').forEach((i) => i.click())")
    until(driver, "!document.getElementById('empty').hidden")


def test_the_keyboard_reaches_nodes_and_every_control_has_a_name(opened: Open, page: str) -> None:
    driver = opened(page)
    key(driver, "ArrowRight", "kg.$('map')")
    until(driver, "kg.state.selected !== null")
    driver.execute_script("window.walked = new Set(); kg.on('selected', (n) => window.walked.add(n))")
    for way in ("ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp"):
        key(driver, way, "kg.$('map')")
    until(driver, "window.walked.size > 1")
    until(driver, "document.getElementById('card-title')")
    key(driver, "Enter", "kg.$('map')")
    assert driver.execute_script("return document.activeElement.id") == "card-title"
    key(driver, "Escape")
    until(driver, "document.getElementById('card').hidden")
    key(driver, "t")
    until(driver, "document.querySelectorAll('#table tbody tr').length === 15")
    nameless = driver.execute_script(
        "return [...document.querySelectorAll('button, input, summary, [role=region], [role=listbox]')]"
        ".filter((e) => !(e.innerText || e.textContent || '').trim() && !e.getAttribute('aria-label') && !e.closest('label')).map((e) => e.outerHTML)"
    )
    assert nameless == []


def test_copies_and_exports_hold_names_as_text(opened: Open, page: str) -> None:
    driver = opened(page)
    driver.execute_script("kg.go(kg.data.node('paper:odd'))")
    until(driver, "document.getElementById('card-title')")
    csv = driver.execute_async_script("kg.table.csv().then(arguments[0])")
    assert csv.startswith("Paper,Year,Entity,Type,Role,Confidence,Evidence\r\n")
    assert ",'=HYPERLINK(1)," in csv
    assert csv.count("\r\n") == 5
    svg = driver.execute_script("return kg.save.svgText()")
    root = ET.fromstring(svg)
    name = "{http://www.w3.org/2000/svg}"
    assert {element.tag for element in root.iter()} == {name + tag for tag in ("svg", "title", "rect", "g", "path", "circle", "polygon", "text")}
    titles = {element.text for element in root.iter(name + "title")}
    assert {SCRIPT, HANDLER, "GSM8K"} <= titles


def test_the_card_of_an_edge_shows_its_evidence(opened: Open, page: str) -> None:
    driver = opened(page)
    driver.execute_script("kg.tie.show(kg.graph.edges.get().find((edge) => edge.kind === 'outperforms'))")
    until(driver, "document.getElementById('card-title')")
    text = card(driver)
    assert "outperforms" in text
    assert "Loose Strings" in text
    assert "80 %" in text
    driver.execute_script("kg.tie.show(kg.graph.edges.get().find((edge) => edge.kind === 'compared'))")
    until(driver, "document.querySelector('#card mark')?.textContent === 'LLaDA'")
    key(driver, "Escape")
    until(driver, "document.getElementById('card').hidden")


def test_an_overview_brings_in_and_folds_neighbours(opened: Open, large: str) -> None:
    driver = opened(large)
    driver.execute_script("kg.go(kg.data.node('gsm8k'))")
    until(driver, "document.getElementById('card-expand')")
    before = driver.execute_script("return kg.graph.nodes.length")
    driver.execute_script("kg.graph.toggle(kg.data.node('gsm8k'))")
    assert driver.execute_script("return ['paper:lss', 'paper:kite', 'paper:odd'].every((p) => kg.graph.has(kg.data.node(p)))")
    apart = driver.execute_script(
        "const spots = Object.entries(kg.graph.net.getPositions()).map(([n, s]) => ({ ...s, size: kg.graph.nodes.get(Number(n)).size }));"
        "return Math.min(...spots.flatMap((a, i) => spots.slice(i + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y) - a.size - b.size)))"
    )
    assert apart > 0
    driver.execute_script("kg.graph.toggle(kg.data.node('gsm8k'))")
    assert driver.execute_script("return kg.graph.nodes.length") == before
    driver.execute_script("kg.go(kg.data.node('paper:more-400'))")
    until(driver, "document.getElementById('card-title')?.innerText === 'More of 400'")
    assert driver.execute_script("return kg.graph.has(kg.state.selected) && kg.graph.neighbours(kg.state.selected).length > 0")
    assert driver.execute_script("return kg.graph.nodes.length <= kg.graph.most")


def test_names_never_cover_one_another_at_any_zoom(opened: Open, large: str) -> None:
    driver = opened(large)
    for scale in (0.3, 0.7, 1.5):
        overlapping = driver.execute_script(
            "const ctx = document.createElement('canvas').getContext('2d');"
            "const list = kg.labels.arrange(ctx, arguments[0], kg.graph.net.getPositions(), kg.graph.nodes.get(), new Set());"
            "const hit = (a, b) => a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;"
            "return [list.length, list.flatMap((a, i) => list.slice(i + 1).filter((b) => hit(a, b))).length]",
            scale,
        )
        assert overlapping[0] > 0
        assert overlapping[1] == 0


def test_a_browser_without_streams_unpacks_the_data_as_well(chromium: "Chrome", opened: Open, large: str) -> None:
    script = chromium.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "delete window.DecompressionStream"})
    try:
        driver = opened(large)
        assert driver.execute_script("return typeof DecompressionStream") == "undefined"
        assert driver.execute_script("return kg.data.total") == 431 + 424
    finally:
        chromium.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


@pytest.mark.parametrize(("width", "height", "theme"), [(390, 844, "dark"), (820, 1180, "light")])
def test_a_small_screen_shows_everything_without_scrolling_aside(opened: Open, size: Any, page: str, width: int, height: int, theme: str) -> None:
    size(width, height, theme)
    driver = opened(page, "#gsm8k")
    until(driver, "document.getElementById('card-title')")
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    assert driver.execute_script("return kg.look.isDark") is (theme == "dark")
    box = driver.execute_script("const b = kg.$('card').getBoundingClientRect(); return [b.left, b.right, b.bottom]")
    assert box[0] >= 0
    assert box[1] <= width
    assert box[2] <= height
    at = driver.execute_script("const p = kg.graph.net.getPosition(kg.state.selected); return kg.graph.net.canvasToDOM(p)")
    assert 0 < at["x"] < width
    assert at["y"] > 0


def test_the_whole_graph_is_drawn_by_webgl(opened: Open, many: Path) -> None:
    driver = opened(page_of(many, whole=True), "#gsm8k")
    until(driver, "document.getElementById('card-title')?.innerText === 'GSM8K'")
    assert driver.execute_script("return kg.graph.renderer.getGraph().order") == 431 + 424
    assert driver.execute_script("return document.querySelectorAll('#map canvas').length") > 1


def test_a_notebook_s_frame_shows_the_page(opened: Open, page: str) -> None:
    from kg import view

    driver = opened(f"<!DOCTYPE html><title>notebook</title><body class='ready'>{view.frame(page)}")
    driver.switch_to.frame(0)
    try:
        until(driver, "document.body.classList.contains('ready')")
        driver.execute_script("kg.go(kg.data.node('gsm8k'))")
        until(driver, "document.getElementById('card-title')?.innerText === 'GSM8K'")
        driver.execute_script("kg.look.setTheme('dark')")
        assert driver.execute_script("return kg.look.isDark")
    finally:
        driver.switch_to.default_content()


def test_a_family_shows_its_variants_and_hides_with_them(opened: Open, page: str) -> None:
    driver = opened(page, "#gsm")
    until(driver, "document.getElementById('card-title')?.innerText === 'GSM'")
    assert "1 variant:\nGSM8K" in card(driver)
    shown = "return kg.state.isShown(kg.data.node('gsm'))"
    assert driver.execute_script(shown)
    driver.execute_script("kg.tie.show(kg.graph.edges.get().find((edge) => edge.kind === 'variant' && edge.to === kg.data.node('gsm')))")
    until(driver, "document.getElementById('card-title')?.innerText.includes('is a variant of')")
    driver.execute_script("kg.state.years = [1990, 1991]; kg.state.refresh()")
    until(driver, "!kg.state.isShown(kg.data.node('gsm8k'))")
    assert not driver.execute_script(shown)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 900), (1024, 768), (390, 844)])
def test_at_the_start_no_name_is_cut(opened: Open, size: Any, page: str, large: str, width: int, height: int) -> None:
    size(width, height)
    for text in (page, large):
        driver = opened(text)
        room, names, discs = driver.execute_script(
            "const { net, nodes } = kg.graph; const scale = net.getScale(); const map = kg.$('map').getBoundingClientRect();"
            "const panel = kg.$('filters').hidden ? 0 : kg.$('filters').getBoundingClientRect().right - map.left;"
            "const zero = net.canvasToDOM({ x: 0, y: 0 });"
            "const list = kg.labels.current(document.createElement('canvas').getContext('2d'), new Set()).list;"
            "const spots = Object.values(net.getPositions()).map((spot) => net.canvasToDOM(spot));"
            "const box = (l) => [zero.x + l.left, zero.x + l.left + l.width, zero.y + l.top, zero.y + l.top + l.height];"
            "return [[panel, map.width, map.height], list.map(box),"
            "spots.map(({ x, y }) => [x, x, y, y])]"
        )
        assert len(names) >= 5
        left, right, bottom = room
        assert all(a >= left and b <= right and c >= 0 and d <= bottom for a, b, c, d in names + discs)
