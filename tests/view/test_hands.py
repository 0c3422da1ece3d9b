"""The page in Chromium under a pointer, a keyboard and a screen reader: real input, real downloads, the accessibility tree."""

import json
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.view.conftest import Open, page_of, until

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(hostile: Path) -> str:
    return page_of(hostile)


@pytest.fixture(scope="module")
def large(many: Path) -> str:
    return page_of(many)


@pytest.fixture
def still(chromium: "Chrome") -> Iterator[None]:
    """A reader who wants no motion, so that the view is where it goes at once."""
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
    yield
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def mouse(driver: "Chrome", kind: str, at: dict[str, float], **more: Any) -> None:
    driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": at["x"], "y": at["y"], **more})


def click(driver: "Chrome", at: dict[str, float], times: int = 1) -> None:
    """Clicks in quick succession: the browser gets them as one command."""
    from selenium.webdriver.common.actions.action_builder import ActionBuilder

    actions = ActionBuilder(driver, duration=0)
    actions.pointer_action.move_to_location(round(at["x"]), round(at["y"]))
    for _ in range(times):
        actions.pointer_action.pointer_down().pointer_up()
    actions.perform()


def press(driver: "Chrome", *names: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    actions = ActionChains(driver)
    for name in names:
        actions.send_keys(name)
    actions.perform()


def spot(driver: "Chrome", identifier: str) -> dict[str, float]:
    """Where a node lies in the window."""
    found: dict[str, float] = driver.execute_script(
        "const at = kg.graph.net.canvasToDOM(kg.graph.net.getPosition(kg.data.node(arguments[0]))); const box = kg.$('map').getBoundingClientRect();"
        "return { x: at.x + box.left, y: at.y + box.top }",
        identifier,
    )
    return found


def test_hovering_lights_the_neighbours_and_a_click_opens_the_card(opened: Open, page: str) -> None:
    driver = opened(page)
    mouse(driver, "mouseMoved", spot(driver, "llada"))
    until(driver, "kg.glow.hovered === kg.data.node('llada')")
    lit = driver.execute_script("return [...kg.glow.lit()].map(kg.data.id)")
    assert set(lit) == {"llada", "lss", "text-generation"} | (set(lit) & {"loose-string-sampling"})
    before = driver.execute_script("return kg.graph.net.getViewPosition()")
    click(driver, spot(driver, "llada"))
    until(driver, "document.getElementById('card-title')?.innerText === 'LLaDA'")
    assert driver.execute_script("return kg.graph.net.getViewPosition()") == before
    driver.execute_script("kg.go(null)")
    until(driver, "kg.$('card').hidden")


def test_a_double_click_brings_in_neighbours_and_folds_them(opened: Open, large: str, still: None) -> None:
    driver = opened(large, "#gsm8k")
    until(driver, "document.getElementById('card-expand')")
    before = driver.execute_script("return kg.graph.nodes.length")
    click(driver, spot(driver, "gsm8k"), times=2)
    until(driver, f"kg.graph.nodes.length > {before}")
    assert driver.execute_script("return kg.graph.has(kg.data.node('paper:lss'))")
    time.sleep(0.4)
    click(driver, spot(driver, "gsm8k"), times=2)
    until(driver, f"kg.graph.nodes.length === {before}")


def test_a_found_node_lies_in_the_middle_of_the_room_and_is_chosen(opened: Open, page: str, still: None) -> None:
    driver = opened(page)
    press(driver, "/", "gsm8k")
    until(driver, "document.querySelectorAll('#suggestions li').length")
    press(driver, "\ue007")
    until(driver, "document.getElementById('card-title')?.innerText === 'GSM8K'")
    until(driver, "kg.graph.chosen()[0] === kg.data.node('gsm8k')")
    off = driver.execute_script(
        "const r = kg.room(); const at = kg.graph.net.canvasToDOM(kg.graph.net.getPosition(kg.state.selected));"
        "return [at.x - r.left - r.width / 2, at.y - r.top - r.height / 2]"
    )
    assert max(map(abs, off)) < 2


def test_edges_thin_out_while_the_wheel_turns(opened: Open, large: str) -> None:
    driver = opened(large)
    scale = driver.execute_script("return kg.graph.net.getScale()")
    mouse(driver, "mouseWheel", {"x": 700, "y": 400}, deltaX=0, deltaY=-100)
    until(driver, "kg.graph.isMoving")
    assert driver.execute_script("return kg.graph.net.getScale()") > scale
    until(driver, "!kg.graph.isMoving")


def test_every_key_does_what_the_help_says(opened: Open, large: str, still: None) -> None:
    driver = opened(large, "#gsm8k")
    until(driver, "document.getElementById('card-expand')")
    driver.execute_script("document.activeElement.blur(); kg.$('map').focus()")
    scale = driver.execute_script("return kg.graph.net.getScale()")
    press(driver, "+", "+")
    assert driver.execute_script("return kg.graph.net.getScale()") > scale
    press(driver, "-", "-", "-")
    assert driver.execute_script("return kg.graph.net.getScale()") < scale
    drawn = driver.execute_script("return kg.graph.nodes.length")
    press(driver, "e")
    until(driver, f"kg.graph.nodes.length !== {drawn}")
    press(driver, "0")
    assert driver.execute_script("return kg.frame.bounds !== null")
    press(driver, "l")
    assert driver.execute_script("return kg.$('filters').hidden")
    press(driver, "l", "d")
    assert driver.execute_script("return kg.look.isDark")
    press(driver, "d", "p")
    assert driver.execute_script("return kg.graph.net.physics.physicsEnabled")
    press(driver, "p", "t")
    assert not driver.execute_script("return kg.graph.net.physics.physicsEnabled")
    until(driver, "document.querySelectorAll('#table tbody tr').length === 3")
    press(driver, "\ue00c", "?")
    until(driver, "kg.$('table').hidden && kg.$('help').open")
    press(driver, "\ue00c")
    until(driver, "!kg.$('help').open")
    view = driver.execute_script("return kg.graph.net.getViewPosition()")
    driver.execute_script("kg.$('map').focus()")
    driver.execute_script("kg.$('map').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true }))")
    assert driver.execute_script("return kg.graph.net.getViewPosition().x") > view["x"]
    press(driver, "\ue00c")
    until(driver, "kg.$('card').hidden && location.hash === ''")


def test_tab_goes_through_named_controls_alone(opened: Open, page: str) -> None:
    """The tree that a screen reader gets: everything that takes the focus has a role and a name."""
    driver = opened(page, "#gsm8k")
    until(driver, "document.getElementById('card-title')")
    driver.execute_script("kg.table.open(true)")
    until(driver, "document.querySelectorAll('#table tbody tr').length")
    nodes = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]

    def has(node: dict[str, Any], name: str) -> bool:
        return any(prop["name"] == name and prop["value"].get("value") for prop in node.get("properties", []))

    focusable = [node for node in nodes if has(node, "focusable") and node["role"]["value"] not in ("RootWebArea", "generic")]
    nameless = [node["role"]["value"] for node in focusable if not node.get("name", {}).get("value")]
    assert nameless == []
    roles = {node["role"]["value"] for node in focusable}
    assert {"application", "button", "checkbox", "combobox", "slider", "link"} <= roles
    regions = {
        node.get("name", {}).get("value") for node in nodes if node["role"]["value"] in ("region", "complementary", "search", "status", "toolbar")
    }
    assert {"Filters", "Details", "Table", "View"} <= regions
    driver.execute_script("kg.go(kg.data.node('llada'))")
    until(driver, "kg.$('say').innerText === 'LLaDA, Model' && kg.$('say').getAttribute('aria-live') === 'polite'")


