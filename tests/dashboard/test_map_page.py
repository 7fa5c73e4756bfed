"""The page of the map: it is drawn in the background, themes are listed and named, and what hosts write stays text."""

from __future__ import annotations

import os
import time
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from starlette.testclient import TestClient

from focused.collection.desk import Desk
from focused.desk.dashboard.app import create_app
from focused.desk.dashboard.served import Served
from tests.dashboard.conftest import ADDRESS

SECONDS = 60  #: after which a map that is not drawn fails a test


def drawn(client: TestClient, kind: str = "pages") -> dict[str, Any]:
    """What the script draws, once it is ready."""
    end = time.monotonic() + SECONDS
    while (state := client.get(f"/c/test/map/state?kind={kind}").json())["doing"] or not state["version"]:
        assert time.monotonic() < end, state
        assert not state["trouble"]
        time.sleep(0.02)
    data: dict[str, Any] = client.get(f"/c/test/map/data?kind={kind}").json()
    return data


@pytest.fixture(scope="module")
def mapped(crawled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection whose map of pages is drawn, that no test changes."""
    data = tmp_path_factory.mktemp("mapped")
    copytree(crawled, data / "test")
    with TestClient(create_app(Served(data)), base_url=ADDRESS) as client:
        drawn(client)
    return data


class TestPagesByTopic:
    @pytest.fixture
    def data(self, mapped: Path, tmp_path: Path) -> Path:
        return copytree(mapped, tmp_path / "data")

    def test_every_page_has_a_place_a_theme_and_a_way_back_to_a_seed(self, client: TestClient) -> None:
        data = drawn(client)
        assert len(data["x"]) == len(data["y"]) == len(data["id"]) == len(set(data["id"])) == 40
        assert all(0 <= one <= 65535 for one in data["x"] + data["y"])
        assert set(data["theme"]) == set(range(len(data["themes"])))
        for page in range(40):
            steps = 0
            while data["source"][page] >= 0:
                page, steps = data["source"][page], steps + 1
                assert steps <= 40
            assert data["depth"][page] == 0
        assert sum(data["seed"]) == 2

    def test_pages_about_other_things_lie_elsewhere(self, client: TestClient) -> None:
        data = drawn(client)
        relevant = [i for i in range(40) if data["relevant"][i]]
        others = [i for i in range(40) if not data["relevant"][i]]

        def mean(points: list[int], column: str) -> float:
            return sum(data[column][i] for i in points) / len(points)

        away = abs(mean(relevant, "x") - mean(others, "x")) + abs(mean(relevant, "y") - mean(others, "y"))
        assert away > 65535 / 10

    def test_the_same_collection_gives_the_same_map(self, client: TestClient, data: Path) -> None:
        first = drawn(client)
        (data / "test" / "map.db").unlink()
        again = drawn(TestClient(create_app(Served(data)), base_url=ADDRESS))
        assert again == first

    def test_the_map_lies_beside_the_collection(self, client: TestClient, data: Path) -> None:
        first = drawn(client)
        assert drawn(TestClient(create_app(Served(data)), base_url=ADDRESS)) == first

    def test_the_page_lists_themes_and_the_pages_of_one(self, client: TestClient) -> None:
        data = drawn(client)
        text = client.get("/c/test/map").text
        for theme in data["themes"]:
            assert theme["name"] in text
        one = client.get("/c/test/map?theme=0").text
        assert one.count("/c/test/page?url=") == data["themes"][0]["pages"]

    @pytest.mark.parametrize("theme", ["-1", "99999", "x", "²", "1e9", "0" * 5000])
    def test_a_theme_that_there_is_not_lists_them_all(self, client: TestClient, theme: str) -> None:
        drawn(client)
        answer = client.get("/c/test/map", params={"theme": theme})
        assert answer.status_code == 200
        assert "data-theme" in answer.text

    @pytest.mark.parametrize("path", ["?kind=none", "/data?kind=", "/about?id=x", "/about?id=999999", "/about", ".exe"])
    def test_what_there_is_not_is_said_to_be_missing(self, client: TestClient, path: str) -> None:
        drawn(client)
        assert client.get(f"/c/test/map{path}").status_code == 404


class TestNames:
    def key_of(self, client: TestClient, theme: int) -> str:
        text = client.get(f"/c/test/map?theme={theme}").text
        return text.partition('name="key" value="')[2].partition('"')[0]

    def named(self, client: TestClient, served: Served, theme: int, text: str) -> str:
        form = {"token": served.token, "key": self.key_of(client, theme), "text": text, "theme": str(theme)}
        answer = client.post("/c/test/map/name", data=form)
        assert answer.status_code == 303
        return str(client.get(answer.headers["location"]).text)

    def test_a_person_names_a_theme_and_takes_the_name_back(self, client: TestClient, served: Served) -> None:
        before = drawn(client)["themes"][0]["name"]
        assert "My panels" in self.named(client, served, 0, "My panels")
        assert drawn(client)["themes"][0]["name"] == "My panels"
        self.named(client, served, 0, "")
        assert drawn(client)["themes"][0]["name"] == before

    def test_a_name_goes_with_the_page_that_it_was_given_at(self, client: TestClient, data: Path) -> None:
        first = drawn(client)
        page = first["theme"].index(len(first["themes"]) - 1)
        url = client.get("/c/test/map/about", params={"id": first["id"][page]}).json()["url"]
        Desk(data / "test").name(url, "The last")
        Desk(data / "test").name("http://nobody.example/", "Nowhere")
        names = [theme["name"] for theme in drawn(client)["themes"]]
        assert names[-1] == "The last"
        assert "Nowhere" not in names


class TestHostsByLinks:
    def test_hosts_have_sizes_shares_and_links(self, client: TestClient) -> None:
        data = drawn(client, "hosts")
        assert sorted(data["name"]) == [f"host{i}.example" for i in range(5)]
        assert sum(data["pages"]) == 40
        assert data["pages"] == sorted(data["pages"], reverse=True)
        links = list(zip(data["links"][::3], data["links"][1::3], data["links"][2::3], strict=True))
        assert all(one != other and count > 0 for one, other, count in links)
        assert len(links) == len(set(links)) > 4

    def test_subdomains_are_one_with_their_domain(self, client: TestClient) -> None:
        assert drawn(client, "domains")["pages"] != []

    def test_the_hosts_around_one_are_listed(self, client: TestClient) -> None:
        data = drawn(client, "hosts")
        text = client.get("/c/test/map", params={"kind": "hosts", "host": data["name"][0]}).text
        ends = {data["links"][i + 1] for i in range(0, len(data["links"]), 3) if data["links"][i] == 0}
        assert ends
        assert all(f'data-host="{data["name"][one]}"' in text for one in ends)

    def test_a_host_that_there_is_not_lists_them_all(self, client: TestClient) -> None:
        drawn(client, "hosts")
        assert "host3.example" in client.get("/c/test/map", params={"kind": "hosts", "host": "<b>"}).text


def test_a_folder_that_nobody_may_write_to_has_a_map_too(
    client: TestClient, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = drawn(client)
    for file in (data / "test").glob("map.db*"):
        file.unlink()
    monkeypatch.setattr("os.access", lambda _path, mode: not mode & os.W_OK)
    assert drawn(TestClient(create_app(Served(data)), base_url=ADDRESS)) == expected
    assert not (data / "test" / "map.db").exists()


def test_a_damaged_side_file_is_made_anew(client: TestClient, data: Path) -> None:
    expected = drawn(client)
    for file in (data / "test").glob("map.db*"):
        file.unlink()
    (data / "test" / "map.db").write_bytes(b"no database" * 1000)
    assert drawn(TestClient(create_app(Served(data)), base_url=ADDRESS)) == expected
