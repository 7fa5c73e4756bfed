"""Nobody speaks to the agent but the extension that was paired: no page of the Web, by whatever way it tries."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from focused.desk.agent.agent import Agent
from focused.desk.agent.agent_app import MOST_BYTES, QUESTIONS, Pairing, agent_app
from focused.desk.agent.diary import Diary
from focused.page.reader import Reader
from tests.small_web import topic_of

PORT = 8124
OURS, OTHER = f"chrome-extension://{'a' * 32}", f"chrome-extension://{'b' * 32}"
FIREFOX = "moz-extension://01234567-89ab-cdef-0123-456789abcdef"


class Asking:
    """An extension, or who would be one."""

    def __init__(self, client: TestClient, token: str) -> None:
        self.client, self.token = client, token

    def __call__(self, question: str = "status", content: bytes | None = None, **headers: str | None) -> Any:
        given = {"Authorization": f"Bearer {self.token}", "Origin": OURS, "Content-Type": "application/json"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        kept = {name: value for name, value in given.items() if value is not None}
        return self.client.post(f"/{question}", content=b"{}" if content is None else content, headers=kept)


@pytest.fixture
def pairing(tmp_path: Path) -> Iterator[Pairing]:
    with closing(Diary(tmp_path, lambda: 1e9)) as diary:
        yield Pairing(diary)


@pytest.fixture
def ask(pairing: Pairing) -> Asking:
    topic = topic_of()
    agent = Agent(topic, Reader(topic.reading), pairing._diary, lambda url: url, lambda: 1e9)
    agent.looking = Mock(waiting=0, in_the_last_hour=0)
    client = TestClient(agent_app(agent, pairing, PORT), base_url=f"http://127.0.0.1:{PORT}", follow_redirects=False)
    return Asking(client, pairing.anew())


def test_the_extension_that_comes_first_is_paired_and_no_other_after_it(ask: Asking, pairing: Pairing) -> None:
    assert ask("pair").json()["collection"] == "test"
    assert pairing.origin == OURS
    assert ask().status_code == 200
    assert ask(Origin=OTHER).status_code == 403
    assert ask(Origin=FIREFOX).status_code == 403


def test_firefox_may_be_paired(ask: Asking) -> None:
    assert ask("pair", Origin=FIREFOX).status_code == 200


def test_a_new_token_parts_with_the_old_extension(ask: Asking, pairing: Pairing) -> None:
    ask("pair")
    old, ask.token = ask.token, pairing.anew()
    assert ask("pair", Origin=OTHER).status_code == 200
    assert ask(Origin=OURS).status_code == 403
    assert ask(Origin=OTHER, Authorization=f"Bearer {old}").status_code == 403


@pytest.mark.parametrize("question", [*QUESTIONS, "", "nothing", "../status"])
class TestWhoIsRefused:
    @pytest.mark.parametrize("given", [None, "", "Bearer", "Bearer ", "Bearer x", "Basic eDp5", "Bearer \u00e9"])
    def test_who_has_no_token(self, ask: Asking, question: str, given: str | None) -> None:
        answer = ask(question, Authorization=given and given.encode("latin-1"))  # type: ignore[arg-type]
        assert answer.status_code == 403

    @pytest.mark.parametrize(
        "origin",
        [
            *(None, "null", "http://evil.example", "http://127.0.0.1:8124", "http://localhost:8124"),
            "chrome-extension://",
            *(f"{OURS}.evil.example", f"https://{'a' * 32}", f"{OURS}\u00e9", "moz-extension://x", f" {OTHER} {OURS}"),
        ],
    )
    def test_a_page_even_with_the_token(self, ask: Asking, pairing: Pairing, question: str, origin: str | None) -> None:
        answer = ask(question, Origin=origin and origin.encode("latin-1"))  # type: ignore[arg-type]
        assert answer.status_code == 403
        assert pairing.origin == ""

    @pytest.mark.parametrize(
        "host",
        [
            "evil.example",
            "evil.example:8124",
            "127.0.0.1",
            "127.0.0.1:9",
            "127.0.0.1.evil.example:8124",
            "[::1]:8124",
            "",
        ],
    )
    def test_who_calls_this_machine_by_a_name_of_theirs(self, ask: Asking, question: str, host: str) -> None:
        answer = ask(question, Host=host)
        assert (answer.status_code, "collection" in answer.text) == (400, False)

    @pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"])
    def test_what_is_no_post(self, ask: Asking, question: str, method: str) -> None:
        headers = {
            "Authorization": f"Bearer {ask.token}",
            "Origin": OURS,
            "Access-Control-Request-Private-Network": "true",
        }
        answer = ask.client.request(method, f"/{question}", headers=headers)
        assert answer.status_code == 405
        assert not [name for name in answer.headers if name.lower().startswith("access-control")]

    @pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
    def test_what_a_form_can_send(self, ask: Asking, question: str, kind: str | None) -> None:
        assert ask(question, content=b"{}", Content_Type=kind).status_code == 415


def test_a_page_is_told_nothing_by_headers(ask: Asking) -> None:
    answer = ask(Origin="http://evil.example")
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_a_body_is_read_of_nobody_who_is_refused(ask: Asking) -> None:
    def never() -> Iterator[bytes]:
        raise AssertionError("it was read")
        yield b""

    headers = {"Origin": "http://evil.example", "Content-Type": "application/json"}
    assert ask.client.post("/reading", content=b"x" * (MOST_BYTES + 1), headers=headers).status_code == 403


@pytest.mark.parametrize("length", [None, "", "-1", "x", str(MOST_BYTES + 1), "9" * 400])
def test_a_length_that_is_none_or_too_great_is_refused(ask: Asking, length: str | None) -> None:
    headers = {"Authorization": f"Bearer {ask.token}", "Origin": OURS, "Content-Type": "application/json"}
    request = ask.client.build_request("POST", "/status", content=b"{}", headers=headers)
    del request.headers["content-length"]
    if length is not None:
        request.headers["content-length"] = length
    assert ask.client.send(request).status_code == 413


def test_a_body_that_is_longer_than_it_said_is_refused(ask: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focused.desk.agent.agent_app.MOST_BYTES", 100)
    assert ask("reading", content=b"x" * 101, Content_Length="50").status_code == 413


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"1", b"null", b"{", b"\xff\xfe", b"[" * 200_000, b'{"a":' * 100_000, b"1e999999"]
)
def test_what_is_no_object_is_refused(ask: Asking, body: bytes) -> None:
    assert ask("reading", content=body).status_code == 400


@pytest.mark.parametrize("value", [None, 5, -1, True, [], {}, "x" * 10_000, "\ud800", 1e308, float("inf"), 10**400])
@pytest.mark.parametrize("question", QUESTIONS)
def test_values_of_the_wrong_kind_break_nothing(ask: Asking, question: str, value: Any) -> None:
    said = dict.fromkeys(("url", "html", "seconds", "what", "site", "paused"), value)
    assert ask(question, content=json.dumps(said).encode()).status_code in (200, 409)


def test_there_is_no_other_way_in(ask: Asking) -> None:
    with pytest.raises(WebSocketDisconnect), ask.client.websocket_connect("/status", headers={"Origin": OURS}):
        pass
    assert ask("static/x").status_code == 404
