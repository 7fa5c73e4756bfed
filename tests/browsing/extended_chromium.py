"""A real Chromium with the extension in it, whose pages come from a web on this machine."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Worker, sync_playwright

import focused.desk.agent
from focused.rendering.program import BROWSERS

EXTENSION = Path(focused.desk.agent.__file__).parent / "extension"
TIMEOUT = 30_000.0  #: milliseconds


@dataclass
class Browser:
    """Chromium, the extension's worker, and its name."""

    context: BrowserContext
    worker: Worker
    id: str

    @property
    def origin(self) -> str:
        return f"chrome-extension://{self.id}"

    def panel(self, of: Page) -> Page:
        """The panel for a tab, in a tab of its own: a popup is drawn by the browser, where Playwright does not reach."""
        number = self.worker.evaluate(
            "(url) => chrome.tabs.query({}).then((tabs) => tabs.find((tab) => tab.url === url).id)", of.url
        )
        panel = self.context.new_page()
        panel.goto(f"{self.origin}/panel.html?tab={number}")
        panel.wait_for_selector("#state:not(:empty)", state="attached")
        return panel


def with_permission(folder: Path) -> Path:
    """A copy of the extension that has what a person grants when the browser asks them, where no test can click."""
    copy = folder / "extension"
    shutil.copytree(EXTENSION, copy)
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["host_permissions"] += manifest.pop("optional_host_permissions")
    (copy / "manifest.json").write_text(json.dumps(manifest))
    return copy


@contextmanager
def chromium_with(extension: Path, folder: Path, proxy: int, **options: object) -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip(f"no browser on PATH ({', '.join(BROWSERS)}): apt-get install chromium")
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            folder / "profile",
            executable_path=program,
            headless=True,
            args=["--no-sandbox", f"--disable-extensions-except={extension}", f"--load-extension={extension}"],
            ignore_default_args=["--disable-extensions"],
            proxy={"server": f"http://127.0.0.1:{proxy}", "bypass": "127.0.0.1"},
            ignore_https_errors=True,
            **options,  # type: ignore[arg-type]
        )
        context.set_default_timeout(TIMEOUT)
        try:
            worker = context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")
            yield Browser(context, worker, worker.url.split("/")[2])
        finally:
            context.close()
