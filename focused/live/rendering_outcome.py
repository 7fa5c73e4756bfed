"""What came of rendering a page, or of deciding not to; it travels with the response to the history."""

from __future__ import annotations

from dataclasses import dataclass

from focused.collection.repository import Stored

IN_VAIN = "rendering gave nothing more"  #: reason in the history: text and links were in the plain page already


class NotRendered(Exception):  # noqa: N818  (an answer, not a mistake)
    """The page stays as it was fetched; the message says why, in a few stable words."""


class TimedOut(NotRendered):
    """The page gave no answer in its time, maybe because another page kept the browser busy."""

    def __init__(self) -> None:
        super().__init__("timeout")


class BrowserLost(NotRendered):
    """The browser died or does not answer any more, maybe because of another page."""


@dataclass(frozen=True, slots=True)
class RenderingOutcome:
    """What became of one page."""

    plain: Stored | None = None  #: the response that was rendered; None: the page is what the server sent
    reason: str | None = None  #: why a page that seemed to need it was not rendered, or `IN_VAIN`

    @property
    def rendered(self) -> bool:
        return self.plain is not None
