"""The themes of a map with the names that people gave them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from focused.collection.store import Store
from focused.desk.mapping.page_map import PageMap

NO_NAME = "other pages"


@dataclass(frozen=True, slots=True)
class NamedTheme:
    """A theme as a person sees it."""

    number: int
    name: str  #: given by a person, else its words
    words: str
    key: str  #: under which a name is kept: the URL in its middle
    pages: int
    relevant: int


def named_themes(drawn: PageMap, store: Store, names: Mapping[str, str]) -> list[NamedTheme]:
    """The themes of a map, the largest first.

    names : that people gave, by URL of a page: the theme in which that page lies now has the name
    """
    given = _given(drawn, store, names)
    return [
        NamedTheme(
            number,
            given.get(number) or theme.words or NO_NAME,
            theme.words,
            store.url(theme.middle),
            theme.pages,
            theme.relevant,
        )
        for number, theme in enumerate(drawn.themes)
    ]


def _given(drawn: PageMap, store: Store, names: Mapping[str, str]) -> dict[int, str]:
    """By theme the name that people gave; of several the one whose page is nearest to the middle."""
    found: dict[int, tuple[float, str]] = {}
    _look_for(drawn, store, [url for url in names if url not in drawn.named_at])
    for url, name in names.items():
        at = drawn.named_at.get(url, -1)
        if at < 0:
            continue
        number = int(drawn.theme[at])
        theme = drawn.themes[number]
        away = float(np.hypot(drawn.places[at, 0] - theme.x, drawn.places[at, 1] - theme.y))
        if number not in found or away < found[number][0]:
            found[number] = away, name
    return {number: name for number, (_, name) in found.items()}


def _look_for(drawn: PageMap, store: Store, urls: list[str]) -> None:
    """Remember where pages lie on a map: URLs have no index, so that a search for some looks at all."""
    if not urls:
        return
    rows = store.execute("SELECT url, id FROM urls WHERE url IN (SELECT value FROM json_each(?))", (json.dumps(urls),))
    found = dict(rows.fetchall())
    at = drawn.pages.at(np.array([found.get(url, -1) for url in urls], np.int64))
    drawn.named_at.update(zip(urls, at.tolist(), strict=True))
