"""Topics: what a topic file says reaches the crawl, and what is wrong with one is told in plain lines, all at once."""

import json
import zipfile
from importlib.resources.abc import Traversable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from focused import strategies
from focused.exceptions import TopicError
from focused.page.reader import ReadingOptions
from focused.topic import topic_file
from focused.topic.mistakes import in_plain_words, nearest
from focused.topic.project_settings import is_too_late
from focused.topic.topic import Budget, FrontierOptions, Topic
from focused.topic.topic_arguments import is_words, topic_from_arguments, topics_called
from focused.topic.topic_file import load_topic, topic_files

MINIMAL = '[topic]\nkeywords = ["solar cells"]\nseeds = ["https://sun.example/"]\n'


class Walk(BaseModel):
    """Options of every kind, of a strategy called walk."""

    model_config = ConfigDict(extra="forbid")

    alpha: float = Field(0.5, ge=0, le=1, description="a share")
    steps: int = Field(3, description="a count")
    lanes: tuple[int, ...] = Field((1, 2), description="some numbers")


STRATEGIES = SimpleNamespace(names=lambda: ["adaptive", "walk"], options_of=lambda _: Walk)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of topics, which is not the working directory."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    topics = tmp_path / "topics"
    topics.mkdir()
    return topics


def load(folder: Path, text: str | bytes, name: str = "sun") -> Topic:
    (folder / f"{name}.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_topic(name, STRATEGIES, topics_dir=folder)


def mistakes(folder: Path, text: str | bytes) -> list[str]:
    """The lines told about a topic file, without the path of the file that each begins with."""
    with pytest.raises(TopicError) as caught:
        load(folder, text)
    start = f"{folder / 'sun.toml'}: "
    lines = str(caught.value).splitlines()
    assert all(line.startswith(start) for line in lines)
    return [line.removeprefix(start) for line in lines]


def from_arguments(folder: Path | None = None, **arguments: str) -> Topic:
    """Arguments as keywords, with two underscores for a dot."""
    given = {name.replace("__", "."): text for name, text in arguments.items()}
    return topic_from_arguments(given, STRATEGIES, topics_dir=folder, reserved=("fresh", "_job"))


def argument_mistakes(folder: Path | None = None, **arguments: str) -> list[str]:
    with pytest.raises(TopicError) as caught:
        from_arguments(folder, **arguments)
    return str(caught.value).splitlines()


class TestFile:
    def test_what_it_does_not_say_stands_at_its_default(self, folder: Path) -> None:
        topic = load(folder, MINIMAL)
        assert (topic.name, topic.keywords, topic.seeds) == ("sun", ("solar cells",), ("https://sun.example/",))
        assert topic.strategy == "adaptive"
        assert topic.budget == Budget(pages=1000, harvest_window=200)
        assert topic.relevance.threshold == 0.1
        assert topic.frontier.cap == 1_000_000
        assert topic.storage.pages == "warc"

    def test_every_table_reaches_the_topic(self, folder: Path) -> None:
        topic = load(
            folder,
            MINIMAL + '[strategy]\nname = "walk"\nalpha = 1\nlanes = [7]\n[budget]\npages = 5\nhours = 2\n'
            '[scope]\ndeny = ["/a,b"]\nallowed_hosts = ["Bücher.example"]\ncontent_types = ["TEXT/html"]\n'
            '[relevance]\nmodel = "centroid"\nthreshold = 0.2\n[frontier]\ncap = 0\n[storage]\npages = "files"\n'
            "[reading]\nlevels_up = 2\n[settings]\nDOWNLOAD_DELAY = 2.0\nMY_OWN = [1]\n",
        )
        assert topic.strategy_options == {"alpha": 1.0, "steps": 3, "lanes": (7,)}
        assert (topic.budget.pages, topic.budget.hours) == (5, 2.0)
        assert topic.scope.deny == ("/a,b",)
        assert topic.scope.allowed_hosts == ("xn--bcher-kva.example",)
        assert topic.scope.content_types == ("text/html",)
        assert (topic.relevance.model, topic.relevance.threshold) == ("centroid", 0.2)
        assert (topic.frontier.cap, topic.storage.pages, topic.reading.levels_up) == (0, "files", 2)
        assert topic.settings == {"DOWNLOAD_DELAY": 2.0, "MY_OWN": [1]}

    def test_keywords_may_be_one_string_of_phrases(self, folder: Path) -> None:
        text = MINIMAL.replace('["solar cells"]', '" solar   cells, wind,"')
        assert load(folder, text).keywords == ("solar cells", "wind")

    def test_seeds_come_from_the_table_and_then_from_a_file_beside_it_each_once(self, folder: Path) -> None:
        (folder / "more.txt").write_text("# all\nhttps://b.example/#top # why\n\nhttps://sun.example/\n")
        topic = load(folder, MINIMAL + 'seeds_file = "more.txt"\n')
        assert topic.seeds == ("https://sun.example/", "https://b.example/#top")

    def test_examples_are_read_at_once_and_urls_left_for_the_crawl(self, folder: Path) -> None:
        (folder / "a.html").write_bytes(b"<p>sun")
        topic = load(folder, MINIMAL + 'examples = ["a.html", "https://c.example/"]\n')
        found = [(one.source, one.body) for one in topic.examples]
        assert found == [("a.html", b"<p>sun"), ("https://c.example/", None)]

    def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(self, folder: Path) -> None:
        text = MINIMAL.replace("\n", "\r\n").encode("utf-8-sig")
        assert load(folder, text).keywords == ("solar cells",)

    def test_the_folder_of_the_user_hides_a_topic_of_the_package(self, folder: Path) -> None:
        assert load(folder, MINIMAL, "solar").source == str(folder / "solar.toml")
        assert load_topic("crispr", strategies, topics_dir=folder).source.endswith("crispr.toml")
        assert topic_files(folder)["solar"].folder == folder

    @pytest.mark.parametrize("name", sorted(topic_files()))
    def test_topics_of_the_package_are_valid(self, name: str) -> None:
        assert len(load_topic(name, strategies).seeds) >= 3

    def test_topics_and_the_files_they_name_are_read_from_a_zipped_egg(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with zipfile.ZipFile(tmp_path / "focused.egg", "w") as egg:
            egg.writestr("focused/__init__.py", "")
            egg.writestr("focused/topics/sun.toml", MINIMAL + 'seeds_file = "s/urls.txt"\nexamples = ["e.txt"]\n')
            egg.writestr("focused/topics/s/urls.txt", "https://egg.example/\n")
            egg.writestr("focused/topics/e.txt", "sun")

        def zipped(_: str) -> Traversable:
            return zipfile.Path(str(tmp_path / "focused.egg"), "focused/")

        monkeypatch.setattr(topic_file, "files", zipped)
        topic = load_topic("sun", STRATEGIES)
        assert list(topic_files()) == ["sun"]
        assert topic.seeds == ("https://sun.example/", "https://egg.example/")
        assert topic.examples[0].body == b"sun"

    def test_a_file_missing_from_a_zipped_egg_is_a_mistake(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with zipfile.ZipFile(tmp_path / "focused.egg", "w") as egg:
            egg.writestr("focused/topics/sun.toml", MINIMAL + 'examples = ["e.txt"]\n')
        monkeypatch.setattr(topic_file, "files", lambda _: zipfile.Path(str(tmp_path / "focused.egg"), "focused/"))
        with pytest.raises(TopicError, match=r"examples\[0\]: .*e\.txt: cannot be read: No such file"):
            load_topic("sun", STRATEGIES)


class TestMistakes:
    def test_all_are_told_at_once_each_with_its_place(self, folder: Path) -> None:
        text = (
            '[topic]\nkeywords = []\nseeds = ["https://a.example/", "htp://x"]\n[strategy]\nname = "wlak"\n'
            '[scope]\nmax_dept = 3\n[settings]\nLOG_LEVEL = "INFO"\n'
        )
        assert mistakes(folder, text) == [
            "[topic] seeds[1]: 'htp://x' is not an http(s) URL",
            "[strategy] name: 'wlak' is unknown; did you mean walk?",
            "[scope] max_dept: unknown; did you mean max_depth?",
            "[settings] LOG_LEVEL: too late in a topic file; use -s LOG_LEVEL=INFO",
        ]

    def test_keywords_and_seeds_are_needed(self, folder: Path) -> None:
        assert mistakes(folder, "") == [
            "[topic] keywords: at least one keyword is needed",
            "[topic] seeds: at least one URL to start from is needed, here or in seeds_file",
        ]

    @pytest.mark.parametrize(
        ("lines", "told"),
        [
            ('keywords = ["!"]', "[topic] keywords[0]: '!' holds no word"),
            ("keywords = [3]", "[topic] keywords[0]: must be text in quotes, not 3"),
            ("keywords = 3", '[topic] keywords: must be a list such as ["a", "b"], not 3'),
            ('seeds = ["sun.example"]', "[topic] seeds[0]: 'sun.example' is not an http(s) URL"),
            ('examples = ["x.pdf"]', "[topic] examples[0]: 'x.pdf' is neither an http(s) URL nor a .html or .txt file"),
            ('[strategy]\nname = "walk"\nalpah = 1', "[strategy] alpah: unknown; did you mean alpha?"),
            ("[traps]\nvariants = false", "[traps] variants: unknown"),
            ('[strategy]\nname = "walk"\nalpha = 1.5', "[strategy] alpha: must be at most 1.0, not 1.5"),
            ("[strategy]\nname = 3", "[strategy] name: 3 is unknown; strategies: adaptive, walk"),
            ('[budget]\npages = "many"', "[budget] pages: must be a whole number, not 'many'"),
            ("[budget]\npages = true", "[budget] pages: must be a whole number, not true"),
            ("[budget]\npages = 1.5", "[budget] pages: must be a whole number, not 1.5"),
            ("[budget]\npages = -1", "[budget] pages: must be at least 0, not -1"),
            ("[budget]\nhours = inf", "[budget] hours: must be a finite number, not inf"),
            ("[relevance]\nthreshold = nan", "[relevance] threshold: must be a finite number, not nan"),
            (
                '[relevance]\nmodel = "bm 25"',
                "[relevance] model: 'bm 25' is none of cosine, centroid, nor a name for a trained model",
            ),
            ('[scope]\nlanguages = ["english"]', "'english' is not an ISO 639-1 code such as 'en'"),
            ('[scope]\nnofollow = "yes"', "[scope] nofollow: must be 'page', 'links' or 'ignore', not 'yes'"),
            ('[scope]\nallowed_hosts = ["*.a.example"]', "subdomains are included"),
            ('[scope]\nallowed_hosts = ["https://a.example"]', "is not a host name such as 'example.com'"),
            ('[scope]\ncontent_types = ["html"]', "'html' is not a media type such as 'text/html'"),
            ('[scope]\ndeny = ["[a-"]', "[scope] deny[0]: '[a-' is not a regular expression: unterminated"),
            ("[settings]\ndownload_delay = 1", "settings are written in upper case: DOWNLOAD_DELAY"),
            ("[settings]\nDOWNLOAD_DELY = 1", "[settings] DOWNLOAD_DELY: unknown; did you mean DOWNLOAD_DELAY?"),
            ('[settings]\nDOWNLOAD_DELAY = "0,5"', "[settings] DOWNLOAD_DELAY: '0,5': it must be a number from 0 on"),
            ('seeds = ["http://a..example/"]', "'http://a..example/': no host can have this name"),
            ('keywords = ["太阳能", "光伏"]', "'太阳能' is written without spaces between words; say its language"),
            ("[budgte]\npages = 1", "[budgte]: unknown; did you mean budget?"),
            ("[[budget]]\npages = 1", "[budget]: must be a table, written once as [budget], not [{'pages': 1}]"),
        ],
    )
    def test_one_line_in_plain_words(self, folder: Path, lines: str, told: str) -> None:
        (key, _, _) = lines.partition(" =")
        table = "".join(line + "\n" for line in MINIMAL.splitlines() if not line.startswith(key))
        (line,) = mistakes(folder, table + lines)
        assert told in line

    @pytest.mark.parametrize(
        ("keywords", "language"),
        [('["太阳能"]', "zh"), ('["太陽光"]', "japanese"), ('["태양광"]', "ko"), ('["solar", "太阳能"]', "en")],
    )
    def test_keywords_of_other_scripts_say_their_language(self, folder: Path, keywords: str, language: str) -> None:
        topic = load(folder, MINIMAL.replace('["solar cells"]', keywords) + f'[reading]\nlanguage = "{language}"\n')
        assert not topic.keywords[0].startswith("solar cells")

    def test_a_key_before_the_first_table_is_told_where_it_belongs(self, folder: Path) -> None:
        assert mistakes(folder, "pages = 3\n" + MINIMAL) == [
            "pages = 3 stands outside any table; put it below [budget]"
        ]

    def test_bad_toml_gives_line_and_column(self, folder: Path) -> None:
        (line,) = mistakes(folder, MINIMAL + "pages 3")
        assert line.startswith("not valid TOML:")
        assert "line 4, column 7" in line

    @pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "1" * 5000, "a = 1979-13-40"])
    def test_toml_that_breaks_the_parser_gives_a_line_too(self, folder: Path, text: str) -> None:
        (line,) = mistakes(folder, text)
        assert line.startswith("not valid TOML:")

    def test_a_table_too_deep_to_be_written_again(self, folder: Path) -> None:
        assert mistakes(folder, MINIMAL + "a." * 900 + "a = 1") == ["[topic] a: is nested too deeply"]

    def test_text_in_another_encoding_gives_the_line(self, folder: Path) -> None:
        text = (MINIMAL + 'description = "Zürich"\n').encode("latin-1")
        assert mistakes(folder, text) == ["line 4 is not UTF-8 text; save the file as UTF-8"]

    def test_a_folder_in_place_of_the_file(self, folder: Path) -> None:
        (folder / "sun.toml").mkdir()
        with pytest.raises(TopicError, match=r"sun\.toml: is a folder, not a file$"):
            load_topic("sun", strategies, topics_dir=folder)

    def test_mistakes_in_a_list_of_seeds_give_its_line(self, folder: Path) -> None:
        (folder / "more.txt").write_text("https://a.example/\nnonsense\n")
        told = f"[topic] seeds_file: {folder / 'more.txt'} line 2: 'nonsense' is not an http(s) URL"
        assert mistakes(folder, MINIMAL + 'seeds_file = "more.txt"') == [told]

    @pytest.mark.parametrize("key", ['seeds_file = "no.txt"', 'examples = ["no.txt"]', 'examples = ["a\\u0000.txt"]'])
    def test_a_file_that_is_not_there(self, folder: Path, key: str) -> None:
        (line,) = mistakes(folder, MINIMAL + key)
        assert "cannot be read: " in line

    def test_an_empty_list_of_seeds(self, folder: Path) -> None:
        (folder / "more.txt").write_text("# none yet\n")
        (line,) = mistakes(folder, '[topic]\nkeywords = "sun"\nseeds_file = "more.txt"')
        assert line.endswith("more.txt holds no URL")

    def test_an_unknown_topic_names_the_nearest_and_where_was_looked(self, folder: Path) -> None:
        load(folder, MINIMAL)
        with pytest.raises(TopicError) as caught:
            load_topic("snu", strategies, topics_dir=folder)
        assert "no topic 'snu'; did you mean sun? (looked in " + str(folder) in str(caught.value)

    @pytest.mark.parametrize("name", ["", "../sun", "a/b", ".sun", "ü", "a\n", "-a", "a\0b", "a" * 101])
    def test_a_name_that_is_no_file_name_is_refused(self, folder: Path, name: str) -> None:
        with pytest.raises(TopicError, match="cannot be the name of a topic"):
            load_topic(name, strategies, topics_dir=folder)
        with pytest.raises(ValidationError, match="name"):
            Topic(name=name, keywords=("sun",), seeds=("https://a.example/",))

    def test_a_path_that_no_file_can_have_is_told_in_one_line(self, folder: Path) -> None:
        with pytest.raises(TopicError, match=r"a\.toml: cannot be looked at: File name too long$"):
            load_topic(f"{folder}/{'a' * 300}.toml", strategies, topics_dir=folder)
        with pytest.raises(TopicError, match=r"a: cannot be looked at: File name too long$"):
            topics_called("a" * 300)
        assert not is_words("a" * 300)

    @example("~0", "topic.seeds")  # the home of a user that there is not
    @given(st.text(max_size=30), st.sampled_from(["budget.pages", "scope.deny", "scope.allowed_hosts", "topic.seeds"]))
    def test_whatever_text_stands_somewhere_gives_a_topic_or_lines(self, text: str, place: str) -> None:
        arguments = {"keywords": "sun", "seeds": "https://a.example/", place: text}
        if place == "topic.seeds":
            del arguments["seeds"]
        try:
            topic = topic_from_arguments(arguments, STRATEGIES)
        except TopicError as error:
            assert f"-a {place}" in str(error)
        else:
            assert topic.name == "sun"

    def test_an_error_without_words_of_our_own_is_still_plain(self) -> None:
        error: Any = {"type": "date_type", "msg": "Input should be a valid date", "input": 3, "loc": ("day",)}
        assert in_plain_words(error) == "should be a valid date, not 3"

    def test_the_nearest_word_is_found_whatever_its_case(self) -> None:
        assert nearest("download_delay", ["DOWNLOAD_DELAY", "USER_AGENT"]) == "DOWNLOAD_DELAY"
        assert nearest("zzz", ["DOWNLOAD_DELAY"]) is None


@pytest.mark.parametrize(
    ("setting", "late"),
    [
        ("LOG_LEVEL", True),
        ("DNSCACHE_SIZE", True),
        ("LOG_FORMATTER", False),
        ("LOGSTATS_INTERVAL", False),
        ("TWISTED_REACTOR", True),
    ],
)
def test_settings_that_are_read_before_the_spider_come_too_late(setting: str, late: bool) -> None:
    assert is_too_late(setting) is late


class TestArguments:
    def test_alone_they_make_a_topic_named_by_its_keywords(self) -> None:
        topic = from_arguments(keywords="Solar cells, PV", seeds="https://a.example/x,y, http://b.example/", pages="7")
        assert topic.name == "solar-cells-pv"
        assert topic.keywords == ("Solar cells", "PV")
        assert topic.seeds == ("https://a.example/x,y", "http://b.example/")
        assert topic.budget.pages == 7

    def test_keywords_without_latin_letters_still_give_a_safe_and_stable_name(self) -> None:
        names = [
            from_arguments(keywords=word, seeds="https://a.example/", reading__language="zh").name
            for word in ("太阳能", "太阳能", "风能")
        ]
        assert names[0] == names[1] != names[2]
        assert names[0].startswith("topic-")

    def test_they_override_the_file(self, folder: Path) -> None:
        load(folder, MINIMAL + '[budget]\npages = 5\nhours = 1.0\n[scope]\ndeny = ["a"]\n')
        topic = from_arguments(folder, topic="sun", pages="6", threshold=".3", scope__max_depth="2", name="other")
        assert (topic.name, topic.keywords) == ("other", ("solar cells",))
        assert (topic.budget.pages, topic.budget.hours) == (6, 1.0)
        assert (topic.relevance.threshold, topic.scope.max_depth, topic.scope.deny) == (0.3, 2, ("a",))

    def test_text_becomes_what_the_field_needs(self) -> None:
        topic = from_arguments(
            keywords="2024",
            seeds="https://a.example/",
            strategy="walk",
            strategy__lanes="4, 5",
            strategy__steps="9",
            scope__deny="a{1,2}",
            scope__allow='["x", "y"]',
            scope__languages="en,DE",
            reading__fold_index="true",
            settings__DOWNLOAD_DELAY="3",
        )
        assert topic.keywords == ("2024",)
        assert topic.strategy_options == {"alpha": 0.5, "steps": 9, "lanes": (4, 5)}
        assert (topic.scope.deny, topic.scope.allow, topic.scope.languages) == (("a{1,2}",), ("x", "y"), ("en", "de"))
        assert topic.reading.fold_index is True
        assert topic.settings == {"DOWNLOAD_DELAY": "3"}

    def test_another_strategy_does_not_take_the_options_of_the_one_in_the_file(self, folder: Path) -> None:
        load(folder, MINIMAL + '[strategy]\nname = "walk"\nsteps = 9\n')
        assert from_arguments(folder, topic="sun", strategy="walk").strategy_options["steps"] == 9
        assert from_arguments(folder, topic="sun", strategy="adaptive").strategy_options["steps"] == 3

    def test_seeds_and_examples_may_be_files_of_the_working_directory(self, folder: Path) -> None:
        load(folder, MINIMAL)
        Path("urls.txt").write_text("https://mine.example/\n")
        Path("a.txt").write_text("sun")
        topic = from_arguments(folder, topic="sun", seeds="urls.txt", examples="a.txt,https://c.example/")
        assert topic.seeds == ("https://mine.example/",)
        assert [one.body for one in topic.examples] == [b"sun", None]

    def test_reserved_arguments_are_passed_over(self) -> None:
        assert from_arguments(keywords="sun", seeds="https://a.example/", fresh="true", _job="1").name == "sun"

    def test_mistakes_name_the_argument_and_the_nearest(self, folder: Path) -> None:
        (folder / "sun.toml").write_text(MINIMAL + "[scope]\nmax_dept = 1\n")
        assert sorted(argument_mistakes(folder, topic="sun", page="3", frsh="1", scop__max_depth="1", pages="x")) == [
            "-a frsh: unknown; did you mean fresh?",
            "-a page: unknown; did you mean pages?",
            "-a pages: must be a whole number, not 'x'",
            "-a scop.max_depth: unknown; did you mean scope.max_depth?",
            f"{folder / 'sun.toml'}: [scope] max_dept: unknown; did you mean max_depth?",
        ]

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            ({"seeds": "no.txt"}, "-a seeds: no.txt: cannot be read: No such file"),
            ({"seeds": ""}, "-a seeds: at least one URL to start from is needed"),
            ({"strategy": "wlak"}, "-a strategy: 'wlak' is unknown; did you mean walk?"),
            ({"name": "a", "topic__name": "b"}, "-a topic.name: says the same as -a name; keep one of them"),
            ({"zzz": "1"}, "-a zzz: unknown; arguments: fresh, _job, topic, name, strategy, threshold, keywords,"),
            ({"keywords": "caf\udce9"}, "-a keywords: is not UTF-8 text"),
            ({"keywords": "\udce9"}, "-a keywords: is not UTF-8 text"),
            ({"seeds": "https://a.example/\udce9"}, "-a seeds: is not UTF-8 text"),
            ({"settings__LOG_LEVEL": "INFO"}, "-a settings.LOG_LEVEL: too late in a topic file; use -s LOG_LEVEL=INFO"),
        ],
    )
    def test_one_line_for_a_mistake(self, folder: Path, arguments: dict[str, str], told: str) -> None:
        (line,) = argument_mistakes(folder, **({"keywords": "sun", "seeds": "https://a.example/"} | arguments))
        assert line.startswith(told)

    def test_no_topic_at_all_lists_the_topics_there_are(self, folder: Path) -> None:
        load(folder, MINIMAL)
        (line,) = argument_mistakes(folder, seeds="https://a.example/")
        assert line.startswith("which topic? Give -a topic=NAME (there are: ")
        assert "sun" in line


