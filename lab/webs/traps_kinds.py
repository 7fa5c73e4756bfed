"""Which traps there are, by set: those that defences were developed on, and a fresh set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lab.webs.traps_copies import Mirror, SoftNotFound
from lab.webs.traps_fresh_copies import GonePages, Revisions, StagingCopy, WebArchive
from lab.webs.traps_fresh_faults import ClubDiary, MissingScheme, ReturnAddresses, SymlinkLoop, VisitorNumbers
from lab.webs.traps_fresh_good import FRESH_MANNER
from lab.webs.traps_fresh_hosts import Aggregator, ExpiredDomains, TopLists
from lab.webs.traps_fresh_machines import Calculators, CatalogueSearch, MapViews
from lab.webs.traps_fresh_written import MachineWritten, ReviewFarm, SnippetSubdomains
from lab.webs.traps_hosts import Farm, LinkExchange, Parked, Wildcard
from lab.webs.traps_paths import Calendar, FreshSegments, RelativeBug, RepeatedSegments
from lab.webs.traps_queries import IdleParameters, Permutations, Sessions
from lab.webs.traps_redirects import Redirects
from lab.webs.traps_sites import Manner
from lab.webs.traps_spam import CanonicalLie, Copied, HackedSection, HiddenLinks, RelatedSearches, Spun
from lab.webs.traps_trap import Ground, Trap
from lab.webs.traps_versions import Declared, Facets, Versions

SEEN, FRESH = "seen", "fresh"
#: Topics that are looked for, which the seed chooses from.
TOPICS: Mapping[str, Sequence[str]] = {SEEN: ("wind", "bees"), FRESH: ("caves", "clocks")}
#: Kinds of each set, and how many traps of each there are.
KINDS: Mapping[str, Mapping[type[Trap], int]] = {
    SEEN: {
        RepeatedSegments: 2,
        FreshSegments: 2,
        RelativeBug: 1,
        Calendar: 2,
        Permutations: 1,
        IdleParameters: 2,
        Sessions: 2,
        Farm: 2,
        Wildcard: 2,
        LinkExchange: 1,
        Parked: 1,
        Mirror: 2,
        SoftNotFound: 4,
        Spun: 2,
        Copied: 1,
        RelatedSearches: 1,
        HiddenLinks: 1,
        HackedSection: 2,
        CanonicalLie: 1,
        Declared: 1,
        Versions: 1,
        Facets: 1,
        Redirects: 2,
    },
    FRESH: {
        SymlinkLoop: 1,
        MissingScheme: 1,
        CatalogueSearch: 1,
        ClubDiary: 2,
        VisitorNumbers: 3,
        ReturnAddresses: 1,
        MapViews: 1,
        Calculators: 1,
        ReviewFarm: 2,
        SnippetSubdomains: 2,
        MachineWritten: 1,
        TopLists: 1,
        ExpiredDomains: 1,
        Aggregator: 1,
        StagingCopy: 2,
        WebArchive: 1,
        Revisions: 1,
        GonePages: 4,
    },
}
#: How those who set traps lead to them from good articles, and whether it is in a list of links rather than in a comment.
SPAM: Mapping[str, Sequence[tuple[str, bool]]] = {
    SEEN: (("Great article! More on {}:", False), ("Thank you for sharing. See also", False), ("", False)),
    FRESH: (
        ("Further reading on {}:", True),
        ("I have written down what I know, have a look:", False),
        ("Sponsored link:", True),
        ("Source:", False),
    ),
}
#: What the good sites of a set are like, if they are not as those of the first.
MANNERS: Mapping[str, Manner] = {FRESH: FRESH_MANNER}
SETS = tuple(KINDS)


def kinds(chosen: str) -> dict[str, type[Trap]]:
    """The kinds of a set by name."""
    return {kind.kind: kind for kind in KINDS[chosen]}


def traps(ground: Ground, chosen: str, only: Sequence[str]) -> list[Trap]:
    """The traps of a set, of these kinds only; without any, of all."""
    wanted = [(kind, count) for kind, count in KINDS[chosen].items() if not only or kind.kind in only]
    return [kind(ground, variant) for kind, count in wanted for variant in range(count)]
