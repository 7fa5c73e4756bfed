"""`scrapy topics --search new` and a crawl from words, as a person runs them, over a Web on this machine."""

import json
import socket
import threading
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest

from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import Ended, end, scrapy
from tests.crawls.mock_web import Asked, MockWeb, redirect, robots, serving
from tests.searching.stand_ins import CATS, page_about, query_in, results

SEARCH = "http://searx.example"
QUICK = ("DOWNLOAD_DELAY=0", "DOWNLOAD_TIMEOUT=10", "FOCUSED_COMMIT_SECONDS=0.2")
HTML, JSON = (("Content-Type", "text/html"),), (("Content-Type", "application/json"),)
PAGES = {
    f"http://s{n}.example/": page_about(f"solar energy photovoltaic {n} " * 9, f"http://s{n}.example/more")
    for n in range(4)
}


class Searched(MockWeb):
    """A Web with a SearXNG at `SEARCH`, whose answer to a query is what ``searx`` says."""

    def __init__(self, searx: object = None, **more: Answer) -> None:
        pages = {url: Answer(200, HTML, body) for url, body in PAGES.items()}
        super().__init__(
            pages | {f"{SEARCH}/": Answer(200, HTML, CATS)} | {url.replace("__", "://"): a for url, a in more.items()}
        )
        self.searx = searx if searx is not None else Answer(200, JSON, results(*PAGES))
        self.queries: list[str] = []

    def _reply(self, asked: Asked) -> object:  # type: ignore[override]
        if asked.url.startswith(f"{SEARCH}/search?"):
            self.queries.append(query_in(asked.url))
            return self.searx(asked) if callable(self.searx) else self.searx
        return super()._reply(asked)


def run(web: MockWeb | int, folder: Path, *arguments: str, settings: tuple[str, ...] = (), **options: object) -> Ended:
    """Run a command with its topics and its data in a folder."""
    (folder / "topics").mkdir(exist_ok=True)
    given = [
        word for setting in (*QUICK, f"FOCUSED_TOPICS_DIR={folder / 'topics'}", *settings) for word in ("-s", setting)
    ]
    port = web.port if isinstance(web, MockWeb) else web
    return end(scrapy(*arguments, *given, port=port, folder=folder / "data", **options))


def new(web: MockWeb | int, folder: Path, *options: str, **more: object) -> Ended:
    return run(web, folder, "topics", "new", "sun", "--keywords", "solar energy, photovoltaic", *options, **more)


def seeds_of(folder: Path, name: str = "sun") -> list[str]:
    return list(tomllib.loads((folder / "topics" / f"{name}.toml").read_text())["topic"]["seeds"])


def files(folder: Path) -> list[str]:
    return [path.name for path in (folder / "topics").iterdir()]


def test_words_become_a_topic_with_seeds(tmp_path: Path) -> None:
    with serving(Searched()) as web:
        ended = new(web, tmp_path, "--provider", f"searxng:{SEARCH}")
    assert (ended.code, ended.log) == (0, "")
    assert sorted(seeds_of(tmp_path)) == sorted(PAGES)
    assert f"searxng searx.example: 'solar energy photovoltaic': {len(PAGES)} pages" in ended.output
    assert f"{len(PAGES)} seeds on {len(PAGES)} hosts" in ended.output
    assert "# 0." in (tmp_path / "topics" / "sun.toml").read_text()
    assert not (tmp_path / "data").exists()


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    with serving(Searched()) as web:
        ended = new(web, tmp_path, "--search", "--dry-run", settings=(f"FOCUSED_SEARCH=searxng:{SEARCH}",))
    assert (ended.code, files(tmp_path)) == (0, [])
    assert f"{len(PAGES)} seeds on" in ended.output


def test_robots_txt_of_pages_and_of_the_provider_holds(tmp_path: Path) -> None:
    web = Searched()
    web.answers["http://s0.example/robots.txt"] = robots("Disallow: /")
    with serving(web):
        assert new(web, tmp_path, "--provider", f"searxng:{SEARCH}").code == 0
    assert "http://s0.example/" not in seeds_of(tmp_path)
    assert "http://s0.example/" not in web.pages_asked()
    web = Searched()
    web.answers[f"{SEARCH}/robots.txt"] = robots("Disallow: /search")
    with serving(web):
        ended = run(web, tmp_path, "topics", "new", "moon", "--keywords", "solar", "--provider", f"searxng:{SEARCH}")
    assert (ended.code, web.queries) == (1, [])
    assert "searxng searx.example: its robots.txt bars the question; it is not asked again" in ended.output


HARM = {
    "too long": (Answer(200, JSON, b" " * 6_000_000), "longer than 5,000,000 bytes"),
    "nothing at all": (b"", "connection lost"),
    "a way into a private network": (redirect("http://127.0.0.1:9/search", 302), "private address"),
    "another name for it": (redirect("http://printer.local/", 302), "private address"),
}