class TestProfiles:
    PAPERS = MINIMAL + 'profile = "crawling-the-web"\n'

    def test_it_gives_the_defaults_of_the_papers(self, folder: Path) -> None:
        topic = load(folder, self.PAPERS)
        assert topic.frontier == FrontierOptions(cap=70_000, distinct_hosts=50)
        assert topic.reading == ReadingOptions(max_bytes=20_000)
        assert not topic.traps.on
        assert load(folder, MINIMAL).traps.on
        assert topic.budget == load(folder, MINIMAL).budget

    def test_the_file_and_arguments_override_it(self, folder: Path) -> None:
        load(folder, self.PAPERS + "[frontier]\ncap = 100\n[reading]\nmax_bytes = 0\n")
        topic = from_arguments(folder, topic="sun", frontier__distinct_hosts="0")
        assert (topic.frontier, topic.reading) == (FrontierOptions(cap=100), ReadingOptions(max_bytes=0))

    def test_one_crawl_can_take_it(self, folder: Path) -> None:
        load(folder, MINIMAL)
        assert from_arguments(folder, topic="sun", profile="crawling-the-web").frontier.cap == 70_000

    def test_a_strategy_gets_the_options_that_it_has(self, folder: Path) -> None:
        def options(text: str) -> dict[str, Any]:
            (folder / "sun.toml").write_text(self.PAPERS + text)
            return load_topic("sun", strategies, topics_dir=folder).strategy_options

        assert options('[strategy]\nname = "best_first"\n')["batch"] == 256
        assert options('[strategy]\nname = "best_first"\nbatch = 8\n')["batch"] == 8
        assert "batch" not in options('[strategy]\nname = "dom"\n')

    def test_an_unknown_one_is_one_line_with_the_nearest(self, folder: Path) -> None:
        (line,) = mistakes(folder, MINIMAL + 'profile = "crawling-web"\n')
        assert line == "[topic] profile: 'crawling-web' is unknown; did you mean crawling-the-web?"


