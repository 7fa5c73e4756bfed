"""The scenarios, a file for each kind. To add one: write a function that builds a `Scene`, under the decorator `scenario`, and
import its file here.
"""

from lab.chaos.scenarios import (  # noqa: F401
    addresses,
    bodies,
    documents,
    hang_ups,
    markup,
    names,
    politeness,
    redirects,
    rendering,
    restarts,
    robots_files,
    throttling,
    urls,
)
