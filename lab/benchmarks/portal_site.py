"""Measures a portal of 10,000 pages: the first time, a refresh, its size, and a search in Chromium from a disk and from a server.

The collection is made where there is none yet: 28,000 fetches, of which 10,000 are relevant pages, each with 300 words of its own.
Questions are words of the vocabulary, whose frequencies follow Zipf's law: common ones and rare ones.

Example:
    PYTHONPATH=. python -m lab.benchmarks.portal_site --folder build/portal
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from focused.portal.publishing import PortalWish, Published, publish
from focused.storage.placements import REJECTED, Placements
from lab.benchmarks.generated_pages import vocabulary
from lab.benchmarks.large_collection import make

NAME = "large"
FETCHES = 28_000
#: Ranks of the words of a question.
QUESTIONS = {
    "one common word": (0,),
    "one rare word": (9_000,),
    "three words": (3, 400, 5_000),
    "its beginning": (400,),
}
TIMES = 7  #: that each question is asked, in a browser that knows nothing yet
DONE = "document.querySelector('#hits').dataset.done === 'yes'"


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("build/portal"), help="where it lies, or is made")
    parser.add_argument("--fetches", type=int, default=FETCHES, metavar="N", help="of the collection")
    given = parser.parse_args(argv)
    folder, site = given.folder / NAME, given.folder / "site"
    if not folder.exists():
        make(folder, given.fetches, stored=given.fetches)
    for old in (*folder.glob("portal.db*"), *folder.glob("map.db*"), *folder.glob("desk.db*")):
        old.unlink()
    shutil.rmtree(site, ignore_errors=True)
    first = timed("first time", folder, site)
    timed("nothing has changed", folder, site)
    page = next((site / "p").iterdir())
    url = page.read_text().partition('class="read" href="')[2].partition('"')[0]
    Placements(folder).place({url: REJECTED})
    timed("one page rejected", folder, site)
    print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
    sizes = sorted(path.stat().st_size for path in (site / "s").glob("w*.js"))
    print(
        f"{len(sizes)} shards of words: median {sizes[len(sizes) // 2] / 1e3:.0f} kB, largest {sizes[-1] / 1e3:.0f} kB"
    )
    print(f"{first.pages:,} pages, {first.size / 1e6:.1f} MB")
    with sync_playwright() as playwright, serving(site) as address:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for where, root in (("disk", f"{site.resolve().as_uri()}/"), ("server", address)):
            for name, ranks in QUESTIONS.items():
                words = [vocabulary()[rank] for rank in ranks]
                question = "+".join(word[:-2] if name == "its beginning" else word for word in words)
                print(f"{where}, {name}: {asked(browser, root, question)}")
        browser.close()


def timed(what: str, folder: Path, site: Path) -> Published:
    before, used = time.monotonic(), cpu_seconds()
    done = publish(folder, PortalWish(site, "Large"), lambda *_: None)
    spent = f"{time.monotonic() - before:.1f} s (CPU {cpu_seconds() - used:.1f} s)"
    print(f"{what}: {spent}, {done.written:,} files written, {done.deleted:,} deleted", flush=True)
    return done


def cpu_seconds() -> float:
    """Of this process and of those that it has waited for."""
    found = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in found)


def asked(browser: Browser, root: str, question: str) -> str:
    """Median and slowest time from the address to the first twenty hits."""
    found, hits = [], ""
    for _ in range(TIMES):
        context = browser.new_context()
        tab = context.new_page()
        before = time.monotonic()
        tab.goto(f"{root}search.html?q={question}")
        while not tab.evaluate(DONE):
            time.sleep(0.002)
        found.append(1000 * (time.monotonic() - before))
        hits = tab.inner_text("#said")
        context.close()
    return f"{statistics.median(found):.0f} ms (slowest {max(found):.0f}), {hits}"


@contextmanager
def serving(site: Path) -> Iterator[str]:
    """The site on this machine; its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    main()
