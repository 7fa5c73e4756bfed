"""Stand-ins for rivals: small crawlers in a process of their own, which need nothing but Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.rivals import rivals
from lab.rivals.rivals import Rival

BREADTH_FIRST = """
import json, re, sys, time, urllib.request
task = json.load(open(sys.argv[1]))
client = urllib.request.build_opener(urllib.request.ProxyHandler({"http": task["proxy"]}))
queue = list(task["seeds"])
for url in queue:
    text = client.open(url).read().decode()
    queue += [link for link in re.findall(r'href="?([^">]+)', text) if link not in queue]
"""
#: Fetches one page again and again, then another, and would go on for ever.
ENDLESS = """
import json, sys, time, urllib.request
task = json.load(open(sys.argv[1]))
client = urllib.request.build_opener(urllib.request.ProxyHandler({"http": task["proxy"]}))
for url in [task["start"], *3 * [task["seeds"][0]], task["seeds"][0] + "hub"]:
    client.open(url).read()
time.sleep(600)
"""
BROKEN = "import no_such_rival\n"


def stand_in(monkeypatch: pytest.MonkeyPatch, folder: Path, **scripts: str) -> None:
    """Put these in the place of all rivals."""
    for name, text in scripts.items():
        (folder / f"{name}.py").write_text(text)
    monkeypatch.setattr(rivals, "RIVALS", {name: Rival(str(folder / f"{name}.py")) for name in scripts})
