"""What traps of the third set share: names and templates as the good sites of that set have them, and how they lie on those.

Nobody who works on a defence has read this set: `seen` and `unseen` are both known to those who do by now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from lab.webs.traps_fresh_good import LAYOUTS, SUFFIXES
from lab.webs.traps_good import GoodPage
from lab.webs.traps_html import Link, Template
from lab.webs.traps_sites import domain
from lab.webs.traps_trap import Ground, GuestTrap, Trap

IMPRINTS = ("All rights reserved.", "Privacy policy", "Contact us", "Terms of use", "About this site")


class FreshTrap(Trap):
    """A trap on hosts of its own, as many as its size."""

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self.host = self.hosts[0]

    def drawn_hosts(self) -> tuple[str, ...]:
        return tuple(domain(self.random, SUFFIXES) for _ in range(self.size))

    @cached_property
    def template(self) -> Template:
        return super().template if self.site else self.template_of(self.host, self.seed)

    def template_of(self, host: str, look: str) -> Template:
        """What the pages of a host have in common; pages with the same look have the same layout."""
        random = self.of(f"template {look}")
        menu = [Link("/", "Home"), *(Link(f"/{word}", word.capitalize()) for word in self.menu)]
        imprint = f"{host} - {' - '.join(random.sample(IMPRINTS, 3))}"
        return Template(host.partition(".")[0].capitalize(), random.randrange(100), menu, (), imprint, LAYOUTS)

    #: Pages that its menu leads to, beside its home page.
    menu: Sequence[str] = ()

    def address(self, host: str) -> int:
        """Each host has its own unless a trap says otherwise."""
        return self.hosts.index(host) if host in self.hosts else 0


class FreshGuest(GuestTrap):
    """A trap on a good site, into which a link stands on each of its articles."""

    def link_to(self, page: GoodPage) -> Link:
        """The link into the trap that stands on an article."""
        raise NotImplementedError

    def on_pages(self) -> Iterator[tuple[GoodPage, Link]]:
        return ((page, self.link_to(page)) for page in self.pages.values())


def with_parameter(url: str, parameter: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{parameter}"
