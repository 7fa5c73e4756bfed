"""What a person calls a web is opened, or refused with the reason."""

from pathlib import Path

import pytest

from focused.exceptions import WebError
from focused.simulation.demo_web import DemoWeb
from focused.simulation.known_webs import open_web
from focused.simulation.warc_web import WarcWeb

RESPONSE = b"HTTP/1.1 200 OK\r\n\r\npage"
RECORD = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/index.html\r\n"
    b"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (len(RESPONSE), RESPONSE)
)


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    path = tmp_path / "warcs" / "pages.warc"
    path.parent.mkdir()
    path.write_bytes(RECORD)
    return path


def test_demo_is_the_demo_web() -> None:
    assert isinstance(open_web(["demo"]), DemoWeb)


def test_warc_files_and_their_folder_are_the_same_web(warc: Path) -> None:
    by_file, by_folder = open_web([str(warc)]), open_web([str(warc.parent)])
    assert isinstance(by_file, WarcWeb) and isinstance(by_folder, WarcWeb)
    assert list(by_file.urls()) == list(by_folder.urls()) == ["http://a.example/index.html"]


def test_index_pages_are_folded_as_asked(warc: Path) -> None:
    assert list(open_web([str(warc)], fold_index=True).urls()) == ["http://a.example/"]


def test_what_cannot_be_opened_is_told(warc: Path, tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("notes")
    cases = {
        (): "which web",
        ("nowhere",): "nowhere: no such file or folder",
        ("demo", str(warc)): "demo cannot be served with other webs",
        (str(other),): "notes.txt: no recorded web; needed: 'demo'",
    }
    for names, message in cases.items():
        with pytest.raises(WebError, match=message):
            open_web(names)


def test_options_that_do_not_fit_the_web_are_told(warc: Path) -> None:
    with pytest.raises(WebError, match="demo: option size: unknown"):
        open_web(["demo:size=3"])
    with pytest.raises(WebError, match="no such file or folder"):
        open_web([f"{warc}:size=3"])
    with pytest.raises(WebError, match="leave --fold-index out"):
        open_web(["demo"], fold_index=False)
