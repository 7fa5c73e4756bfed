"""A new sheet for a collection: the pages drawn, with the judgements that an earlier sheet has of any page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from focused.collection.store import Store
from focused.desk.judging.population import Population, places, url_and_title
from focused.desk.judging.sample import Drawn, draw
from focused.desk.judging.sheet import Line
from focused.exceptions import AuditError


def new_sheet(
    store: Store, pages: Population, size: int, known: Mapping[str, bool] | None = None, seed: int = 0
) -> list[Line]:
    """Draw a sample and give what is known of it.

    The lines come in an order that takes one page of each stratum in turn, so that a person who stops anywhere has judged all
    strata alike; those that were judged before come after those still to be judged. Pages that were judged and are not in this
    sample stand at the end, without a stratum.

    Parameters
    ----------
    pages : the collection's
    known : URL -> judgement so far

    Raises AuditError if there is nothing to draw, or a page judged so far is not in the collection.
    """
    known = known or {}
    found = places(store, known.keys())
    if strangers := known.keys() - found.keys():
        raise AuditError(
            f"{min(strangers)} was judged, but the collection has no such page: the judgements are of another crawl"
        )
    in_turn = _in_turn(draw(pages.relevance, size, seed))
    lines = [_line(store, pages, place, known, stratum) for place, stratum in in_turn]
    lines.sort(key=lambda line: line.relevant is not None)  # stable: each part stays in turn
    drawn = {line.url for line in lines}
    return lines + [_line(store, pages, place, known) for url, place in found.items() if url not in drawn]


def _in_turn(strata: list[Drawn]) -> Iterator[tuple[int, Drawn]]:
    for turn in range(max(len(stratum.places) for stratum in strata)):
        yield from ((int(stratum.places[turn]), stratum) for stratum in strata if turn < len(stratum.places))


def _line(store: Store, pages: Population, place: int, known: Mapping[str, bool], stratum: Drawn | None = None) -> Line:
    url, title = url_and_title(store, int(pages.seqs[place]))
    number, size = (stratum.number, stratum.pages) if stratum else (None, 0)
    return Line(url, known.get(url), number, size, title, float(pages.relevance[place]))
