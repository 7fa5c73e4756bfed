"""Which browser renders pages, how it is started, and what to install where there is none."""

from __future__ import annotations

import os
import shutil
from typing import Any

from scrapy.settings import BaseSettings

from focused.exceptions import FocusedError, how_to_install

#: Looked for on PATH, in this order. A shell has no window, and takes a quarter of the CPU.
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PROGRAMS = SHELLS + BROWSERS

# A browser that needs no network gets none: whatever is not answered by us ends here, where nobody listens.
NO_NETWORK = {"server": "http://127.0.0.1:9"}
#: And where the proxy is not asked: UDP (WebRTC, QUIC) goes nowhere, and no name is looked up.
NO_WAY_AROUND = (
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # its name until Chromium 130, and in other builds
    "--disable-quic",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
INSTALL_PACKAGE = f"`{how_to_install('rendering')}`"
INSTALL_BROWSER = "install one (`apt-get install chromium`), or name one with -s FOCUSED_BROWSER=/path/to/chromium"


class RenderingError(FocusedError):
    """Pages cannot be rendered at all; the message says what to do about it."""


def browser_program(settings: BaseSettings) -> str | None:
    """The browser that FOCUSED_BROWSER names, else the first of `PROGRAMS`; None: Playwright's own, if it has one.

    Raises RenderingError where the setting names no program, or PLAYWRIGHT_LAUNCH_OPTIONS are no table.
    """
    named: str = settings["FOCUSED_BROWSER"]
    if named:
        found = shutil.which(named)
        if found is None:
            raise RenderingError(f"FOCUSED_BROWSER={named} is no program that can be run: {INSTALL_BROWSER}")
        return found
    headless = own_options(settings).get("headless", True)
    return next(filter(None, map(shutil.which, PROGRAMS if headless else BROWSERS)), None)


def own_options(settings: BaseSettings) -> dict[str, Any]:
    """PLAYWRIGHT_LAUNCH_OPTIONS. Raises RenderingError where they are no table."""
    try:
        return settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
    except (TypeError, ValueError) as error:
        raise RenderingError(
            f'PLAYWRIGHT_LAUNCH_OPTIONS: give a JSON object, such as {{"headless": false}} ({error})'
        ) from error


def launch_options(settings: BaseSettings, program: str | None, memory: int) -> dict[str, Any]:
    """How Playwright is to launch it; PLAYWRIGHT_LAUNCH_OPTIONS override all but the arguments, to which theirs are added.

    memory : megabytes of JavaScript heap a page may have
    """
    own = own_options(settings)
    options: dict[str, Any] = {
        "headless": True,
        "proxy": NO_NETWORK,  # for what the browser does on its own account; each context has it as well
        # Chromium refuses to run sandboxed as root.
        "chromium_sandbox": hasattr(os, "geteuid") and os.geteuid() != 0,
        "handle_sigint": False,  # a crawl that is asked to stop closes its browser itself
        "handle_sigterm": False,
        "handle_sighup": False,
    }
    if program is not None:
        options["executable_path"] = program
    arguments = [f"--js-flags=--max-old-space-size={memory}", "--disable-gpu", *NO_WAY_AROUND, *own.get("args", ())]
    return options | own | {"args": arguments}
