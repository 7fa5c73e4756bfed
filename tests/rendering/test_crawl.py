"""Whole crawls with a real browser: what it renders and leaves alone, and that nothing it meets breaks a promise."""

import os
import shutil
import signal
from pathlib import Path

import pytest

from focused.exceptions import how_to_install
from focused.rendering.program import PROGRAMS
from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import ROOT, TRUE_START, column, crawl, end, failures, fetched, rows, start
from tests.crawls.mock_web import MockWeb, are_apart, page, robots, serving
from tests.rendering.script_web import (
    ANSWERS,
    APP,
    APP_PAGES,
    APP_SHELL,
    AWAY,
    DIALOG,
    FILES,
    GREEDY,
    HUGE,
    NEVER,
    ODD,
    OLD,
    PLAIN,
    SPIN,
    html,
    script,
    shell,
    writes,
)

needs_browser = pytest.mark.skipif(
    not any(map(shutil.which, PROGRAMS)), reason=f"no browser on PATH ({', '.join(PROGRAMS)}): apt-get install chromium"
)
TRACES = ("Traceback", "never retrieved", "was never awaited")
WEB = MockWeb(ANSWERS, latency=0.01)
HOSTS = (APP, OLD, NEVER, DIALOG, AWAY, FILES, HUGE, SPIN, ODD, PLAIN)


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """A crawl of all of `script_web` but for the host that takes all memory."""
    folder = tmp_path_factory.mktemp("rendered")
    options = {
        "rendering__seconds": 6,  # a script that never comes takes half of them, and busy machines are slow
        "rendering__max_bytes": 500_000,
        "rendering__pages": 4,
        "scope__denied_hosts": "elsewhere.example",
    }
    with serving(WEB):
        ended = crawl(WEB, folder, [f"{host}/" for host in HOSTS], render="auto", **options)
    return folder, ended


def rendered(folder: Path) -> set[str]:
    return set(column(folder, "SELECT final_url FROM history WHERE rendered"))


def not_rendered(folder: Path) -> dict[str, str]:
    return dict(rows(folder, "SELECT url, reason FROM history WHERE outcome = 'page' AND reason IS NOT NULL"))


def paths_asked(web: MockWeb, host: str) -> list[str]:
    return [asked.url.removeprefix(host) for asked in web.asked if asked.url.startswith(host)]


@needs_browser
def test_the_crawl_comes_to_its_end_without_a_traceback(collected) -> None:
    ended = collected[1]
    assert ended.code == 0
    assert not [trace for trace in TRACES if trace in ended.log]


@needs_browser
def test_links_built_by_scripts_are_followed(collected) -> None:
    assert {f"{APP}/", *APP_PAGES} <= set(fetched(collected[0]))


@needs_browser
def test_only_pages_that_need_it_are_rendered(collected) -> None:
    assert rendered(collected[0]) == {
        *(f"{APP}/", *APP_PAGES, f"{NEVER}/", f"{DIALOG}/", f"{FILES}/", f"{AWAY}/reload", f"{ODD}/")
    }


@needs_browser
def test_pages_that_could_not_be_rendered_are_kept_plain_with_the_reason(collected) -> None:
    assert not_rendered(collected[0]) == {
        f"{OLD}/one": "rendering gave nothing more",
        f"{HUGE}/": "not rendered: its rendered markup is too large",
        f"{SPIN}/": "not rendered: timeout",
    }


@needs_browser
def test_pages_that_never_settle_open_dialogs_or_reload_are_read_all_the_same(collected) -> None:
    assert {f"{NEVER}/done", f"{DIALOG}/after", f"{AWAY}/end"} <= set(fetched(collected[0]))
    assert f"{DIALOG}/popup" not in WEB.pages_asked()


@needs_browser
def test_where_a_script_leads_the_scheduler_decides(collected) -> None:
    folder = collected[0]
    assert rows(folder, "SELECT final_url, rendered FROM history WHERE url = ?", (f"{AWAY}/",)) == [(f"{AWAY}/here", 0)]
    assert {url: reason for url, reason in failures(folder).items() if url.startswith(AWAY)} == {
        f"{AWAY}/out": "redirects out of scope: host denied",
        f"{AWAY}/barred": "robots.txt",
    }
    assert paths_asked(WEB, "http://elsewhere.example") == []
    assert "/private/x" not in paths_asked(WEB, AWAY)


@needs_browser
def test_a_page_that_downloads_a_file_is_read_and_the_file_left(collected) -> None:
    assert f"{FILES}/kept" in fetched(collected[0])
    assert paths_asked(WEB, FILES) == ["/robots.txt", "/", "/kept"]


