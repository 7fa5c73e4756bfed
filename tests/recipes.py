"""The recipes of docs/how-to/get-results-out.md, as its readers copy them."""

import re

from tests.crawls.crawling import ROOT


def recipe(language: str, holding: str) -> str:
    """The block of code that holds these words."""
    text = (ROOT / "docs" / "how-to" / "get-results-out.md").read_text()
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (found,) = (block for block in blocks if holding in block)
    return str(found)


def commands(holding: str) -> list[str]:
    """The lines of the block of commands that holds these words."""
    return recipe("sh", holding).splitlines()