@pytest.mark.parametrize("harm", HARM)
def test_a_provider_that_fails_costs_one_line_and_another_is_asked(tmp_path: Path, harm: str) -> None:
    answer, told = HARM[harm]
    web = Searched(answer)
    web.hosts.add("other.example")
    other = Answer(200, JSON, json.dumps({"results": [{"url": url} for url in PAGES]}).encode())
    web.answers["http://other.example/search?q=solar+energy+photovoltaic&format=json"] = other
    with serving(web):
        also = ("--provider", "searxng:http://other.example/")
        ended = new(web, tmp_path, "--provider", f"searxng:{SEARCH}", *also)
    assert (ended.code, ended.log, len(web.queries)) == (0, "", 1)
    (line,) = [line for line in ended.output.splitlines() if told in line]
    assert line.startswith("searxng searx.example: ")
    assert {asked.host for asked in web.asked} <= {
        "searx.example",
        "other.example",
        *(f"s{n}.example" for n in range(4)),
    }


def test_an_answer_that_never_ends_is_given_up(tmp_path: Path) -> None:
    stopped = threading.Event()

    def drip(listening: socket.socket) -> None:
        with suppress(OSError):
            while not stopped.is_set():
                connection, _ = listening.accept()
                with connection, suppress(OSError):
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
                    while not stopped.wait(0.1):
                        connection.sendall(b" ")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=drip, args=(listening,), daemon=True)
        thread.start()
        own = f"searxng:http://127.0.0.1:{listening.getsockname()[1]}"
        ended = new(0, tmp_path, "--provider", own, settings=("DOWNLOAD_TIMEOUT=1",))
        stopped.set()
    assert (ended.code, ended.plain) == (1, True)
    assert "no complete answer in time" in ended.output


def test_where_nothing_relevant_is_found_nothing_is_written(tmp_path: Path) -> None:
    web = Searched()
    web.answers |= {url: Answer(200, HTML, CATS + url.encode()) for url in PAGES}
    with serving(web):
        ended = new(web, tmp_path, "--provider", f"searxng:{SEARCH}")
    assert (ended.code, files(tmp_path)) == (1, [])
    assert ended.log.startswith(
        "scrapy topics: 0 of 4 pages that were looked at are relevant, and 3 are wanted; nothing is written"
    )
    assert ended.log.count("\n") == 1


def test_where_no_page_is_named_other_words_are_not_asked_for(tmp_path: Path) -> None:
    with serving(Searched(Answer(429, (), b"slow down"))) as web:
        ended = new(web, tmp_path, "--provider", f"searxng:{SEARCH}")
    assert (ended.code, files(tmp_path)) == (1, [])
    assert "HTTP status 429" in ended.output
    assert ended.log == "scrapy topics: no provider named a page that may be asked; see above\n"


def test_a_provider_of_ones_own_lies_on_this_machine_and_what_it_names_does_not(tmp_path: Path) -> None:
    """It is asked without its robots.txt, which SearXNG sets to bar all searches; results and names that lead here are not."""
    with socket.create_server(("127.0.0.1", 0)) as sink:
        sink.setblocking(False)
        here = f"http://127.0.0.1:{sink.getsockname()[1]}/"
        web = Searched()
        with serving(web):
            own = f"http://127.0.0.1:{web.port}"
            web.hosts.add("127.0.0.1")
            named = "http://evil.example/"
            web.answers["http://127.0.0.1/search?q=solar&format=json"] = Answer(
                200, JSON, results(here, f"{own}/x", named)
            )
            web.answers["http://127.0.0.1/robots.txt"] = robots("Disallow: /")
            names = {"env": {"NAMES": "evil.example=127.0.0.1 127.0.0.1=127.0.0.1"}}
            ended = run(
                0,
                tmp_path,
                *("topics", "new", "moon", "--keywords", "solar", "--provider", f"searxng:{own}/"),
                settings=("DNS_RESOLVER=tests.crawls.scripted_names.ScriptedNames", "FOCUSED_POLITE_TO_ADDRESSES=0"),
                **names,
            )
        with pytest.raises(BlockingIOError):
            sink.accept()
    assert ended.code == 1
    assert [asked.url for asked in web.asked] == ["http://127.0.0.1/search?q=solar&format=json"]
    assert "'solar': 1 pages" in ended.output
    assert "FAILED: private address: 127.0.0.1" in ended.output


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--search",), "--search: nobody to ask; name a provider with --provider SPEC"),
        (("--provider", "bing"), "provider 'bing': 'bing' is unknown"),
        (("--provider", "hubs"), "hubs needs pages to start from: add --from or another provider"),
        (("--from", "none.html"), "--from none.html: no such file, and no collection of this name"),
        (("--from", "README.md", "--judge", "0"), "--judge 0: give a whole number from 1 on"),
    ],
)
def test_mistakes_are_told_before_anything_is_asked(tmp_path: Path, options: tuple[str, ...], told: str) -> None:
    ended = new(1, tmp_path, *options)
    assert (ended.code, ended.output) == (1, "")
    assert ended.log.startswith(f"scrapy topics: {told}")
    assert ended.log.count("\n") == 1


