"""The browser that the tests of the server share. It may ask nobody but the server."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kg.serve import Limits, Server
from tests.rdf.conftest import windy
from tests.view.conftest import many

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

__all__ = ["many", "windy"]

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--window-size=1000,900", "--disable-dev-shm-usage")  # fmt: skip


@pytest.fixture(scope="session")
def walked(many: Path) -> Iterator[Server]:
    """A server of a build that is too large to be drawn at once."""
    made = Server(many, port=0, limits=Limits(workers=1))
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.close()


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Chrome"]:
    webdriver = pytest.importorskip("selenium.webdriver")
    driver_path = "/usr/bin/chromedriver"
    if not Path(driver_path).exists():
        if os.environ.get("CI"):
            pytest.fail("Chromium's driver is missing")
        pytest.skip("Chromium's driver is missing")
    options = webdriver.ChromeOptions()
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver_path))
    yield driver
    driver.quit()


def until(driver: "Chrome", script: str) -> Any:
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(driver, 60).until(lambda d: d.execute_script(f"return {script}"))
