"""A real Chromium, and dashboards on this machine for it to open."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from focused.desk.dashboard.app import create_app
from focused.desk.dashboard.served import Served
from focused.rendering.program import PROGRAMS
from tests.dashboard.browser.hostile_collection import make_hostile

TIMEOUT = 30.0  #: seconds after which what does not happen fails a test
TROUBLES = """
window.troubles = [];
addEventListener("securitypolicyviolation", (event) => troubles.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));
addEventListener("error", (event) => troubles.push(`error: ${event.message}`));
addEventListener("unhandledrejection", (event) => troubles.push(`error: ${event.reason}`));
"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """For one file of tests: while it is there an event loop runs in this thread, which tests of others must not meet."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip(f"no browser on PATH ({', '.join(PROGRAMS)}): apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A tab of a browser that knows nothing yet; what goes wrong in it is kept in ``window.troubles``."""
    with a_tab(chromium) as tab:
        yield tab


@contextmanager
def a_tab(chromium: Browser, width: int = 1360, height: int = 900, **options: object) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": width, "height": height}, **options)  # type: ignore[arg-type]
    context.add_init_script(TROUBLES)
    context.set_default_timeout(1000 * TIMEOUT)
    try:
        yield context.new_page()
    finally:
        context.close()


def until(tab: Page, expression: str, seconds: float = TIMEOUT) -> None:
    """Wait until an expression is true in a page. Playwright's own way is refused by the policy of the dashboard.

    seconds : after which it fails
    """
    deadline = monotonic() + seconds
    while not tab.evaluate(expression):
        assert monotonic() < deadline, f"not true within {seconds} s: {expression}"
        tab.wait_for_timeout(20)


@contextmanager
def serving(served: Served) -> Iterator[str]:
    """Serve a dashboard in a thread of this process; its address, without a slash at the end."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        create_app(served), log_level="error", access_log=False, lifespan="off", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@pytest.fixture
def open_dashboard() -> Iterator[Callable[[Path], str]]:
    """Opens a dashboard over a data folder; gives its address."""
    with ExitStack() as stack:
        yield lambda data: stack.enter_context(serving(Served(data)))


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a collection, ``test``, of a hundred pages that try to run scripts. To be looked at only."""
    data = tmp_path_factory.mktemp("hostile") / "data"
    make_hostile(data / "test")
    return data


@pytest.fixture(scope="module")  # its thread must not live on beside tests that know nothing of it
def address(hostile: Path) -> Iterator[str]:
    """A dashboard over it."""
    with serving(Served(hostile)) as address:
        yield address


@pytest.fixture
def own(hostile: Path, tmp_path: Path) -> Path:
    """A copy of it that may be changed."""
    shutil.copytree(hostile, tmp_path / "data")
    return tmp_path / "data"
