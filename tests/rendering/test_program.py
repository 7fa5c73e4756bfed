"""Which browser is taken, and what a person is told where there is none."""

import sys

import pytest
from scrapy.settings import Settings

from focused.rendering.program import NO_NETWORK, RenderingError, browser_program, launch_options


def test_the_setting_names_the_browser() -> None:
    assert browser_program(Settings({"FOCUSED_BROWSER": sys.executable})) == sys.executable


def test_a_browser_that_is_not_there_is_told_with_what_to_install() -> None:
    with pytest.raises(RenderingError, match=r"FOCUSED_BROWSER=/no/such is no program .*apt-get install chromium"):
        browser_program(Settings({"FOCUSED_BROWSER": "/no/such"}))


def test_else_the_first_browser_on_the_path_is_taken(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert browser_program(Settings({"FOCUSED_BROWSER": ""})) is None
    for name in ("google-chrome", "chromium", "chromium-headless-shell"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
        assert browser_program(Settings({"FOCUSED_BROWSER": ""})) == str(tmp_path / name)
    window = {"headless": False}
    found = browser_program(Settings({"FOCUSED_BROWSER": "", "PLAYWRIGHT_LAUNCH_OPTIONS": window}))
    assert found == str(tmp_path / "chromium"), "the shell has no window"


def test_launch_options_of_the_user_come_on_top() -> None:
    settings = Settings({"PLAYWRIGHT_LAUNCH_OPTIONS": {"headless": False, "args": ["--lang=de"]}})
    options = launch_options(settings, "/usr/bin/chromium", 500)
    assert (options["headless"], options["executable_path"], options["proxy"]) == (
        False,
        "/usr/bin/chromium",
        NO_NETWORK,
    )
    assert options["args"][0] == "--js-flags=--max-old-space-size=500"
    assert options["args"][-1] == "--lang=de"
