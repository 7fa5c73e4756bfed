"""What a host needed decides about its next pages, and is read from the history of the crawl."""

import pytest

from focused.collection.repository import Stored
from focused.live.rendering_outcome import IN_VAIN, RenderingOutcome
from focused.live.session import Session
from focused.rendering.middleware import SURE, TRIES, HostMemory
from tests.small_web import topic_of

PLAIN = Stored("http://a.example/", 200, (), b"<div id=root></div>")
GAINED, SUFFICED, VAIN = RenderingOutcome(PLAIN), RenderingOutcome(), RenderingOutcome(reason=IN_VAIN)
FAILED = RenderingOutcome(reason="not rendered: timeout")


def memory_of(*outcomes: RenderingOutcome) -> HostMemory:
    memory = HostMemory()
    for outcome in outcomes:
        memory.learn("a.example", outcome)
    return memory


@pytest.mark.parametrize("is_shell", [True, False])
def test_a_page_of_an_unknown_host_is_judged_by_its_looks(is_shell: bool) -> None:
    assert memory_of().needs("a.example", is_shell=is_shell) == is_shell


def test_a_host_that_always_needed_it_is_rendered_whatever_its_pages_look_like() -> None:
    assert not memory_of(*[GAINED] * (SURE - 1)).needs("a.example", is_shell=False)
    assert memory_of(*[GAINED] * SURE).needs("a.example", is_shell=False)
    assert not memory_of(*[GAINED] * SURE).needs("b.example", is_shell=False)


def test_a_host_that_needed_it_for_some_pages_goes_by_their_looks() -> None:
    memory = memory_of(*[GAINED] * SURE, SUFFICED)
    assert memory.needs("a.example", is_shell=True)
    assert not memory.needs("a.example", is_shell=False)


def test_a_host_that_never_gained_is_left_alone() -> None:
    assert memory_of(*[VAIN] * (TRIES - 1)).needs("a.example", is_shell=True)
    assert not memory_of(*[VAIN] * TRIES).needs("a.example", is_shell=True)
    assert memory_of(*[VAIN] * TRIES, GAINED).needs("a.example", is_shell=True)


def test_a_page_that_could_not_be_rendered_says_nothing_of_its_host() -> None:
    memory = memory_of(*[FAILED] * 5)
    assert memory.needs("a.example", is_shell=True)
    assert not memory.needs("a.example", is_shell=False)


def test_the_history_of_a_crawl_holds_what_its_hosts_needed(tmp_path) -> None:
    outcomes = [GAINED] * SURE + [VAIN] * TRIES
    urls = tuple(f"http://{'app' if outcome is GAINED else 'old'}.example/{n}" for n, outcome in enumerate(outcomes))
    session = Session(topic_of(seeds=urls), tmp_path)
    while pick := session.next():
        number = urls.index(session.store.url(pick.id))
        page = Stored(urls[number], 200, (), f"<p>solar {number}</p>".encode())
        session.journal.finish(session.fetched(pick.id, page, "text/html", rendering=outcomes[number]))
    session.commit()
    memory = HostMemory.of(session.store)
    session.close()
    assert memory.needs("app.example", is_shell=False)
    assert not memory.needs("old.example", is_shell=True)