@needs_browser
@pytest.mark.usefixtures("collected")
def test_a_page_and_its_scripts_are_fetched_once_and_nothing_else_is() -> None:
    asked = [path for path in paths_asked(WEB, APP) if path != "/frame.html"]  # a link, fetched as a page of its own
    scripts = ["/bundle.js", "/bundle-2.js", *(f"/api/{name}" for name in ("", *range(5)))]
    assert sorted(asked) == sorted(["/robots.txt", "/", *(f"/{n}" for n in range(5)), *scripts])


@needs_browser
@pytest.mark.usefixtures("collected")
def test_nobody_else_is_asked_for_anything() -> None:
    assert {asked.host for asked in WEB.asked} == {host.removeprefix("http://") for host in HOSTS}
    assert {asked.method for asked in WEB.asked} == {"GET"}
    assert len({asked.headers["user-agent"] for asked in WEB.asked}) == 1


@needs_browser
@pytest.mark.usefixtures("collected")
def test_one_request_at_a_time_goes_to_each_host() -> None:
    # A server whose answer was given up hears of it a moment after the next request was sent.
    assert {most for host, most in WEB.most_at_once.items() if f"http://{host}" != ODD} == {1}


@needs_browser
def test_a_host_that_always_needs_it_is_rendered_right_away_also_by_a_later_run(tmp_path) -> None:
    looks_full = html(f"<p>{'Welcome to our news. ' * 40}</p><div id=root></div><script src=/bundle.js></script>")
    web = MockWeb({**ANSWERS, f"{APP}/3": looks_full, f"{APP}/4": looks_full})
    with serving(web):
        crawl(web, tmp_path, [f"{APP}/"], render="auto", pages=5)
        assert rendered(tmp_path) >= {f"{APP}/", f"{APP}/0"}
        crawl(web, tmp_path, [f"{APP}/"], render="auto", pages=7)
    assert {f"{APP}/", *APP_PAGES} <= rendered(tmp_path)


@needs_browser
def test_delays_hold_between_all_requests_of_a_host(tmp_path) -> None:
    web = MockWeb({**ANSWERS, f"{APP}/robots.txt": robots("Crawl-delay: 0.3")})
    with serving(web):
        crawl(web, tmp_path, [f"{APP}/"], render="auto", pages=3, rendering__seconds=4)
    assert {f"{APP}/", f"{APP}/0"} <= rendered(tmp_path)
    assert are_apart(web.times("app.example"), 0.3)  # after the robots.txt that says so


@needs_browser
def test_always_renders_pages_that_have_all_already(tmp_path) -> None:
    web = MockWeb({f"{PLAIN}/": page("solar plain")})
    with serving(web):
        crawl(web, tmp_path, [f"{PLAIN}/"], render="always")
    assert rows(tmp_path, "SELECT rendered, reason FROM history") == [(1, "rendering gave nothing more")]


def browser_and_driver_of(crawl_pid: int) -> tuple[int, int]:
    """The main process of the browser that a crawl has started, and the one that drives it, which is the crawl's child."""
    parents, mains = {}, []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it has ended
            continue
        if b"--remote-debugging-pipe" in words and not any(word.startswith(b"--type=") for word in words):
            mains.append(int(folder.name))
    for main in mains:
        if main in map(parents.get, mains):  # a script that has started it and waits for its end
            continue
        line = [main]
        while line[-1] in parents and parents[line[-1]] != crawl_pid:
            line.append(parents[line[-1]])
        if line[-1] in parents:
            return main, line[-1]
    raise AssertionError("the crawl has no browser")