def test_saved_files_are_a_picture_a_drawing_and_a_table(opened: Open, page: str, tmp_path: Path) -> None:
    driver = opened(page)
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    for kind in ("png", "svg", "csv"):
        driver.execute_script("kg.$('save').open = true")
        driver.find_element("id", f"save-{kind}").click()
        end = time.monotonic() + 60
        while not list(tmp_path.glob(f"*.{kind}")):
            assert time.monotonic() < end, kind
            time.sleep(0.1)
        time.sleep(0.3)
    assert next(tmp_path.glob("*.png")).read_bytes().startswith(b"\x89PNG\r\n")
    svg = ET.fromstring(next(tmp_path.glob("*.svg")).read_text(encoding="utf-8"))
    assert any(element.text == "GSM8K" for element in svg.iter("{http://www.w3.org/2000/svg}text"))
    table = next(tmp_path.glob("*.csv")).read_text(encoding="utf-8-sig").splitlines()
    assert table[0] == "Name,Type,Papers,Also called"
    assert "GSM8K,Dataset,3,GSM-8K" in table


def test_the_copy_holds_the_links_of_all_that_is_selected(opened: Open, page: str) -> None:
    driver = opened(page)
    driver.execute_script("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => (window.copied = text) } })")
    driver.execute_script("kg.graph.net.selectNodes([kg.data.node('llada'), kg.data.node('right')]); kg.table.open(true)")
    until(driver, "document.querySelectorAll('#table tbody tr').length === 2")
    driver.find_element("id", "copy-csv").click()
    until(driver, "window.copied")
    lines = driver.execute_script("return window.copied").splitlines()
    assert lines[0] == "Paper,Year,Entity,Type,Role,Confidence,Evidence"
    assert {line.split(",")[4] for line in lines[1:]} == {"compared", "used"}
    assert "2 rows copied" in driver.execute_script("return kg.$('say').innerText")


def test_text_from_right_to_left_does_not_turn_its_surroundings(opened: Open, page: str) -> None:
    driver = opened(page, "#right")
    until(driver, "document.getElementById('card-title')")
    assert driver.execute_script("return document.querySelector('#card-title > bdi') !== null && document.querySelector('#card q').dir === 'auto'")
    drawn = driver.execute_script("return kg.graph.nodes.get().map((node) => kg.short(node.name)).join('') + kg.$('card-title').innerText")
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") & set(drawn)
    assert "شبكة" in drawn


def test_a_node_has_one_size_whoever_draws_it(opened: Open, large: str) -> None:
    driver = opened(large)
    pairs = driver.execute_script("return kg.graph.nodes.get().map(({ id, size }) => [size, kg.graph.size(id), kg.data.degree(id)])")
    assert all(abs(there - here) < 0.06 for there, here, _ in pairs)
    by_degree = sorted(pairs, key=lambda pair: pair[2])
    assert [pair[0] for pair in by_degree] == sorted(pair[0] for pair in pairs)
    assert json.loads(driver.execute_script("return JSON.stringify(kg.graph.most)")) >= 640
