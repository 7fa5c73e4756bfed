"""`scrapy identity`: what a person publishes, keeps, and never loses."""

import json
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from focused.commands.identity import FILE, Command
from focused.live.identity import DIRECTORY, Identity
from tests.commands.running import refusal, run_command

SITE = "https://bot.example.org"


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_new_writes_a_key_and_what_to_publish(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(Command(), "new", SITE) == 0
    identity = Identity.read(Path(FILE))
    published = json.loads(Path(DIRECTORY).read_text())["keys"]
    assert [key["kid"] for key in published] == [identity.thumbprint]
    assert all("d" not in key for key in published)  # the secret half
    out = capsys.readouterr().out
    assert f"publish it at {SITE}/.well-known/{DIRECTORY}" in out
    assert f"-s FOCUSED_IDENTITY={FILE}" in out
    assert run_command(Command(), "headers") == 0
    assert {line.partition(":")[0] for line in capsys.readouterr().out.splitlines()} == {
        *("Content-Type", "Signature", "Signature-Input")
    }


def test_a_key_is_never_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    run_command(Command(), "new", SITE)
    before = Path(FILE).read_text(), Path(DIRECTORY).read_text()
    capsys.readouterr()
    assert (
        refusal(run_command(Command(), "new", SITE), capsys)
        == f"scrapy identity: {FILE}: cannot be written: File exists\n"
    )
    assert (Path(FILE).read_text(), Path(DIRECTORY).read_text()) == before


def test_a_new_key_is_published_beside_the_old_one() -> None:
    run_command(Command(), "new", SITE)
    old = Identity.read(Path(FILE)).thumbprint
    Path(FILE).rename("old.toml")
    run_command(Command(), "new", SITE)
    kids = [key["kid"] for key in json.loads(Path(DIRECTORY).read_text())["keys"]]
    assert kids == [old, Identity.read(Path(FILE)).thumbprint]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"keys": 1}', '{"keys": [1]}', "[" * 100_000])
def test_a_file_that_is_no_directory_is_left_alone(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(DIRECTORY).write_text(text)
    assert "is no directory of keys; move it away" in refusal(run_command(Command(), "new", SITE), capsys)
    assert (Path(DIRECTORY).read_text(), Path(FILE).exists()) == (text, False)


@pytest.mark.parametrize(
    "words", [(), ("new",), ("new", "bot.example.org"), ("headers", SITE), ("headers", "--days", "0")]
)
def test_words_that_make_no_sense_are_told(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        run_command(Command(), *words)


def test_headers_need_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert "scrapy identity new writes one" in refusal(run_command(Command(), "headers"), capsys)