@needs_browser
@pytest.mark.parametrize(("kills", "victim"), [(1, "driver"), (100, "browser")])
def test_a_browser_that_crashes_is_started_anew_and_given_up_in_the_end(tmp_path, kills, victim) -> None:
    crawls, killed = [], []

    def kill(_: object) -> Answer:
        if len(killed) >= kills:
            return script(writes("saved"))
        browser, driver = browser_and_driver_of(crawls[0].pid)
        killed.append(browser if victim == "browser" else driver)
        os.kill(killed[-1], signal.SIGKILL)
        return Answer(503, (), b"")

    names = [f"http://crash{n}.example" for n in range(2 if kills == 1 else 4)]
    crashing = html("<div id=root></div><script src=/kill.js></script>")
    web = MockWeb({f"{name}/": crashing for name in names} | dict.fromkeys((f"{n}/kill.js" for n in names), kill))
    web.answers |= {f"{names[0]}/saved": page("solar saved"), f"{PLAIN}/": page("solar plain", "a")}
    web.answers[f"{PLAIN}/a"] = page("solar a")
    web.hosts.add("plain.example")
    with serving(web):
        seeds = [f"{name}/" for name in (*names, PLAIN)]
        crawls.append(start(web, tmp_path, seeds, render="auto", rendering__pages=1))
        ended = end(crawls[0])
    assert (ended.code, [trace for trace in TRACES if trace in ended.log]) == (0, [])
    assert {*seeds, f"{PLAIN}/a"} <= set(fetched(tmp_path))
    if kills == 1:
        assert rendered(tmp_path) == {f"{name}/" for name in names}
        return
    assert len(killed) == 6
    told = not_rendered(tmp_path)
    assert set(told.values()) == {"not rendered: rendering was given up", "not rendered: the browser crashed"}
    assert set(told) == {f"{name}/" for name in names}
    assert (
        ended.log.count(
            "No page is rendered from now on: 6 browsers were lost in a row, the last time the browser crashed"
        )
        == 1
    )


@needs_browser
def test_a_page_that_takes_all_memory_is_stopped(tmp_path) -> None:
    web = MockWeb({f"{GREEDY}/": ANSWERS[f"{GREEDY}/"], f"{NEVER}/": shell(writes())})
    with serving(web):
        limits = {"rendering__memory": 500, "rendering__seconds": 60}  # memory runs out first
        ended = crawl(web, tmp_path, [f"{GREEDY}/", f"{NEVER}/"], render="auto", **limits)
    assert not [trace for trace in TRACES if trace in ended.log]
    assert not_rendered(tmp_path) == {f"{GREEDY}/": "not rendered: the browser took too much memory"}
    assert rendered(tmp_path) == {f"{NEVER}/"}


@needs_browser
def test_a_crawl_without_shells_starts_no_browser(tmp_path) -> None:
    with serving(MockWeb({f"{PLAIN}/": page("solar plain")})) as web:
        ended = crawl(web, tmp_path, [f"{PLAIN}/"], render="auto")
    assert fetched(tmp_path) == [f"{PLAIN}/"]
    assert "browser" not in ended.log
    assert "Rendering" not in ended.log


SHELLS = {f"{APP}/": APP_SHELL, f"{NEVER}/": shell(writes())}
MISSING = {
    "no browser": (("FOCUSED_BROWSER=/no/such",), {}, "`apt-get install chromium`", "no browser"),
    "a broken setting": (("PLAYWRIGHT_LAUNCH_OPTIONS=xyz",), {}, "OPTIONS: give a JSON object", "no browser"),
    "a browser that does not start": ((f"FOCUSED_BROWSER={shutil.which('true')}",), {}, "does not start", "no browser"),
    "no scrapy-playwright": (
        (),
        {"scrapy_playwright": "raise ModuleNotFoundError('gone', name='scrapy_playwright')"},
        f"scrapy_playwright is missing: `{how_to_install('rendering')}`",
        "scrapy-playwright is not installed",
    ),
    "a driver that is broken": (
        (),
        {"sitecustomize": "import playwright._impl._driver as d\nd.compute_driver_executable = lambda: ('/no', '/no')\n"
         "import playwright._impl._transport as t\nt.compute_driver_executable = d.compute_driver_executable"},
        "the driver of Playwright does not start",
        "no browser",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MISSING)
def test_without_a_browser_one_line_names_what_to_install_and_the_plain_crawl_goes_on(tmp_path, case) -> None:
    settings, modules, told, reason = MISSING[case]
    for name, code in modules.items():
        (tmp_path / f"{name}.py").write_text(code)
    web = MockWeb(SHELLS | {f"{PLAIN}/": page("solar plain", "a"), f"{PLAIN}/a": page("solar a")})
    with serving(web):
        seeds = [*SHELLS, f"{PLAIN}/"]
        path = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
        ended = crawl(
            web,
            tmp_path,
            seeds,
            settings=settings,
            popen={"env": path} | (TRUE_START if modules else {}),
            render="auto",
        )
    assert (ended.code, [trace for trace in TRACES if trace in ended.log]) == (0, [])
    assert ended.log.count("No page is rendered from now on") == ended.log.count(told) == 1
    assert not_rendered(tmp_path) == dict.fromkeys(SHELLS, f"not rendered: {reason}")
    assert {*seeds, f"{PLAIN}/a"} == set(fetched(tmp_path))
