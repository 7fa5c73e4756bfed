"""The main text as trafilatura sees it (Barbaresi 2021), a package that a person may install beside focused."""

from __future__ import annotations

import logging
from types import ModuleType
from typing import Literal

from focused.exceptions import FocusedError
from focused.page.block_parts import Blocks
from focused.page.markdown import safe, tamed

# It walks trees by recursion, and takes 10 ms for 50 kB.
LONGEST = 3_000_000  #: characters that it is given
DEEPEST = 200  #: open elements


def trafilatura_library() -> ModuleType:
    """The package; FocusedError where it is missing."""
    try:
        import trafilatura
    except ImportError as error:
        why = str(error).partition("\n")[0]
        raise FocusedError(
            f"the extractor trafilatura is a package of its own: pip install trafilatura ({why})"
        ) from error
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it warns about every page without text
    return trafilatura  # type: ignore[no-any-return]


def trafilatura_text(
    markup: str, url: str, found: Blocks, form: Literal["markdown", "txt"], *, links: bool = False
) -> str | None:
    """Markdown or plain text; None if it finds nothing, or should not be asked.

    found : blocks of the same page
    """
    library = trafilatura_library()
    if found.truncated or found.deepest > DEEPEST or len(markup) > LONGEST:
        return None
    try:
        text = library.extract(markup, url=url, output_format=form, include_links=links, include_comments=False)
    except Exception:  # whatever a page makes it do, the text is had without it
        return None
    return (tamed if form == "markdown" else safe)(text) if text else None
