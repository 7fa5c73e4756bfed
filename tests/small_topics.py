"""Made-up data sets large enough for topics: a Wikispeedia whose categories share their articles, and a WebKB."""

from collections.abc import Iterable
from pathlib import Path

from tests.small_wikispeedia import Entry, write_files, write_wikispeedia

MEMBERS = 30
UNIVERSITIES = ("cornell", "texas", "washington", "wisconsin")
LEAD = "   A bird is a feathered animal with two wings and a beak that lays eggs\n   and mostly can fly."


def write_birds(folder: Path, categories: Iterable[str]) -> Path:
    """30 articles in each of these categories, in a ring, and one that nothing links to; 8 ways lead there from afar."""
    categories = list(categories)
    entries = {f"Bird_{n:02}": Entry(LEAD, categories, [f"Bird_{(n + 1) % MEMBERS:02}"]) for n in range(MEMBERS)}
    entries["Dodo"] = Entry(LEAD, categories)
    for n in range(8):
        entries |= {f"Way_{n}_1": Entry("", (), [f"Bird_{n:02}"]), f"Way_{n}_2": Entry("", (), [f"Way_{n}_1"])}
        entries[f"Way_{n}_4"] = Entry("", (), [f"Far_{n}_3"])
        entries[f"Far_{n}_3"] = Entry("", (), [f"Way_{n}_2"])
    return write_wikispeedia(folder, entries)


def write_webkb(folder: Path) -> Path:
    """At each university a department page that leads to one page of each kind but to no course."""
    for university in UNIVERSITIES:
        host = f"http:^^www.{university}.example"
        links = "".join(f"<a href=/{kind}/index.html>{kind}</a>" for kind in ("faculty", "project", "student"))
        pages = {f"department/{university}/{host}^": f"{links}<a href=http://www.cornell.example/course/>course</a>"}
        for kind in ("course", "faculty", "project", "student"):
            pages[f"{kind}/{university}/{host}^{kind}^"] = f"<title>The {kind}</title><p>Welcome to {university}"
        write_files(folder / "webkb", {name: f"<html>{body}" for name, body in pages.items()})
    return folder / "webkb"
