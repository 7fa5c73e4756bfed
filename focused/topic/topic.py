"""A topic: what a crawl is about, where it starts and when it stops. One small model per table of its file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Annotated, Any, Literal, Self

import ada_url
import jmespath
from jmespath.exceptions import JMESPathError
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import to_jsonable_python

from focused.exceptions import TopicError
from focused.page.page import Page
from focused.page.plain_text import plain
from focused.page.reader import ReadingOptions
from focused.page.urls import MAX_LENGTH, UrlRules, without_secrets
from focused.topic.mistakes import shown, unknown

PRESETS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    # A short list of sites that needs to be expanded: many sites, a few pages of each, and hubs that lead from one to the next.
    "companies": {
        "strategy": {"name": "hub_seeking"},
        "scope": {
            "pages_per_host": 20,
            "denied_hosts": ["facebook.com", "instagram.com", "linkedin.com", "twitter.com", "x.com", "youtube.com"],
        },
    },
}
#: Defaults that a topic file may take; a strategy gets those of its options that it has.
PROFILES: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    # The test bed of Pant & Menczer 2003, "Topical Crawling for Business Intelligence", section 4.1 (70,000 URLs, D = 50), and of
    # Pant, Srinivasan & Menczer 2004, "Crawling the Web", sections 2.3 (the first 10 to 20 KB of a page) and 3.1 (N = 256).
    # Neither had a defence against traps.
    "crawling-the-web": {
        "frontier": {"cap": 70_000, "distinct_hosts": 50},
        "reading": {"max_bytes": 20_000},
        "strategy": {"batch": 256},
        "traps": {"on": False},
    },
}


def tables_of(preset: str) -> dict[str, dict[str, Any]]:
    """The tables of a preset, to be changed at will. Raises TopicError for one that there is not."""
    if preset not in PRESETS:
        raise TopicError(f"--preset {plain(preset, 40)}: {unknown(preset, PRESETS, plural='presets')}")
    return {table: dict(deepcopy(values)) for table, values in PRESETS[preset].items()}


DEFAULT_STRATEGY = "adaptive"
TOPIC_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")  # a safe file name on every system
LARGEST_COUNT = 10**12  # far beyond any crawl, and safe in a 64-bit database column
LAST_PORT = 65535
HOURS_A_DAY = 24
LONGEST_WINDOW = 1000  # pages that a harvest floor can look at; a crawl remembers so many


def http_url(text: str) -> str:
    """Return `text` if it is an absolute http(s) URL that can be fetched; ValueError otherwise."""
    if not re.match(r"https?://[^\s/]", text, re.IGNORECASE) or re.search(r"\s", text) or not ada_url.check_url(text):
        whole = f"https://{text}"
        meant = f"; write {whole}" if re.match(r"[\w-]+(\.[\w-]+)+(/|:\d|$)", text) and ada_url.check_url(whole) else ""
        raise ValueError(f"{text!r} is not an http(s) URL{meant}")
    if len(text) > MAX_LENGTH:
        raise ValueError(f"{text[:40]!r}... is longer than {MAX_LENGTH} characters")
    if without_secrets(text) != text:
        raise ValueError(
            f"{without_secrets(text)!r} was given with a name and a password, which are never sent on; leave them out "
            "(a spider of your own may set http_user, http_pass and http_auth_domain, which Scrapy sends)"
        )
    if UrlRules().canonical(text) is None:
        raise ValueError(f"{text!r}: no host can have this name or this port")
    return text


def _regular_expression(text: str) -> str:
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{text!r} is not a regular expression: {error}") from None
    return text


def _host_name(text: str) -> str:
    if text.startswith(("*.", ".")):
        raise ValueError(f"{text!r}: write {text.lstrip('*.')!r}, its subdomains are included")
    url = f"http://{text}/"
    if not text or re.search(r"[\s/:@?#\\]", text) or not ada_url.check_url(url):
        raise ValueError(f"{text!r} is not a host name such as 'example.com'")
    return ada_url.URL(url).hostname


def _media_type(text: str) -> str:
    if not re.fullmatch(r"[\w.+-]+/[\w.+-]+", text):
        raise ValueError(f"{text!r} is not a media type such as 'text/html'")
    return text.lower()


def _language_code(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z]{2}", text):
        raise ValueError(f"{text!r} is not an ISO 639-1 code such as 'en'")
    return text.lower()


def _keyword(text: str) -> str:
    if not re.search(r"\w", text):
        raise ValueError(f"{text!r} holds no word")
    return " ".join(text.split())


def _json_path(text: str) -> None:
    try:
        jmespath.compile(text)
    except JMESPathError as error:
        raise ValueError(f"path: {text!r} is not a JMESPath expression: {str(error).splitlines()[0]}") from None


def ports_of(span: str) -> range:
    """The ports of ``443`` or ``8000-8999``; ValueError for what is neither."""
    found = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", span)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= first <= last <= LAST_PORT:
        raise ValueError(f"{span!r} is neither a port such as 443 nor a span of them such as '8000-8999'")
    return range(first, last + 1)


def _port_span(value: Any) -> Any:
    """A number may stand for one port."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _checked_span(span: str) -> str:
    ports_of(span)
    return span


