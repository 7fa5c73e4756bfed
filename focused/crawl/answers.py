"""Tells what the answer to a pick means: to a page, a probe or a list. The live driver and the simulator share these rules."""

from __future__ import annotations

from focused.crawl.crawl import Crawl
from focused.crawl.events import Aliased, Failed, NoList, PageArrived, ProbeAnswered
from focused.crawl.scope import ALLOWED
from focused.crawl.traps import OTHERS_FIRST
from focused.crawl.url_table import State
from focused.page.link_lists import LINK_LISTS
from focused.page.page import Page, Unreadable
from focused.page.urls import Address, UrlRules, without_secrets

Meaning = PageArrived | ProbeAnswered | Failed

NO_LIST = "neither a sitemap nor a feed"  #: why a URL that was fetched as a list gave none
KNOWN = "redirects to a known URL"  #: why a pick became an alias
CIRCLE = "redirects in a circle"  #: why a pick failed that leads to a URL that was asked for on its way
SHOWN = 200  #: characters of a target that is no URL


def barred_before(crawl: Crawl, url: int, media_type: str) -> str:
    """Why the crawl need not read the answer to a pick, by its declared type; or ALLOWED. A list may be of any type."""
    return ALLOWED if url in crawl.lists else crawl.admission.against_answer(media_type)


def answer(crawl: Crawl, url: int, found: Page | Unreadable, size: int, status: int | None = None) -> Meaning:
    """The event that closes a pick under way, once its answer was read."""
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
    """The event that closes a pick under way which gave no page. ``silent``: its host gave no answer at all."""
    if url in crawl.traps.probes:
        return ProbeAnswered(url, None, reason)
    return (NoList if url in crawl.lists else Failed)(url, reason, status, silent)


def redirection(
    crawl: Crawl, rules: UrlRules, url: int, target: str, status: int | None
) -> Address | Aliased | ProbeAnswered | Failed:
    """What a redirect of a pick under way to ``target`` means: an address to follow, or the event that closes the pick.

    The pick becomes the alias of a target that was fetched, is under way or waits, or that has to wait for its turn. A target that
    this pick was redirected to before is followed, so that a redirect loop ends as one.
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
    if not is_list and url not in crawl.revisiting and crawl.traps.puts_off(url, crawl.hosts.intern(address.host)):
        return Aliased(url, address, OTHERS_FIRST, status)
    return address
