"""Pages by which a site says who it is and how to write to it. Addresses of people are left where they are."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote, urlsplit

from focused.collection.store import Store

#: Words for "contact", then for the page that the law asks for, then for "about us", by language.
WORDS: Mapping[str, tuple[str, ...]] = {
    "en": ("contact", "contact us", "contacts", "get in touch", "legal notice", "imprint", "about", "about us", "company"),
    "de": ("kontakt", "impressum", "über uns", "ueber uns", "unternehmen"),
    "fr": ("contactez nous", "nous contacter", "mentions légales", "mentions legales", "à propos", "a propos", "qui sommes nous"),
    "es": ("contacto", "contáctenos", "contactenos", "aviso legal", "quiénes somos", "quienes somos", "sobre nosotros"),
    "it": ("contatti", "contattaci", "note legali", "chi siamo"),
    "pt": ("contato", "contacto", "fale conosco", "aviso legal", "quem somos", "sobre nós", "sobre nos"),
    "nl": ("contact opnemen", "colofon", "over ons"),
    "pl": ("kontakt", "nota prawna", "o nas"),
    "sv": ("kontakta oss", "om oss"),
    "da": ("kontakt os", "om os"),
    "cs": ("kontakty", "o nás"),
    "ru": ("контакты", "о компании", "о нас"),
    "ja": ("お問い合わせ", "問い合わせ", "会社概要", "会社案内"),
    "zh": ("联系我们", "聯絡我們", "关于我们", "關於我們"),
}  # fmt: skip
_RANKS = {word: rank for words in WORDS.values() for rank, word in enumerate(words)}
LONGEST_URL = 500  #: characters
_ENDING = re.compile(r"\.[a-z]{2,5}$")
_BETWEEN = re.compile(r"[\s_+.-]+")

_KNOWN = "SELECT url, host FROM urls WHERE host IN (SELECT value FROM json_each(?)) AND length(url) <= ?"
_LINKED = """
SELECT DISTINCT t.url, t.host, l.anchor FROM links l JOIN urls t ON t.id = l.target JOIN urls s ON s.id = l.page
WHERE t.host IN (SELECT value FROM json_each(?)) AND s.host = t.host AND length(l.anchor) <= 40 AND length(t.url) <= ?
"""


def contact_pages(store: Store, sites: Mapping[int, Sequence[int]]) -> dict[int, str]:
    """The URL of the best contact page of each site, fetched or only linked to; sites without one are left out.

    sites : ids of the hosts of each
    """
    site_of = {host: site for site, hosts in sites.items() for host in hosts}
    asked = (json.dumps(list(site_of)), LONGEST_URL)
    best: dict[int, tuple[int, int, str]] = {}

    def offer(url: str, host: int, rank: int | None) -> None:
        if rank is not None and "@" not in url and url.startswith(("http://", "https://")):
            site, found = site_of[host], (rank, len(url), url)
            best[site] = min(best.get(site, found), found)

    for url, host in store.execute(_KNOWN, asked):
        offer(url, host, rank_of_url(url))
    for url, host, anchor in store.execute(_LINKED, asked):
        offer(url, host, rank_of(anchor))
    return {site: url for site, (*_, url) in best.items()}


def rank_of(text: str) -> int | None:
    """How well a text names a contact page, 0 best; None for one that does not."""
    return _RANKS.get(_BETWEEN.sub(" ", text.casefold()).strip())


def rank_of_url(url: str) -> int | None:
    """The same for the last part of a URL's path; a URL with a query is none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.query:
        return None
    last = unquote(parts.path.rstrip("/").rpartition("/")[2]).casefold()
    return rank_of(_ENDING.sub("", last)) if last else None
