"""A dashboard answers its own pages only: no other site, no other name for this machine, no change without its token."""

from __future__ import annotations

import base64
import re

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from focused.desk.dashboard.app import VIEWS, create_app
from focused.desk.dashboard.safety import MOST_BYTES, MOST_UPLOADED
from focused.desk.dashboard.served import Served
from tests.dashboard.conftest import ADDRESS


def routes(method: str) -> list[str]:
    """Addresses of all pages that take a method, for the collection ``test``."""
    found = [route for view in VIEWS for route in view.ROUTES if isinstance(route, Route)]
    return sorted(route.path.replace("{name}", "test") for route in found if method in (route.methods or ()))


@pytest.mark.parametrize("path", routes("POST"))
class TestNoChangeWithoutPermission:
    def test_without_a_token(self, client: TestClient, path: str) -> None:
        assert client.post(path, data={"kind": "stop"}).status_code == 403

    def test_with_a_wrong_token(self, client: TestClient, path: str) -> None:
        assert client.post(path, data={"token": "guessed"}).status_code == 403

    def test_from_a_page_of_another_site(self, client: TestClient, served: Served, path: str) -> None:
        for headers in (
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Origin": "http://127.0.0.1:9999"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
            {"Sec-Fetch-Site": "none"},
        ):
            answer = client.post(path, data={"token": served.token}, headers=headers)
            assert (answer.status_code, headers) == (403, headers)

    def test_as_anything_but_a_form(self, client: TestClient, served: Served, path: str) -> None:
        assert client.post(path, json={"token": served.token}).status_code == 403
        plain = client.post(path, content=f"token={served.token}", headers={"Content-Type": "text/plain"})
        assert plain.status_code == 403

    def test_by_looking(self, client: TestClient, path: str) -> None:
        if path not in routes("GET"):
            assert client.get(path).status_code == 405

    def test_as_a_form_with_a_file_and_no_token(self, client: TestClient, path: str) -> None:
        for fields in ({"token": "guessed"}, {}):
            assert client.post(path, data=fields, files={"list": ("x", b"x")}).status_code == 403

    def test_with_a_file_that_is_too_large(self, client: TestClient, served: Served, path: str) -> None:
        large = {"list": ("x", b"x" * MOST_UPLOADED)}
        assert client.post(path, data={"token": served.token}, files=large).status_code == 413

    def test_with_more_than_anybody_types(self, client: TestClient, served: Served, path: str) -> None:
        answer = client.post(path, data={"token": served.token, "topic": "x" * MOST_BYTES})
        assert answer.status_code == 413


class TestWhoMayAsk:
    @pytest.mark.parametrize(
        "host", ["evil.example", "evil.example:8123", "127.0.0.1.evil.example", "", "[::1", "10.0.0.1"]
    )
    def test_a_name_that_is_not_ours_gets_nothing(self, client: TestClient, host: str) -> None:
        answer = client.get("/", headers={"Host": host})
        assert answer.status_code == 400
        assert "test" not in answer.text

    @pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8123", "localhost:1", "[::1]:8123", "LOCALHOST"])
    def test_this_machine_may(self, client: TestClient, host: str) -> None:
        assert client.get("/", headers={"Host": host}).status_code == 200

    def test_a_dashboard_for_all_takes_addresses_but_no_strange_names(self, served: Served) -> None:
        client = TestClient(create_app(served, password="secret", any_address=True), base_url=ADDRESS)
        told = {"Authorization": basic("secret")}
        assert client.get("/", headers={"Host": "192.168.0.7:8123", **told}).status_code == 200
        assert client.get("/", headers={"Host": "rebound.example", **told}).status_code == 400

    @pytest.mark.parametrize("given", ["", "wrong", "secret ", "sécret"])
    def test_nobody_comes_in_without_the_password(self, served: Served, given: str) -> None:
        client = TestClient(create_app(served, password="secret"), base_url=ADDRESS)
        answer = client.get("/", headers={"Authorization": basic(given)} if given else {})
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"].startswith("Basic")

    @pytest.mark.parametrize("header", ["Basic", "Basic !!!", "Bearer secret", "Basic é"])
    def test_a_damaged_password_is_none(self, served: Served, header: str) -> None:
        client = TestClient(create_app(served, password="secret"), base_url=ADDRESS)
        assert client.get("/", headers={"Authorization": header.encode()}).status_code == 401

    def test_the_password_lets_in(self, served: Served) -> None:
        client = TestClient(create_app(served, password="sécret"), base_url=ADDRESS)
        assert client.get("/", headers={"Authorization": basic("sécret")}).status_code == 200


class TestWhatOtherPagesMayDo:
    @pytest.mark.parametrize("path", [path for path in routes("GET") if path != "/c/test/live"])
    def test_a_picture_or_a_frame_elsewhere_starts_no_work(self, client: TestClient, path: str) -> None:
        for mode, kind in (("no-cors", "image"), ("navigate", "iframe"), ("cors", "empty")):
            headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": kind}
            assert (client.get(path, headers=headers).status_code, kind) == (403, kind)

    def test_a_link_elsewhere_opens_a_page(self, client: TestClient) -> None:
        headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
        assert client.get("/c/test/", headers=headers).status_code == 200

    def test_a_damaged_origin_is_no_origin_of_ours(self, client: TestClient, served: Served) -> None:
        answer = client.post("/start", data={"token": served.token}, headers={"Origin": "http://["})
        assert answer.status_code == 403


class TestWhatBrowsersAreTold:
    @pytest.mark.parametrize("path", ["/", "/c/test/", "/c/none/", "/nowhere", "/static/none.js"])
    def test_nothing_is_loaded_but_our_own(self, client: TestClient, path: str) -> None:
        headers = client.get(path).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"

    @pytest.mark.parametrize("path", ["/", "/c/test/"])
    def test_no_page_has_scripts_or_styles_of_its_own(self, client: TestClient, path: str) -> None:
        text = client.get(path).text
        assert re.findall(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:", text) == []

    def test_static_files_are_named_by_what_they_hold(self, client: TestClient) -> None:
        found = re.findall(r'"(/static/[^"]+)"', client.get("/c/test/").text)
        assert found
        for path in found:
            answer = client.get(path)
            assert answer.status_code == 200
            assert "immutable" in answer.headers["Cache-Control"]
            assert re.search(r"\.[0-9a-f]{12}\.\w+$", path)


def basic(password: str) -> str:
    return f"Basic {base64.b64encode(f'me:{password}'.encode()).decode()}"