def test_a_folder_that_cannot_be_written_to_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with serving(Searched()) as web:
        given = (
            "-s",
            f"FOCUSED_TOPICS_DIR={tmp_path / 'file'}",
            "--keywords",
            "sun",
            "--provider",
            f"searxng:{SEARCH}",
        )
        ended = end(scrapy("topics", "new", "sun", *given, port=web.port, folder=tmp_path))
    assert (ended.code, ended.output, web.asked) == (1, "", [])
    assert "sun.toml: cannot be written: " in ended.log


def test_seeds_come_from_files_too(tmp_path: Path) -> None:
    (tmp_path / "marks.html").write_text(
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>" + "".join(f'<DT><A HREF="{url}">x</A>' for url in PAGES)
    )
    with serving(Searched()) as web:
        ended = new(web, tmp_path, "--from", str(tmp_path / "marks.html"), "--seed", "http://given.example/")
    assert (ended.code, ended.log, web.queries) == (0, "", [])
    assert seeds_of(tmp_path)[0] == "http://given.example/"
    assert sorted(seeds_of(tmp_path)[1:]) == sorted(PAGES)
    assert "a page of links marks.html" in (tmp_path / "topics" / "sun.toml").read_text()


class TestCrawlFromWords:
    SETTINGS = (f"FOCUSED_SEARCH=searxng:{SEARCH}",)

    def crawl(self, web: MockWeb, folder: Path, *arguments: str, settings: tuple[str, ...] = SETTINGS) -> Ended:
        given = [word for argument in arguments for word in ("-a", argument)]
        return run(web, folder, "crawl", "topical", *given, settings=settings)

    def test_words_that_are_no_topic_are_searched_for_once_and_crawled(self, tmp_path: Path) -> None:
        with serving(Searched()) as web:
            ended = self.crawl(web, tmp_path, "topic=solar energy", "pages=3")
            asked = len(web.queries)
            assert (ended.code, ended.plain) == (0, True), ended.log
            assert (
                f"there is no topic file {tmp_path / 'topics' / 'solar-energy.toml'}: searching for seeds" in ended.log
            )
            assert "fetched   3 pages" in ended.log
            again = self.crawl(web, tmp_path, "topic=solar energy", "pages=4")
            assert again.code == 0
            assert "an earlier search wrote it" in again.log
            assert (len(web.queries), asked > 0) == (asked, True)
        assert sorted(seeds_of(tmp_path, "solar-energy")) == sorted(PAGES)

    def test_keywords_with_search_name_their_own_collection(self, tmp_path: Path) -> None:
        with serving(Searched()) as web:
            ended = self.crawl(
                web, tmp_path, "keywords=solar energy,photovoltaic", "search=true", "name=sun", "pages=2"
            )
        assert (ended.code, ended.plain) == (0, True), ended.log
        assert (tmp_path / "data" / "sun" / "crawl.db").is_file()

    @pytest.mark.parametrize(
        ("arguments", "settings", "told"),
        [
            (
                ("topic=solar energy",),
                (),
                "nobody to ask for seeds; give -a seeds=URL,URL, or a provider: -s FOCUSED_SEARCH=",
            ),
            (("topic=solar energy",), ("FOCUSED_SEARCH=gugel",), "provider 'gugel': 'gugel' is unknown"),
            (("topic=solar energy", "strategie=dom"), SETTINGS, "-a strategie"),
            (
                ("topic=solar energy", "seeds=http://a.example/"),
                SETTINGS,
                "-a seeds: with seeds there is nothing to search for",
            ),
            (("topic=solar", "search=true"), SETTINGS, "-a search: a topic file has its seeds"),
            (("search=true",), SETTINGS, "-a search: give the words"),
            (("keywords=sun", "search=perhaps"), SETTINGS, "-a search=perhaps: write search=true or search=false"),
        ],
    )
    def test_mistakes_are_one_line_and_nothing_is_asked(
        self, tmp_path: Path, arguments: tuple[str, ...], settings: tuple[str, ...], told: str
    ) -> None:
        with serving(Searched()) as web:
            ended = self.crawl(web, tmp_path, *arguments, settings=settings)
        assert (ended.code, ended.output, web.asked) == (1, "", [])
        assert told in ended.log
        assert ended.log.count("\n") == 1

    def test_where_too_little_is_found_there_is_no_crawl(self, tmp_path: Path) -> None:
        with serving(Searched(Answer(200, JSON, results("http://s0.example/")))) as web:
            ended = self.crawl(web, tmp_path, "topic=solar energy")
        assert (ended.code, ended.plain, files(tmp_path)) == (1, True, [])
        assert "scrapy crawl: 1 of 1 pages that were looked at are relevant, and 3 are wanted" in ended.log
        assert not (tmp_path / "data").exists()
