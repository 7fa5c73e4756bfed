"""What becomes of a redirect: the one rule of both drivers, the live session and the simulator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from focused.crawl.crawl import Crawl
from focused.crawl.scope import ALLOWED
from focused.crawl.url_table import State
from focused.page.urls import Address, UrlRules, without_secrets

SHOWN = 200  #: characters of a target that is no URL


@dataclass(slots=True, frozen=True)
class Redirection:
    """A judged redirect. It changes nothing by itself: the driver does, and notes it."""

    fate: Literal["follow", "alias", "fail"]  #: alias: the target is known already and is not fetched a second time
    address: Address | None = None  #: of the target; None where it is no http(s) URL
    reason: str = ""  #: of a failure and of an alias, in the words of the history
    barred: str = ""  #: what the scope has against the target


def judge_redirect(crawl: Crawl, rules: UrlRules, url: int, target: str) -> Redirection:
    """Say what becomes of a pick under way whose answer sends the visitor to ``target``, an absolute URL.

    A target that was fetched, is under way or waits makes the pick its alias; one that this pick was sent to before is
    followed, so that going round in circles ends as such.
    """
    canonical = rules.canonical(target)
    if canonical is None:
        return Redirection("fail", reason=f"redirects to {without_secrets(target)[:SHOWN]}: not an http(s) URL")
    address = rules.address(canonical)
    known = crawl.urls.find(address.key)
    if known >= 0 and crawl.urls.state[known] != State.FREE and not crawl.redirects_to(url, known):
        return Redirection("alias", address, "redirects to a known URL")
    barred = crawl.bars_redirect(url, address)
    if barred != ALLOWED:
        return Redirection("fail", address, f"redirects out of scope: {barred}", barred)
    return Redirection("follow", address)
