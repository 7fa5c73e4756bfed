"""Wrong values of settings are told in one line; all that Scrapy or focused set themselves will do."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from focused import settings as ours
from focused.exceptions import FocusedError
from focused.simulation.commands.compare import Command as Compare
from focused.topic.project_settings import check_values, wrong_value
from tests.commands.running import parser_of


def test_the_defaults_of_scrapy_and_of_the_project_will_do() -> None:
    settings = Settings()
    settings.setmodule(ours)
    check_values(settings)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("DOWNLOAD_DELAY", "0,5", "a number from 0 on"),
        ("DOWNLOAD_DELAY", -1, "a number from 0 on"),
        ("DOWNLOAD_DELAY", [2], "a number from 0 on"),
        ("AUTOTHROTTLE_MAX_DELAY", "nan", "a number from 0 on"),
        ("CONCURRENT_REQUESTS_PER_DOMAIN", 0, "a whole number from 1 on"),
        ("CONCURRENT_REQUESTS", "1.5", "a whole number from 1 on"),
        ("DOWNLOAD_MAXSIZE", "1e9", "a whole number from 0 on"),
        ("RETRY_PRIORITY_ADJUST", "high", "a whole number"),
        ("ROBOTSTXT_OBEY", "perhaps", "true or false"),
        ("FOCUSED_COMMIT_SECONDS", 0, "a number above 0"),
        ("ROBOTSTXT_OBEY", [1], "true or false"),
        ("USER_AGENT", 5, "text"),
        ("USER_AGENT", datetime(1979, 5, 27), "text"),
        ("FOCUSED_BROWSER", ["chromium"], "text"),
        ("DEFAULT_REQUEST_HEADERS", 5, "a table"),
        ("FEEDS", "x.json", "a table of tables"),
        ("FEEDS", {"x.json": 5}, "a table of tables"),
        ("DOWNLOADER_MIDDLEWARES", ["a"], "a table of import paths and numbers"),
        ("EXTENSIONS", {"scrapy.extensions.corestats.CoreStats": "x"}, "a table of import paths and numbers"),
        ("HTTPERROR_ALLOWED_CODES", 404, "a list"),
    ],
)
def test_a_wrong_value_tells_what_it_must_be(name: str, value: Any, told: str) -> None:
    assert wrong_value(name, value) == f"it must be {told}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DOWNLOAD_DELAY", "0.5"),
        ("DOWNLOAD_TIMEOUT", 7.5),
        ("RETRY_PRIORITY_ADJUST", "-3"),
        ("ROBOTSTXT_OBEY", "False"),
        ("FEED_EXPORT_INDENT", None),
        ("SOMEBODY_ELSES_ENABLED", "perhaps"),
        ("SOMEBODY_ELSES_DAY", datetime(1979, 5, 27)),
        ("HTTPCACHE_DIR", Path("cache")),
        ("RETRY_GIVE_UP_LOG_LEVEL", 20),
        ("HTTPERROR_ALLOWED_CODES", "404,410"),
        ("LINK_SCORERS", {"focused.scorers.hub_score.HubScore": False}),
        ("EXTENSIONS", {"scrapy.extensions.corestats.CoreStats": None}),
        ("FEEDS", '{"x.json": {"format": "json"}}'),
    ],
)
def test_what_scrapy_understands_will_do(name: str, value: Any) -> None:
    assert not wrong_value(name, value)


def test_no_setting_is_a_date() -> None:
    assert wrong_value("FEED_EXPORT_ENCODING", datetime(1979, 5, 27)) == "it cannot be a date"


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(FocusedError, match=r"^CONCURRENT_REQUESTS = 0: .*\nDOWNLOAD_DELAY = 'abc': .*on$"):
        check_values(Settings({"DOWNLOAD_DELAY": "abc", "CONCURRENT_REQUESTS": 0}))


def test_a_command_tells_a_wrong_value_before_it_does_anything(capsys: pytest.CaptureFixture[str]) -> None:
    command = Compare()
    parser = parser_of(command)
    assert command.settings is not None
    command.settings["CONCURRENT_REQUESTS"] = "abc"
    command.run(["demo"], parser.parse_args(["-a", "topic=demo"]))
    assert command.exitcode == 1
    told = "scrapy compare: CONCURRENT_REQUESTS = 'abc': it must be a whole number from 1 on\n"
    assert capsys.readouterr() == ("", told)
