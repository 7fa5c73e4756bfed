"""The site of the documentation: `make docs` builds it into build/docs. On a code host the pages are read as they are."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import focused

project = "focused"
copyright = "2026, the focused developers"
version = release = focused.__version__

extensions = ["myst_parser"]
myst_heading_anchors = 4  # a link such as settings.md#extensions is checked
myst_enable_extensions = ["colon_fence"]
exclude_patterns = ["images/*.md"]

html_theme = "furo"
html_title = f"focused {version}"
