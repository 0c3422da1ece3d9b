"""The pictures of the page in the README: light and dark, as a browser of 1440 by 900 shows it.

Run from the checkout, with Chromium and its driver: python tools/view_pictures.py [exports/graph.html] [-o docs/images]
"""

import argparse
import shutil
import tempfile
import time
from pathlib import Path

THEMES = ("light", "dark")
WIDTH, HEIGHT = 1440, 900


def take(page: Path, folder: Path) -> list[Path]:
    """Write `view-light.png` and `view-dark.png` of a page into a folder; returns their paths."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    for flag in ("headless", "no-sandbox", "disable-quic", "no-first-run", "disable-sync"):
        options.add_argument(f"--{flag}")
    taken = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options.add_argument(f"--user-data-dir={profile}")
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        try:
            measures = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", measures)
            for theme in THEMES:
                driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
                driver.get("about:blank")
                driver.get(page.resolve().as_uri())
                while not driver.execute_script("return document.body.classList.contains('ready')"):
                    time.sleep(0.05)
                time.sleep(1)
                taken.append(folder / f"view-{theme}.png")
                driver.save_screenshot(str(taken[-1]))
        finally:
            driver.quit()
    return taken


def main() -> None:
    """Take the pictures, and print where they lie."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("page", type=Path, nargs="?", default=Path("exports/graph.html"))
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/images"))
    asked = parser.parse_args()
    for path in take(asked.page, asked.output):
        print(path)


if __name__ == "__main__":
    main()
