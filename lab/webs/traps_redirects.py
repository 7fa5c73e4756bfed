"""Traps of redirects: each sends the visitor to an address that did not exist before."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from focused.simulation.recorded_web import Answer
from lab.webs.traps_html import Content, Link
from lab.webs.traps_trap import Trap, path_of

TOKEN = 12  #: hexadecimal digits


class Redirects(Trap):
    """Chains of fresh addresses. They end at a stuffed page that leads to more such chains; in odd variants they never do."""

    kind = "redirects"

    def answer(self, url: str) -> Answer | None:
        parts = path_of(url).strip("/").split("/")
        if len(parts) != 3 or parts[0] != "go" or parts[1] not in "0123":
            return None
        left, random = int(parts[1]), self.of(url)
        if self.variant % 2 or left:
            following = f"/go/{max(0, left - 1)}/{random.getrandbits(4 * TOKEN):0{TOKEN}x}"
            return Answer(302, (("Location", following),), b"")
        links = [Link(self._door(random), noun) for noun in random.sample(self.words.nouns, 8)]
        return self.page(Content(self.keyword(random), [self.stuffing(random)], listed=links))

    def _door(self, random: Random) -> str:
        return f"{self.root}/go/{random.randint(0, 3)}/{random.getrandbits(4 * TOKEN):0{TOKEN}x}"

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(self._door(self.of(keyword)), keyword) for keyword in self.words.keywords]
