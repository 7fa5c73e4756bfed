"""WebKB as a recorded web: the layout, the labels, what is hidden, and (where the data set is at hand) its known sizes."""

from __future__ import annotations

import tarfile
from collections import Counter
from pathlib import Path

import pytest

from lab.webs.webkb import WebKB
from tests.small_wikispeedia import full_data, write_files

HEADER = b"Date: Wed, 20 Nov 1996 22:38:33 GMT\nServer: NCSA/1.5.1\nContent-type: text/html\n\n"
FILES = {
    "department/cornell/http:^^www.CS.cornell.edu": HEADER + b"<title>Computer Science</title>",
    "course/cornell/http:^^www.cs.cornell.edu^cs100^index.html": HEADER + b"<h1>CS 100</h1>\n\n<p>Introduction",
    "student/cornell/http:^^www.cs.cornell.edu^~ann^": b"<html>no header here\n\nbut an empty line</html>",
    "student/cornell/ftp:^^ftp.cs.cornell.edu^pub": b"<html>not on the Web</html>",
    "student/misc/http:^^www.cs.nyu.edu^~bob^": HEADER + b"caf\xe9",
    "staff/misc/http:^^www.cs.nyu.edu^~bob^": HEADER + b"caf\xe9",
    "other/texas/http:^^www.cs.utexas.edu^moved": b"WWW Alert:  Redirection\nLocation: /x\n\n<h1>moved</h1>",
    "other/texas/http:^^www.cs.utexas.edu^damaged": b"Server: CERN/3.0\nDate: Sundacp: No match.\n\n<h1>damaged</h1>",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path / "webkb", FILES)
    return tmp_path


def body(web: WebKB, url: str) -> bytes:
    answer = web.answer(url)
    assert answer and answer.status == 200
    return answer.body


def test_a_page_is_served_without_the_header_it_was_recorded_with(folder: Path) -> None:
    web = WebKB(folder)
    assert body(web, "http://www.cs.cornell.edu/cs100/") == b"<h1>CS 100</h1>\n\n<p>Introduction"
    assert body(web, "http://www.cs.cornell.edu/~ann/") == FILES["student/cornell/http:^^www.cs.cornell.edu^~ann^"]
    assert body(web, "http://www.cs.utexas.edu/moved") == b"<h1>moved</h1>"
    assert body(web, "http://www.cs.utexas.edu/damaged") == b"<h1>damaged</h1>"


def test_host_names_are_lowercased_and_index_pages_folded(folder: Path) -> None:
    web = WebKB(folder)
    assert web.seeds["cornell"] == "http://www.cs.cornell.edu/"
    assert body(web, "http://WWW.cs.cornell.edu/cs100/index.html") == body(web, "http://www.cs.cornell.edu/cs100/")


def test_of_two_labels_staff_comes_before_student(folder: Path) -> None:
    assert WebKB(folder).pages["http://www.cs.nyu.edu/~bob/"].category == "staff"


def test_other_universities_are_hidden(folder: Path) -> None:
    web = WebKB(folder, "cornell")
    assert web.hosts == {"www.cs.cornell.edu"}
    assert web.answer("http://www.cs.utexas.edu/moved") is None


def test_an_archive_holds_the_same_web_as_its_folder(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "webkb.tar.xz"
    with tarfile.open(archive, "w:xz") as tar:
        tar.add(folder / "webkb", "webkb")
    assert WebKB(archive).pages == WebKB(folder).pages
    assert list(WebKB(archive).urls()) == list(WebKB(folder).urls())


def test_the_full_data_set_has_its_published_size() -> None:
    web = WebKB(full_data("webkb"), fold_index=False)
    assert (web.files, web.unserved) == (8282, 52)
    sizes = Counter(page.university for page in web.pages.values())
    # 8,275 distinct file names, less the 52; nine more are the same once their hosts are in lower case
    assert sizes == {"cornell": 857, "texas": 817, "washington": 1198, "wisconsin": 1250, "misc": 4092}
