"""The builds and the browser that the tests of the view share."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kg import tables, view
from tests.view.builds import build

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build whose names and addresses attack the page."""
    return build(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build that is too large to be drawn at once."""
    return build(tmp_path_factory.mktemp("many"), many=420)


def page_of(folder: Path, **options: Any) -> str:
    connection = tables.open_build(folder)
    try:
        return view.html(connection, **options)
    finally:
        connection.close()


def _start(profile: Path) -> "Chrome":
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    flags = "headless no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-component-update disable-sync"
    for flag in (*flags.split(), "use-angle=swiftshader", "enable-unsafe-swiftshader", f"user-data-dir={profile}", "window-size=1280,800"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Chrome"]:
    """Chromium with the network cut; where there is none the test is skipped, but in CI it fails."""
    missing = [name for name in ("chromedriver", "chromium") if not shutil.which(name)]
    if missing:
        reason = f"{' and '.join(missing)} not found: install Chromium and its driver to test the page"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    driver = _start(tmp_path_factory.mktemp("chromium"))
    driver.set_script_timeout(60)
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
    yield driver
    driver.quit()


Open = Callable[..., "Chrome"]


@pytest.fixture
def opened(chromium: "Chrome", tmp_path: Path) -> Iterator[Open]:
    """Open a page from the file system and wait until it is ready; afterwards it must have logged no error."""

    def open_page(page: str, address: str = "") -> "Chrome":
        path = tmp_path / "graph.html"
        path.write_text(page, encoding="utf-8", newline="\n")
        chromium.get("about:blank")
        chromium.get_log("performance")
        chromium.get(path.as_uri() + address)
        until(chromium, "document.body.classList.contains('ready')")
        return chromium

    chromium.get_log("browser")
    yield open_page
    assert [entry["message"] for entry in chromium.get_log("browser") if entry["level"] == "SEVERE"] == []


def until(driver: "Chrome", condition: str, seconds: float = 60) -> None:
    """Wait until a JavaScript expression holds."""
    end = time.monotonic() + seconds
    while not driver.execute_script(f"return Boolean({condition})"):
        assert time.monotonic() < end, f"never came true: {condition}"
        time.sleep(0.05)