class TestAsDict:
    def test_it_is_plain_json_table_by_table_and_complete(self, folder: Path) -> None:
        values = load(folder, MINIMAL + '[strategy]\nname = "walk"\n[settings]\nDAY = 2024-01-02\n').as_dict()
        assert json.loads(json.dumps(values)) == values
        assert list(values) == [
            *("topic", "strategy", "budget", "scope", "traps", "recrawl", "relevance", "frontier", "storage"),
            *("reading", "rendering", "backlinks", "questions", "sources", "settings"),
        ]
        assert values["strategy"] == {"name": "walk", "alpha": 0.5, "steps": 3, "lanes": [1, 2]}
        assert values["budget"]["pages"] == 1000
        assert values["settings"] == {"DAY": "2024-01-02"}

    def test_a_default_written_out_makes_no_difference(self, folder: Path) -> None:
        written = load(folder, MINIMAL + "[budget]\npages = 1000\n[strategy]\nalpha = 0.5\n")
        assert written.as_dict() == load(folder, MINIMAL).as_dict()

    def test_where_the_file_lies_makes_no_difference_but_the_content_of_examples_does(self, folder: Path) -> None:
        text = MINIMAL + 'examples = ["a.txt"]\n'
        (folder / "b").mkdir()
        for place in (folder, folder / "b"):
            (place / "a.txt").write_text("sun")
        before = load(folder, text).as_dict()
        assert load(folder / "b", text).as_dict() == before
        (folder / "a.txt").write_text("moon")
        assert load(folder, text).as_dict() != before
