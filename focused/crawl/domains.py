"""Registered domains: what somebody has paid for; all hosts below it may be made up."""

from __future__ import annotations

from functools import lru_cache

from tldextract import TLDExtract

#: The list that comes with the package: no network. Customers of one hoster (x.github.io, y.github.io) are strangers.
parts_of = TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


@lru_cache(10_000)
def domain_of(host: str) -> str:
    """The registered domain of a host, such as ``example.co.uk``; the host itself where it has none (an address, ``localhost``)."""
    return parts_of(host).top_domain_under_public_suffix or host
