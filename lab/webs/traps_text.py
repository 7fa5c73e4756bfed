"""What pages of the trap web are made of: vocabularies, sentences, titles, text for traps, and the HTML around all of it.

The words, and how the good sites of each set of traps are made, stand in ``traps.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from random import Random
from typing import Any

from focused.simulation.demo_web import TOPICS as DEMO_TOPICS
from focused.simulation.demo_web import plural

Layout = Sequence[Sequence[str]]  #: tag and class of each part of a page: menu, main part, list, comments, footer

DATA: Mapping[str, Any] = tomllib.loads(files("lab.webs").joinpath("traps.toml").read_text(encoding="utf-8"))
SEEN, FRESH = "seen", "fresh"  #: sets of traps: those that defences were developed on, and a fresh one
LAYOUTS: Mapping[str, Sequence[Layout]] = {name: tuple(of["layouts"]) for name, of in DATA["sets"].items()}
SUFFIXES: Mapping[str, Sequence[str]] = {name: tuple(of["suffixes"]) for name, of in DATA["sets"].items()}


@dataclass(slots=True, frozen=True)
class Words:
    """What pages of one topic talk about. Nouns have a regular plural; verbs take an object."""

    name: str  #: of the topic, as a person would write it
    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    adjectives: tuple[str, ...]
    keywords: tuple[str, ...] = ()  #: what a person would look for it by; only of topics that are crawled for


def _split(text: str) -> tuple[str, ...]:
    return tuple(" ".join(words.split()) for words in text.split(","))


def _vocabulary(table: Mapping[str, str]) -> Words:
    return Words(table["name"], **{kind: _split(text) for kind, text in table.items() if kind != "name"})


#: Topics that a crawl looks for.
SOUGHT: Mapping[str, Words] = {key: _vocabulary(table) for key, table in DATA["sought"].items()}
#: What other pages are about.
OTHERS: Mapping[str, Words] = {
    key: Words(topic.name, topic.nouns, topic.verbs, topic.adjectives)
    for key, topic in DEMO_TOPICS.items()
    if key not in SOUGHT
} | {key: _vocabulary(table) for key, table in DATA["others"].items()}
GENERAL = _vocabulary(DATA["general"])  #: words of any page
PEOPLE, TIMES, VAGUE = (_split(DATA[name]) for name in ("people", "times", "vague"))
TOPICAL = 0.55  #: share of the words of an article that are its topic's; the others are of life in general
SLANT = 12  #: nouns that an article prefers, so that two articles about one topic differ
_PLACE = re.compile(r"\{([a-z])\}")
_BREAK = re.compile(r"(?<=[.?!]) ")


def words_of(topic: str) -> Words:
    """The vocabulary of a topic; that of life in general for a page about nothing."""
    return SOUGHT.get(topic) or OTHERS.get(topic) or GENERAL


class Prose:
    """Sentences of one page: about a topic, from the page's own angle.

    topic : a key of SOUGHT or OTHERS; empty: about nothing
    random : of the page
    """

    def __init__(self, topic: str, random: Random, topical: float = TOPICAL) -> None:
        self._words, self._random, self._topical = words_of(topic), random, topical
        self._slant = random.sample(self._words.nouns, min(SLANT, len(self._words.nouns)))

    def sentence(self) -> str:
        return self._filled(self._random.choice(DATA["sentences"]))

    def sentences(self, least: int, most: int) -> str:
        return " ".join(self.sentence() for _ in range(self._random.randint(least, most)))

    def title(self) -> str:
        """A headline, which names the topic more than a sentence does."""
        topical, self._topical = self._topical, 0.9
        made = self._filled(self._random.choice(DATA["titles"]))
        self._topical = topical
        return made

    def _filled(self, template: str) -> str:
        text = _PLACE.sub(self._word, template)
        return text[0].upper() + text[1:]

    def _word(self, place: re.Match[str]) -> str:
        random, kind = self._random, place[1]
        if kind in "wt":
            return random.choice(PEOPLE if kind == "w" else TIMES)
        words = self._words if random.random() < self._topical else GENERAL
        if kind == "v":
            return random.choice(words.verbs)
        if kind == "a":
            return random.choice(words.adjectives)
        nouns: Sequence[str] = self._slant if words is self._words and random.random() < 0.7 else words.nouns
        return random.choice(nouns) if kind == "n" else plural(random.choice(nouns))


def anchor(title: str, topic: str, random: Random) -> str:
    """What a link to an article says: its title, a noun of its topic, or nothing of use."""
    drawn = random.random()
    if drawn < 0.35:
        return title
    return random.choice(words_of(topic).nouns) if drawn < 0.65 else random.choice(VAGUE)


def stuffed(topic: str, random: Random, count: int) -> str:
    """Words of a topic one after the other, as pages have that want to be found."""
    words = words_of(topic)
    pool = [*words.keywords * 4, *words.nouns, *words.adjectives]
    return ", ".join(random.choices(pool, k=count))


def shuffled(text: str, random: Random) -> str:
    """The sentences of a text in another order."""
    sentences = _BREAK.split(text)
    random.shuffle(sentences)
    return " ".join(sentences)


def spinner(texts: Sequence[str]) -> Callable[[Random, int], str]:
    """What makes text of so many words that reads as these texts do, by the pairs of words in them (a Markov chain)."""
    following: dict[tuple[str, str], list[str]] = {}
    for text in texts:
        words = text.split()
        for first, second, third in zip(words, words[1:], words[2:], strict=False):
            following.setdefault((first, second), []).append(third)
    starts = sorted(pair for pair in following if pair[0][0].isupper())

    def spun(random: Random, count: int) -> str:
        made = list(random.choice(starts))
        while len(made) < count:
            choices = following.get((made[-2], made[-1]))
            made += [random.choice(choices)] if choices else random.choice(starts)
        return " ".join(made).rstrip(",;.") + "."

    return spun


def slug(text: str) -> str:
    """A title as a part of a URL."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


