"""HTML that we write around the texts of strangers: whatever they hold, they stay text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def escaping_templates(package: str) -> Environment:
    """The templates of a package. Values are escaped unless a template says otherwise, and one that is missing is an error.

    Raises ImportError where Jinja is not installed.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def script_json(values: object) -> str:
    """JSON for a script: ASCII without < and >, so that no text of a page ends the script."""
    return json.dumps(values, separators=(",", ":")).replace("<", "\\u003c").replace(">", "\\u003e")
