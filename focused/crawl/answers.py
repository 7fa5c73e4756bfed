"""What an answer means, by what it was asked for: a page, a probe or a list. The one rule of both drivers, live and simulated."""

from __future__ import annotations

from focused.crawl.crawl import Crawl
from focused.crawl.events import Aliased, Failed, NoList, PageArrived, ProbeAnswered
from focused.crawl.scope import ALLOWED
from focused.crawl.url_table import State
from focused.page.link_lists import LINK_LISTS
from focused.page.page import Page, Unreadable
from focused.page.urls import Address, UrlRules, without_secrets

Meaning = PageArrived | ProbeAnswered | Failed

NO_LIST = "neither a sitemap nor a feed"  #: what a host has given that was asked for one
KNOWN = "redirects to a known URL"  #: why a pick became an alias
SHOWN = 200  #: characters of a target that is no URL


def barred_before(crawl: Crawl, url: int, media_type: str) -> str:
    """Why the answer to a pick need not be read, for the type that it declares; or ALLOWED. A list may be of any type."""
    return ALLOWED if url in crawl.lists else crawl.admission.against_answer(media_type)


def answer(crawl: Crawl, url: int, found: Page | Unreadable, size: int, status: int | None = None) -> Meaning:
    """What the answer to a pick under way means that was read."""
    if isinstance(found, Unreadable):
        return failure(crawl, url, found.reason, status)
    if url in crawl.lists:
        return PageArrived(url, found, size) if found.kind in LINK_LISTS else NoList(url, NO_LIST, status)
    if why := crawl.admission.against_page(found):
        return failure(crawl, url, why, status)
    return ProbeAnswered(url, found, status=status) if url in crawl.traps.probes else PageArrived(url, found, size)


def failure(
    crawl: Crawl, url: int, reason: str, status: int | None = None, *, silent: bool = False
) -> ProbeAnswered | Failed:
    """What it means that a pick under way gave no page. ``silent``: its host gave no answer at all."""
    if url in crawl.traps.probes:
        return ProbeAnswered(url, None, reason)
    return (NoList if url in crawl.lists else Failed)(url, reason, status, silent)


def redirection(
    crawl: Crawl, rules: UrlRules, url: int, target: str, status: int | None
) -> Address | Aliased | ProbeAnswered | Failed:
    """What it means that a pick under way sends the visitor to ``target``: an address to follow, or the end of the pick.

    A target that was fetched, is under way or waits makes the pick its alias; one that this pick was sent to before is followed, so
    that going round in circles ends as such.
    """
    if url in crawl.traps.probes:
        return ProbeAnswered(url, None, "redirected")
    canonical = rules.canonical(target)
    if canonical is None:
        shown = without_secrets(target)[:SHOWN]
        return failure(crawl, url, f"redirects to {shown}: not an http(s) URL", status)
    address = rules.address(canonical)
    known, is_list = crawl.urls.find(address.key), url in crawl.lists
    if known >= 0 and crawl.urls.state[known] != State.FREE and not crawl.redirects_to(url, known):
        return NoList(url, KNOWN, status) if is_list else Aliased(url, address, KNOWN, status)
    if barred := crawl.admission.against_list(address) if is_list else crawl.admission.against_address(address):
        return failure(crawl, url, f"redirects out of scope: {barred}", status)
    return address
