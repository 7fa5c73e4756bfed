"""The core works without each of the wings, and without all: a project whose focused lacks one crawls."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from focused import wings
from focused.exceptions import FocusedError
from focused.page.page_kind import KINDS
from focused.wings import NEEDS, WINGS
from tests.crawls.mock_web import MockWeb, page, serving

ROOT = Path(__file__).parent.parent
URL = "http://a.example/"

#: Runs commands of Scrapy in one process, and writes after each how it ended, into both of its streams.
PROGRAM = """
import sys, traceback
from scrapy.cmdline import execute
worst = 0
for command in "\\n".join(sys.argv[1:]).split("\\n--\\n"):
    code = 1
    try:
        execute(["scrapy", *command.split("\\n")])
    except SystemExit as end:
        code = end.code or 0
        if isinstance(code, str):
            print(code, file=sys.stderr)
            code = 1
    except Exception:
        traceback.print_exc()
    worst = worst or code
    for stream in (sys.stdout, sys.stderr):
        print(f"\\x1e{code}\\x1e", file=stream, flush=True)
sys.exit(worst)
"""


def scrapy_without(
    wings: tuple[str, ...], folder: Path, *commands: str, port: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run commands, with "--" between them, of a project whose focused has none of these wings."""
    if not (folder / "focused").exists():
        (folder / "focused").mkdir()
        for path in (ROOT / "focused").iterdir():
            if path.name not in (*wings, "__pycache__"):
                (folder / "focused" / path.name).symlink_to(path)
        (folder / "models").symlink_to(ROOT / "models")
        shutil.copy(ROOT / "scrapy.cfg", folder)
    kept = {name: value for name, value in os.environ.items() if name != "SCRAPY_SETTINGS_MODULE"}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *commands],
        cwd=folder,
        env=kept | {"PYTHONPATH": str(folder), "http_proxy": f"http://127.0.0.1:{port}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
    )


@pytest.mark.parametrize(
    "wings", [WINGS, *(pytest.param((wing,), marks=pytest.mark.slow) for wing in WINGS)], ids=["all", *WINGS]
)
def test_without_a_wing_a_crawl_runs_and_others_report(wings: tuple[str, ...], tmp_path: Path) -> None:
    with serving(MockWeb({URL: page("solar energy")})) as web:
        options = ("-a", "keywords=solar", "-a", f"seeds={URL}", "-a", "name=t", "-s", "DOWNLOAD_DELAY=0")
        report = () if "inspection" in wings else ("--", "report", "t")
        done = scrapy_without(wings, tmp_path, "crawl", "topical", *options, *report, port=web.port)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "fetched   1 pages" in done.stderr
    assert ("1 page" in done.stdout) == bool(report)


def home_of_commands() -> dict[str, str]:
    """By each command of the project, the wing that brings it; empty for the core."""
    files = [path.relative_to(ROOT / "focused") for path in (ROOT / "focused").glob("**/commands/*.py")]
    return {path.stem: path.parts[0] if path.parts[0] in WINGS else "" for path in files if path.stem != "__init__"}


def all_needed(wing: str) -> set[str]:
    """A wing and all that it needs, and so on."""
    return {wing, *(other for needed in NEEDS.get(wing, ()) for other in all_needed(needed))} if wing else set()