@dataclass(slots=True, frozen=True)
class Link:
    """A link as its page shows it."""

    url: str  #: absolute or relative
    text: str
    before: str = ""  #: sentence in which it stands; empty: it stands alone


@dataclass(slots=True, frozen=True)
class Template:
    """What all pages of a site have in common.

    layout : which of the layouts, by remainder
    """

    name: str
    layout: int
    menu: Sequence[Link] = ()
    footer: Sequence[Link] = ()
    imprint: str = ""
    layouts: Sequence[Layout] = LAYOUTS[SEEN]


@dataclass(slots=True)
class Content:
    """What one page says.

    head : further tags of its head, as HTML
    """

    title: str
    paragraphs: Sequence[str] = ()
    inline: Sequence[Link] = ()  #: each stands behind a paragraph
    listed: Sequence[Link] = ()
    comments: Sequence[Link] = ()
    head: str = ""
    hidden: Sequence[Link] = field(default_factory=tuple)  #: that a visitor does not see
    hidden_text: str = ""
    hiding: str = "display:none"  #: by which style


def html(template: Template, content: Content, language: str = "en") -> bytes:
    """The page in UTF-8."""
    menu, main, items, comments, footer = template.layouts[template.layout % len(template.layouts)]
    anchors = " ".join(map(_anchor, template.menu))
    bar = f"<tr><td>{anchors}</td></tr>" if menu[0] == "table" else anchors
    parts = [f"<h1>{escape(content.title, quote=False)}</h1>", *_paragraphs(content)]
    if content.listed:
        entries = "".join(f"<li>{_in_sentence(link)}</li>\n" for link in content.listed)
        parts.append(_tag(items, f"\n{entries}"))
    if content.hidden or content.hidden_text:
        inside = content.hidden_text + " ".join(map(_anchor, content.hidden))
        parts.append(f'<div style="{content.hiding}">{inside}</div>')
    body = _tag(main, "\n".join(parts))
    if main[0] == "td":
        body = f"<table><tr>{body}</tr></table>"
    if content.comments:
        body += _tag(comments, "".join(f"<p>{_in_sentence(link)}</p>" for link in content.comments))
    feet = " | ".join(map(_anchor, template.footer))
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head><meta charset="utf-8">'
        f"<title>{escape(content.title, quote=False)} - {escape(template.name, quote=False)}</title>{content.head}</head>\n"
        f"<body>\n{_tag(menu, bar)}\n{body}\n{_tag(footer, f'{template.imprint} {feet}')}\n</body>\n</html>\n"
    ).encode()


def _paragraphs(content: Content) -> Iterable[str]:
    """The paragraphs, links behind the last of them."""
    plain = len(content.paragraphs) - len(content.inline)
    for number, text in enumerate(content.paragraphs):
        place = number - plain
        link = f" {_in_sentence(content.inline[place])}" if place >= 0 else ""
        yield f"<p>{escape(text, quote=False)}{link}</p>"
    yield from (f"<p>{_in_sentence(link)}</p>" for link in content.inline[: max(0, -plain)])


def _in_sentence(link: Link) -> str:
    return f"{escape(link.before, quote=False)} {_anchor(link)}" if link.before else _anchor(link)


def _anchor(link: Link) -> str:
    return f'<a href="{escape(link.url)}">{escape(link.text, quote=False)}</a>'


def _tag(tag: Sequence[str], inside: str) -> str:
    return f'<{tag[0]} class="{tag[1]}">{inside}</{tag[0]}>'
