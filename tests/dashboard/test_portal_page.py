"""Editors accept, reject and move pages of a portal on the dashboard; the site follows."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from focused.desk.dashboard.served import Served
from focused.desk.portal.editing import Placement, Placements
from focused.desk.portal.publishing import PortalWish, publish, sorted_entries


@pytest.fixture
def made(data: Path) -> Path:
    """The collection, of which a portal was made."""
    sorted_entries(data / "test", PortalWish(data, "test"), lambda *_: None)
    return data / "test"


def shown(client: TestClient, query: str = "") -> list[str]:
    """URLs of the rows."""
    return [
        unescape(one)
        for one in re.findall(r'name="url\d+" value="([^"]*)"', client.get(f"/c/test/portal?{query}").text)
    ]


def say(client: TestClient, served: Served, **fields: str) -> None:
    answer = client.post("/c/test/portal/decide", data={"token": served.token, "show": "waiting", **fields})
    assert (answer.status_code, answer.headers["location"]) == (303, "/c/test/portal?show=waiting&category=")


def test_before_the_first_portal_it_says_how_to_make_one(client: TestClient, data: Path) -> None:
    assert "scrapy portal test --out site/" in client.get("/c/test/portal").text
    assert not (data / "test" / "portal.db").exists()


def test_what_is_said_of_one_page_is_kept_and_it_waits_no_more(client: TestClient, served: Served, made: Path) -> None:
    first, second, third = shown(client)[:3]
    say(client, served, url0=first, say0="accept", url1=second, say1="reject", url2=third, say2="", category2="Roofs")
    assert Placements(made).all() == {first: Placement(True), second: Placement(False), third: Placement(True, "Roofs")}
    assert not {first, second, third} & set(shown(client))
    assert (shown(client, "show=rejected"), set(shown(client, "show=accepted"))) == ([second], {first, third})
    assert shown(client, "show=accepted&category=Roofs") == [third]


def test_a_moved_page_stays_where_it_is_until_it_is_forgotten(client: TestClient, served: Served, made: Path) -> None:
    url = shown(client)[0]
    say(client, served, url0=url, category0="Roofs")
    say(client, served, url0=url, say0="reject", category0="Roofs")
    assert Placements(made).all() == {url: Placement(False, "Roofs")}
    say(client, served, url0=url, say0="forget", category0="Roofs")
    assert (Placements(made).all(), url in shown(client)) == ({}, True)


def test_the_rest_is_accepted_where_a_person_asks_for_it(client: TestClient, served: Served, made: Path) -> None:
    urls = shown(client)
    fields = {f"url{row}": url for row, url in enumerate(urls)}
    say(client, served, **fields, say0="reject", rest="accept")
    assert {url: one.accepted for url, one in Placements(made).all().items()} == {url: url != urls[0] for url in urls}


def test_strange_fields_change_nothing(client: TestClient, served: Served, made: Path) -> None:
    url = shown(client)[0]
    say(
        client,
        served,
        url0="javascript:x()",
        say0="accept",
        url1=url,
        say1="<b>",
        category1=" ",
        url99=url,
        say99="reject",
    )
    assert Placements(made).all() == {}


def test_the_site_follows(client: TestClient, served: Served, made: Path, tmp_path: Path) -> None:
    url = shown(client)[0]
    wish = PortalWish(tmp_path / "site", "test")
    before = publish(made, wish, lambda *_: None)
    say(client, served, url0=url, say0="reject")
    after = publish(made, wish, lambda *_: None)
    assert (after.pages, after.deleted >= 1) == (before.pages - 1, True)