def _days(value: Any) -> Any:
    """Days as a number, or text such as ``7d`` and ``12h``."""
    if not isinstance(value, str):
        return value
    found = re.fullmatch(r"\s*([0-9]{1,6}(?:\.[0-9]{1,6})?)\s*([dh]?)\s*", value)
    if not found:
        raise ValueError(f"{value!r} is no age such as '7d' or '12h'")
    return float(found[1]) / (HOURS_A_DAY if found[2] == "h" else 1)


def _phrases(value: Any) -> Any:
    """One string stands for words or phrases separated by commas."""
    if isinstance(value, str):
        if value.lstrip().startswith("{"):
            raise ValueError('begins with {, but is no table; write it as in {de = ["Windkraft"], en = ["wind power"]}')
        return tuple(part for part in value.split(",") if part.strip())
    return tuple(value) if isinstance(value, list) else value


Count = Annotated[int, Field(ge=0, le=LARGEST_COUNT)]
Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
Days = Annotated[float, BeforeValidator(_days), Field(ge=0.0, le=36_500.0)]
Pattern = Annotated[str, AfterValidator(_regular_expression)]
HostName = Annotated[str, AfterValidator(_host_name)]
MediaType = Annotated[str, AfterValidator(_media_type)]
Ports = Annotated[str, BeforeValidator(_port_span), AfterValidator(_checked_span)]
LanguageCode = Annotated[str, AfterValidator(_language_code)]
Nofollow = Literal["page", "links", "ignore"]
Signal = Literal["search", "ai-input", "ai-train"]  #: uses of a page, by contentsignals.org
PageKind = Literal["index", "listing", "stub"]  #: as in `page_kind`
Keywords = Annotated[tuple[Annotated[str, AfterValidator(_keyword)], ...], BeforeValidator(_phrases)]
Urls = Annotated[
    tuple[Annotated[str, AfterValidator(http_url)], ...], AfterValidator(lambda urls: tuple(dict.fromkeys(urls)))
]


def _profile(name: str) -> str:
    if name and name not in PROFILES:
        raise ValueError(f"{shown(name)} is {unknown(name, PROFILES, plural='profiles')}")
    return name


