"""The agent takes in what is read, and says what lies ahead only where that is new and alike."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from focused.desk.agent.agent import Agent
from focused.desk.agent.diary import Diary
from focused.desk.agent.links_ahead import Ahead
from focused.exceptions import FocusedError
from focused.page.reader import Reader
from tests.small_web import topic_of

A = "http://a.example"
SOLAR = "Solar panels turn sunlight into electricity on the roof of a house, with an inverter and a battery. " * 6
FOOTBALL = "The goalkeeper of the team saved a penalty in the last minute of the football match. " * 6


class Looking:
    """Notes what it is told to look at."""

    waiting = in_the_last_hour = 0

    def __init__(self) -> None:
        self.links: list[Ahead] = []

    def add(self, links: Sequence[Ahead], *, behind: bool = False) -> None:
        self.links = [*self.links, *links] if behind else [*links, *self.links]

    def give_up(self) -> None:
        self.links.clear()


def html(text: str, title: str, *links: str) -> str:
    anchors = "".join(f'<p>Of solar panels: <a href="{link}">the solar page {link}</a></p>' for link in links)
    return f"<html><head><title>{title}</title></head><body><p>{text}</p>{anchors}</body></html>"


@pytest.fixture
def looking() -> Looking:
    return Looking()


@pytest.fixture
def agent(tmp_path: Path, looking: Looking) -> Iterator[Agent]:
    topic = topic_of()
    with closing(Diary(tmp_path, lambda: 1e9)) as diary:
        agent = Agent(topic, Reader(topic.reading), diary, lambda url: f"kept {url}", lambda: 1e9)
        agent.looking = looking
        yield agent


def read(agent: Agent, url: str, text: str, title: str, *links: str) -> None:
    agent.read(url, html(text, title, *links))
    agent.spent(url, 60)


def look(agent: Agent, looking: Looking, pages: dict[str, tuple[str, str]]) -> None:
    """Let the pages ahead arrive, text and title by URL."""
    for link in looking.links:
        if link.url in pages:
            agent.arrived(link, html(*pages[link.url]).encode(), "text/html")


def suggested(agent: Agent, url: str = f"{A}/") -> list[str]:
    return [page["url"] for page in agent.suggestions(url)]


def test_pages_that_are_alike_are_suggested_with_reasons(agent: Agent, looking: Looking) -> None:
    read(agent, f"{A}/", SOLAR, "Solar energy", "/sun", "/foot")
    look(agent, looking, {f"{A}/sun": (SOLAR + "New.", "Sun"), f"{A}/foot": (FOOTBALL, "Foot")})
    (page,) = agent.suggestions(f"{A}/")
    assert (page["url"], page["title"], page["anchor"], page["source"]) == (
        f"{A}/sun",
        "Sun",
        "the solar page /sun",
        "",
    )
    assert {"panels", "solar"} <= set(page["shares"])
    assert agent.suggestions(f"{A}/other")[0]["source"] == "Solar energy"


def test_breadth_first_it_looks_at_links_as_they_stand_and_then_at_those_of_the_pages_ahead(
    agent: Agent, looking: Looking
) -> None:
    agent._breadth_first = True
    agent.read(f"{A}/", "<p><a href=/foot>Football</a></p><p>" + SOLAR + "<a href=/sun>solar panels</a></p>")
    assert [link.url for link in looking.links] == [f"{A}/foot", f"{A}/sun"]
    agent.arrived(looking.links.pop(0), html(FOOTBALL, "Foot", "/", "/sun", "/cup").encode(), "text/html")
    assert [(link.url, link.source) for link in looking.links] == [(f"{A}/sun", f"{A}/"), (f"{A}/cup", f"{A}/foot")]


def test_nothing_is_suggested_that_was_read_or_says_the_same(agent: Agent, looking: Looking) -> None:
    read(agent, f"{A}/", SOLAR, "Solar energy", "/sun", "/print")
    look(agent, looking, {f"{A}/sun": (SOLAR + "New.", "Sun"), f"{A}/print": (SOLAR + "New.", "Sun")})
    assert len(suggested(agent)) == 1
    read(agent, f"{A}/sun", SOLAR + "New.", "Sun")
    assert suggested(agent) == []


def test_links_of_strangers_that_lead_to_this_machine_are_not_looked_at(agent: Agent, looking: Looking) -> None:
    bad = (
        "http://127.0.0.1/",
        "http://localhost:631/",
        "http://10.0.0.1/",
        "http://[::1]/",
        "file:///etc/passwd",
        "http://2130706433/",
    )
    read(agent, f"{A}/", SOLAR, "Solar", *bad, "javascript:alert(1)", "/sun")
    assert [link.url for link in looking.links] == [f"{A}/sun"]
    (link,) = looking.links
    for target in (*bad, f"{A}/logout"):
        assert agent.redirected(link, target) is None
    moved = agent.redirected(link, f"{A}/moved")
    assert moved is not None
    assert (moved.url, moved.hops) == (f"{A}/moved", 1)


def test_a_link_is_looked_at_once(agent: Agent, looking: Looking) -> None:
    for number in range(3):
        read(agent, f"{A}/{number}", SOLAR, "Solar", "/sun")
    assert [link.url for link in looking.links] == [f"{A}/sun"]


def test_while_it_pauses_nothing_is_taken_in(agent: Agent, looking: Looking) -> None:
    agent.pause(paused=True)
    read(agent, f"{A}/", SOLAR, "Solar", "/sun")
    assert (looking.links, agent.status()["visits"], agent.status()["paused"]) == ([], 0, True)
    agent.pause(paused=False)
    read(agent, f"{A}/", SOLAR, "Solar", "/sun")
    assert agent.status()["visits"] == 1


@pytest.mark.parametrize(("what", "site"), [("all", ""), ("hour", ""), ("site", "a.example")])
def test_what_is_forgotten_tells_nothing_any_more(agent: Agent, looking: Looking, what: str, site: str) -> None:
    read(agent, f"{A}/", SOLAR, "Solar", "/sun")
    look(agent, looking, {f"{A}/sun": (SOLAR + "New.", "Sun")})
    status = agent.forget(what, site)
    assert (status["visits"], status["ahead"], status["words"], suggested(agent)) == (0, 0, [], [])
    assert looking.links == []
    assert agent.spent(f"{A}/", 30) == {"read": False}


def test_forgetting_one_site_leaves_the_others(agent: Agent) -> None:
    read(agent, f"{A}/", SOLAR, "Solar")
    read(agent, "http://b.example/", FOOTBALL, "Football")
    agent.forget("site", "b.example")
    assert agent.status()["visits"] == 1


@pytest.mark.parametrize(("what", "site"), [("", ""), ("site", ""), ("site", "http://["), ("everything", "a.example")])
def test_nothing_is_forgotten_by_mistake(agent: Agent, what: str, site: str) -> None:
    read(agent, f"{A}/", SOLAR, "Solar")
    with pytest.raises(FocusedError):
        agent.forget(what, site)
    assert agent.status()["visits"] == 1


def test_a_page_is_kept_if_the_topic_may_have_it(agent: Agent) -> None:
    assert agent.keep(f"{A}/sun#part")["told"] == f"kept {A}/sun"
    for url in ("", "about:blank", "http://127.0.0.1/", "http://[", "javascript:1"):
        with pytest.raises(FocusedError):
            agent.keep(url)


@pytest.mark.parametrize("markup", ["", "\0", "<" * 5000, "<html>" * 5000, "\ud800", "<title>" + "x" * 100_000])
def test_damaged_pages_break_nothing(agent: Agent, markup: str) -> None:
    try:
        agent.read(f"{A}/", markup)
    except FocusedError as error:
        assert str(error) == "empty body"
    assert agent.status()["words"] == []


def test_titles_are_one_plain_line(agent: Agent, looking: Looking) -> None:
    read(agent, f"{A}/", SOLAR, "Solar", "/sun")
    look(agent, looking, {f"{A}/sun": (SOLAR + "New.", "<script>alert(1)</script>\u202e\x07" + "y" * 5000)})
    (page,) = agent.suggestions(f"{A}/")
    assert page["title"].isprintable()
    assert len(page["title"]) <= 200


def test_lists_of_links_are_no_suggestions(agent: Agent, looking: Looking) -> None:
    read(agent, f"{A}/", SOLAR, "Solar", "/list")
    many = "".join(f"<li><a href=/{number}>Solar panel {number}</a></li>" for number in range(80))
    agent.arrived(looking.links[0], f"<title>Solar panels</title><ul>{many}</ul>".encode(), "text/html")
    assert suggested(agent) == []