#: Small runs of commands after a crawl that has collected the page URL into the collection t, and the wings that each may need
#: beside its own and what that needs.
RUNS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("topics",), ()),
    (("topics", "wind", "new", "--keywords", "wind", "--seed", URL, "-s", "FOCUSED_TOPICS_DIR=mine"), ()),
    (("steer", "t"), ()),
    (("report", "t"), ()),
    (("explain", "t", URL), ()),
    (("show", "t", URL), ()),
    (("search", "t", "solar"), ()),
    (("export", "t", "t.csv"), ()),
    (("compare", "demo", "-a", "topic=demo", "-a", "pages=5"), ()),
    (("compare", "demo", "--alone", "-a", "topic=demo", "-a", "pages=5"), ()),
    (("train", "mine", "classifier", "--folder", "classes"), ()),
    (("taxonomy",), ()),
    (("map", "t"), ()),
    (("judge", "t", "--sample", "1"), ()),
    (("companies", "t", "--seeds"), ()),
    (("portal", "t", "--out", "site"), ()),
    (("report", "t", "--new"), ("desk",)),
)
#: Those that start a reactor, or a server, which a process does once.
ALONE: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("topics", "sun", "new", "--keywords", "solar", "--from", "t", "-s", "FOCUSED_TOPICS_DIR=mine"), ("seeds",)),
    (("dashboard", "t", "--until-eof"), ()),
)
MISSING = re.compile(r"this installation of focused comes without its part '(\w+)'")


@pytest.mark.slow
@pytest.mark.parametrize("missing", WINGS)
def test_each_command_that_is_left_works_or_says_which_part_it_needs(missing: str, tmp_path: Path) -> None:
    homes = {command: wing for command, wing in home_of_commands().items() if wing != missing}
    runs = [(words, needs) for words, needs in RUNS if words[0] in homes]
    helps: list[tuple[tuple[str, ...], tuple[str, ...]]] = [((name, "--help"), ()) for name in sorted(homes)]
    options = ("-a", "keywords=solar", "-a", f"seeds={URL}", "-a", "name=t", "-a", f"relevance.also={','.join(KINDS)}")
    for number, name in enumerate(("relevant", "relevant", "other", "other") * 3):
        path = tmp_path / "classes" / name / f"{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{'solar energy' if name == 'relevant' else 'football'} number {number}")
    (tmp_path / "mine").mkdir()
    begin = (("crawl", "topical", *options), ())
    found = []
    with serving(MockWeb({URL: page("solar energy")})) as web:
        for commands in ([begin, *runs, *helps], *([alone] for alone in ALONE if alone[0][0] in homes)):
            words = [word for command, _ in commands for word in ("--", *command)][1:]
            done = scrapy_without((missing,), tmp_path, *words, port=web.port)
            told = done.stderr.split("\x1e")
            codes = [int(code) for code in told[1::2]] or [0]  # a server is ended by a signal
            assert len(codes) == len(commands), done.stderr[-3000:]
            found += list(zip(commands, codes, told[::2], strict=False))
    wrong = []
    for (words, needs), code, text in found:
        may_lack = any(missing in all_needed(wing) for wing in (homes[words[0]], *needs))
        says_so = MISSING.findall(text) == [missing] or any(f" {word}: unknown" in text for word in words)
        did_its_work = code == 0 or "1 pages that were looked at are relevant, and 3 are wanted" in text
        if "Traceback" in text or not (did_its_work or (says_so and may_lack)):
            wrong.append(f"{' '.join(words)}: {code}: {text[-1500:]}")
    assert not wrong, "\n\n".join(wrong)


def test_what_imports_from_a_missing_wing_is_told_and_other_errors_are_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wings, "find_spec", lambda name: None if name == "focused.simulation" else name)
    told = "x: this installation of focused comes without its part 'simulation'"
    with pytest.raises(FocusedError, match=told), wings.all_there("x: "):
        raise ModuleNotFoundError(name="focused.simulation.simulator")
    for other in ("focused.inspection.plots", "simulation", "focused.page.nothing", None):
        with pytest.raises(ModuleNotFoundError), wings.all_there():
            raise ModuleNotFoundError(name=other)
    assert [wing for wing in WINGS if not wings.is_whole(wing)] == ["simulation", "seeds", "papers", "desk"]


def test_who_asks_for_what_a_missing_wing_brings_is_told(tmp_path: Path) -> None:
    told = scrapy_without(("seeds",), tmp_path, "crawl", "topical", "-a", "topic=heat pumps")
    assert told.returncode == 1
    assert "this installation of focused comes without its part 'seeds'" in told.stderr
    assert "Traceback" not in told.stderr