class Table(BaseModel):
    """A table of a topic file; the description of each field is what `scrapy topics new` writes beside it."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class About(Table):
    """The table [topic]: what the topic is about and where to start."""

    keywords: Keywords = Field(
        (),
        description="words or phrases that say what the topic is about: a list, one string, or a table of these by language",
    )
    description: str = Field(
        "",
        description="the topic in a few sentences (read by the relevance model 'centroid', by hcla and by plsi_phits)",
    )
    seeds: Urls = Field((), description="URLs to start from; pages on several hosts that link to many others are best")
    seeds_file: str = Field(
        "", description="more seeds: a text file beside this one, one URL a line, # starts a comment"
    )
    hubs: Urls = Field(
        (), description="pages that link to several seeds, fetched like seeds; `scrapy topics NAME augment` finds them"
    )
    examples: tuple[str, ...] = Field(
        (),
        description="pages known to be on topic: .html or .txt files beside this one; a URL counts as another seed only",
    )
    profile: Annotated[str, AfterValidator(_profile)] = Field(
        "",
        description=f"other defaults for the tables below: {', '.join(PROFILES)}; empty: those that are written here",
    )


class Budget(Table):
    """The table [budget]: when to stop. Totals over all resumed runs of the topic."""

    pages: Count = Field(1000, description="stop after this many fetched pages; 0 = no limit")
    hours: float = Field(0.0, ge=0.0, le=1e6, description="stop after this many hours of crawling; 0 = no limit")
    megabytes: Count = Field(0, description="stop after this many megabytes of fetched pages; 0 = no limit")
    relevant_pages: Count = Field(0, description="stop after this many pages of harvest; 0 = no limit")
    harvest_floor: Fraction = Field(
        0.0, description="stop when the share of harvest among the last `harvest_window` falls below; 0 = never"
    )
    harvest_window: int = Field(
        200, ge=1, le=LONGEST_WINDOW, description="number of latest pages that `harvest_floor` looks at"
    )


class Scope(Table):
    """The table [scope]: which URLs and pages may belong to the crawl at all."""

    allow: tuple[Pattern, ...] = Field(
        (), description="regular expressions searched in the URL: only URLs that match one are fetched; [] = all"
    )
    deny: tuple[Pattern, ...] = Field(
        (), description="regular expressions searched in the URL: URLs that match one are never fetched"
    )
    allowed_hosts: tuple[HostName, ...] = Field(
        (), description="stay on these hosts and their subdomains; [] = the whole Web"
    )
    denied_hosts: tuple[HostName, ...] = Field((), description="never visit these hosts and their subdomains")
    allow_private: bool = Field(
        False, description="fetch from this machine, private networks and other addresses that are not public as well"
    )
    ports: tuple[Ports, ...] = Field(
        ("80", "443", "8000-8999"),
        description="ports to ask, beside those that seeds name, and spans of them; [] = all",
    )
    max_url_length: int = Field(
        256, ge=32, le=MAX_LENGTH, description="follow no link whose URL has more characters than this"
    )
    max_path_depth: Count = Field(16, description="follow no link whose path has more parts than this; 0 = no limit")
    max_repeats: Count = Field(
        2, description="follow no link whose path has one part more often than this; 0 = no limit"
    )
    max_parameters: Count = Field(8, description="follow no link whose URL has more parameters than this; 0 = no limit")
    max_depth: Count = Field(0, description="follow at most this many links away from a seed; 0 = no limit")
    pages_per_host: Count = Field(0, description="fetch at most this many pages of one host; 0 = no limit")
    host_harvest_floor: Fraction = Field(
        0.0,
        description="leave a host when less than this share of its pages is harvest, once ten were fetched; 0 = never",
    )
    content_types: tuple[MediaType, ...] = Field(
        ("text/html", "application/xhtml+xml", "text/plain"), description="media types to read; [] = all"
    )
    languages: tuple[LanguageCode, ...] = Field(
        (), description="ISO 639-1 codes: pages known to be in another are off topic and give no links; [] = all"
    )
    nofollow: Nofollow = Field(
        "page",
        description="nofollow to respect: of whole pages, by robots directives (page), of single links too (links; "
        "Wikipedia marks all links to other hosts so), or neither (ignore)",
    )

    signals: tuple[Signal, ...] = Field(
        (),
        description="uses that the robots.txt of a page must grant, as in `Content-Signal: ai-train=yes`, or it is not fetched: "
        "search, ai-input, ai-train",
    )
    refusals: tuple[Signal, ...] = Field(
        (),
        description="uses that it must not refuse, as in `Content-Signal: ai-train=no`; a file that is silent will do",
    )

    @property
    def is_public_web(self) -> bool:
        """Pages of any public host may be fetched, and of no other."""
        return not (self.allow or self.allowed_hosts or self.allow_private)


class Traps(Table):
    """The table [traps]: what keeps the crawl from pages without end that bring nothing new (see docs/how-to/avoid-traps.md)."""

    on: bool = Field(True, description="false: every page counts but exact copies, and every link is followed")
    near_copies: Fraction = Field(
        0.8, description="a page as similar as this to an earlier one is a copy of it and no harvest; 0 = off"
    )
    least_new: Fraction = Field(
        0.1, description="a page brings something new if this share of its phrases stood on no page before; 0 = off"
    )
    stuffing: bool = Field(True, description="pages that are stuffed with words count as pages without new content")
    soft_404: bool = Field(
        True, description="ask each host for a page that cannot be, to know how it says that a page is not there"
    )
    patience: int = Field(
        3, ge=0, le=10_000, description="leave a new host after this many pages without new content; 0 = never"
    )
    turns: bool = Field(True, description="a domain that has used up its pages lets others go first")
    detour: int = Field(
        2, ge=0, le=100, description="follow no links that only this many such pages in a row lead to; 0 = follow all"
    )


class Recrawl(Table):
    """The table [recrawl]: which fetched pages are asked for once more (see docs/how-to/keep-it-fresh.md)."""

    age: Days = Field(
        0.0, description='ask again for pages that were last asked for this long ago: "7d", "12h", or days; 0 = never'
    )
    pages: Count = Field(0, description="ask again for at most this many pages in a run, the best first; 0 = all")
    order: Literal["changing", "fresh"] = Field(
        "changing",
        description="first those that have most likely changed (changing), or those whose new version will last (fresh)",
    )


WORDS = "cosine"
BY_WORDS = (WORDS, "centroid")  #: what a topic says judges its pages; all other names are those of trained models
EVEN = 0.5  #: the usual threshold of a trained model, which gives a probability: rather on topic than not


def _judge(name: str) -> str:
    if not TOPIC_NAME.fullmatch(name):
        raise ValueError(f"{shown(name)} is none of {', '.join(BY_WORDS)}, nor a name for a trained model")
    return name


class Relevance(Table):
    """The table [relevance]: which fetched pages count as on topic."""

    model: Annotated[str, AfterValidator(_judge)] = Field(
        WORDS,
        description="page against keywords (cosine), or against keywords, description and examples (centroid), or the name of a "
        "model of scrapy train: classifier, logistic, layers (default: that of [strategy], if it names one)",
    )
    threshold: Fraction = Field(
        0.1, description=f"a page with at least this relevance is on topic; {EVEN} where a trained model judges"
    )
    also: tuple[PageKind, ...] = Field(
        (),
        description="kinds of thin pages that are harvest all the same: index, listing, stub",
    )

    @property
    def is_trained(self) -> bool:
        """Whether a trained model judges pages."""
        return self.model not in BY_WORDS

    def counts(self, kind: str) -> bool:
        """Whether a page of a kind may count as relevant: it says something itself (the empty kind), or its kind is named."""
        return not kind or kind in self.also


class FrontierOptions(Table):
    """The table [frontier]: the URLs that wait."""

    cap: Count = Field(1_000_000, description="at most this many URLs wait; the worst give way; 0 = no limit")
    distinct_hosts: Count = Field(
        0, description="take this many URLs in a row from different hosts where possible; 0 = best first"
    )


class StorageOptions(Table):
    """The table [storage]: how fetched pages are kept."""

    pages: Literal["warc", "files"] = Field(
        "warc", description="keep pages in WARC archives (warc), or each in its own file (files)"
    )


class Rendering(Table):
    """The table [rendering]: pages whose text or links only a browser brings (see docs/how-to/render-pages.md)."""

    mode: Literal["never", "auto", "always"] = Field(
        "never", description="run pages in a browser: never, where the plain page is an empty shell (auto), or always"
    )
    seconds: float = Field(15.0, ge=1.0, le=600.0, description="seconds for a page, without the wait for its turn")
    pages: int = Field(2, ge=1, le=100, description="pages open at the same time")
    max_bytes: int = Field(
        5_000_000,
        ge=1_000,
        le=1_000_000_000,
        description="most characters of rendered markup, and most bytes of a script",
    )
    memory: int = Field(1_000, ge=100, le=1_000_000, description="megabytes of memory for the browser (Linux)")
    requests: Count = Field(30, description="most requests that the scripts of a page may make")
    scrolls: int = Field(0, ge=0, le=100, description="scroll a rendered page to its end so many times, while it grows")
    click: str = Field("", description="CSS selector of what to click on rendered pages, such as button.more")
    clicks: int = Field(5, ge=1, le=100, description="click it at most so many times, while it is there")
    other_hosts: tuple[HostName, ...] = Field(
        (), description="hosts beside the page's own site (a CDN) whose scripts may run, subdomains included"
    )


class BacklinkOptions(Table):
    """The table [backlinks]: who is asked which pages link to a URL (see docs/how-to/find-better-seeds.md)."""

    provider: Literal["none", "crawls", "web", "api"] = Field(
        "none",
        description="whom to ask: none, earlier crawls (crawls), the recorded web of a simulation (web), or an API (api)",
    )
    crawls: tuple[str, ...] = Field(
        (), description="crawls: names of collections in FOCUSED_DATA_DIR, or paths of their folders"
    )
    url: str = Field("", description="api: its URL; {url} in it becomes the URL to ask about")
    path: str = Field(
        "", description="api: where its JSON answer holds the backlinks (JMESPath), such as results[*].source"
    )
    limit: Count = Field(10, description="take at most this many backlinks of a URL; 0 = all")
    delay: float = Field(1.0, ge=0.0, le=3600.0, description="api: seconds between two questions")

    @model_validator(mode="after")
    def _must_be_complete(self) -> Self:
        if self.provider == "crawls" and not self.crawls:
            raise ValueError('provider = "crawls" needs crawls = ["NAME", ...]')
        if self.provider == "api":
            if "{url}" not in self.url:
                raise ValueError('provider = "api" needs a url with {url} in it')
            http_url(self.url.replace("{url}", "x"))
            _json_path(self.path)
        return self


class QuestionOptions(Table):
    """The table [questions]: what a crawl that fails asks search providers (see docs/how-to/find-better-seeds.md)."""

    most: int = Field(3, ge=0, le=10_000, description="ask at most this many questions, all runs together; 0 = none")
    providers: tuple[str, ...] = Field(
        (), description="whom to ask, as in --provider of scrapy topics NAME new; [] = those of FOCUSED_SEARCH"
    )
    at_start: bool = Field(False, description="ask the first question when the crawl begins, whether it fails or not")
    harvest_floor: Fraction = Field(
        0.1,
        description="ask when the share of harvest among the last `harvest_window` is below; "
        "0 = only when nothing is left to fetch",
    )
    harvest_window: int = Field(
        25, ge=1, le=LONGEST_WINDOW, description="number of latest pages that `harvest_floor` looks at"
    )
    results: int = Field(20, ge=1, le=200, description="take at most this many results from an answer")
    per_site: int = Field(
        3, ge=1, le=200, description="take at most this many results of one registered domain from it"
    )


class Sources(Table):
    """The table [sources]: links that no page has (see docs/how-to/find-better-seeds.md)."""

    sitemaps: bool = Field(False, description="ask hosts that have proved worth it for their sitemaps")
    feeds: bool = Field(False, description="ask for the feeds that pages of such hosts name")
    after: int = Field(
        3, ge=1, le=10_000, description="a host has proved worth it once this many of its pages are harvest"
    )
    share: Fraction = Field(0.2, description="and as long as this share of its pages is")
    lists: int = Field(10, ge=1, le=10_000, description="ask for at most this many sitemaps and feeds of a host")


class Example(Table):
    """A page known to be on topic: the bytes of a file, or a URL (body is None) that is still to be fetched."""

    source: str = Field(description="file name or URL, as the topic says it")
    body: bytes | None = Field(None, repr=False, description="content of the file")

    def as_dict(self) -> dict[str, str | None]:
        digest = None if self.body is None else hashlib.sha256(self.body).hexdigest()
        return {"source": self.source, "sha256": digest}


class Topic(Table):
    """All that a crawl must know, complete and valid. `load_topic` and `topic_from_arguments` build it."""

    name: str = Field(
        description="also the name of its collection; a safe file name", pattern=f"^{TOPIC_NAME.pattern}$"
    )
    keywords: Keywords = Field(min_length=1, description="words or phrases; together the query, a bag of words")
    own_keywords: dict[str, Keywords] = Field(
        default_factory=dict,
        description="the same by ISO 639-1 code, where each language has its own; empty: all have all",
    )
    description: str = Field("", description="prose")
    seeds: Urls = Field(min_length=1, description="absolute http(s) URLs, each once, in the order given")
    hubs: Urls = Field((), description="those of the seeds that link to others and are none of the pages looked for")
    examples: tuple[Example, ...] = Field((), description="pages known to be on topic")
    strategy: str = Field(DEFAULT_STRATEGY, description="name of the crawling strategy")
    strategy_options: dict[str, Any] = Field(
        default_factory=dict, description="for `Options` of that strategy, complete"
    )
    budget: Budget = Field(default_factory=Budget)
    scope: Scope = Field(default_factory=Scope)
    traps: Traps = Field(default_factory=Traps)
    recrawl: Recrawl = Field(default_factory=Recrawl)
    relevance: Relevance = Field(default_factory=Relevance)
    frontier: FrontierOptions = Field(default_factory=FrontierOptions)
    storage: StorageOptions = Field(default_factory=StorageOptions)
    reading: ReadingOptions = Field(default_factory=ReadingOptions)
    rendering: Rendering = Field(default_factory=Rendering)
    backlinks: BacklinkOptions = Field(default_factory=BacklinkOptions)
    questions: QuestionOptions = Field(default_factory=QuestionOptions)
    sources: Sources = Field(default_factory=Sources)
    settings: dict[str, Any] = Field(default_factory=dict, description="Scrapy settings of this topic")
    source: str = Field("", description="the file it comes from, as shown to a person; empty: arguments alone")

    @property
    def keywords_by_language(self) -> dict[str, tuple[str, ...]]:
        """The keywords of each language of the topic, by ISO 639-1 code."""
        return {code: self.own_keywords.get(code, self.keywords) for code in self.reading.languages}

    def is_on_topic(self, page: Page, relevance: float) -> bool:
        """Whether a page of this relevance has enough of it, in a language of the scope or in one that is unknown."""
        languages = self.scope.languages
        spoken = not languages or not page.language or page.language in languages
        return spoken and relevance >= self.relevance.threshold

    def is_harvest(self, page: Page, relevance: float) -> bool:
        """Whether it counts as relevant as well: it says something itself, or its kind is named in ``relevance.also``."""
        return self.is_on_topic(page, relevance) and self.relevance.counts(page.kind)

    def as_dict(self) -> dict[str, dict[str, Any]]:
        """The topic as plain JSON values, table by table as in its file, defaults included.

        Equal for two runs exactly when they are about the same: where the file lies does not count, the content of
        example files does (by its digest).
        """
        about = {
            "name": self.name,
            "keywords": self.own_keywords or self.keywords,
            "description": self.description,
            "seeds": self.seeds,
            "hubs": self.hubs,
            "examples": [example.as_dict() for example in self.examples],
        }
        tables: dict[str, Any] = {"topic": about, "strategy": {"name": self.strategy, **self.strategy_options}}
        tables |= {table: getattr(self, table) for table in OPTION_TABLES}
        plain: dict[str, dict[str, Any]] = to_jsonable_python(
            tables | {"settings": self.settings}, inf_nan_mode="strings"
        )
        return plain


#: The tables that hold options only, by name, in the order in which a topic file lists them.
OPTION_TABLES: dict[str, type[BaseModel]] = {
    name: field.annotation
    for name, field in Topic.model_fields.items()
    if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)
}
#: All tables whose keys do not depend on the strategy.
TABLE_MODELS: dict[str, type[BaseModel]] = {"topic": About, **OPTION_TABLES}
