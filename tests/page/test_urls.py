"""Canonical URLs, their keys and their hosts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from w3lib.url import canonicalize_url, safe_url_string

from focused.page import urls
from focused.page.urls import MAX_LENGTH, UrlRules, at_canonical_host, host_of, without_secrets

BASE = "http://example.com/a/b.html?q=1"
RULES = UrlRules()

hosts = st.sampled_from(
    [
        *("h", "a.b.c", "EXAMPLE.com:80", "x.de:8080", "u:p@h", "[::1]:81", "straße.de", "a_b.c", "xn--a.b"),
        *("1.2.3", "a" * 70),
    ]
)
tails = st.text(st.sampled_from("ab.A1-_~/%2e2F?&=;|[]'+#@:é \t\\*!$(),^`{}\"<>"), max_size=16)
absolute_urls = st.builds("{}{}/{}".format, st.sampled_from(["http://", "https://", "HTTP:/"]), hosts, tails)


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("c.html", "http://example.com/a/c.html"),
        ("../c", "http://example.com/c"),
        ("?x", "http://example.com/a/b.html?x"),
        ("", BASE),
        ("#top", BASE),
        ("//other.org", "http://other.org/"),
        ("HTTPS://Other.ORG:443/x", "https://other.org/x"),
        ("http://other.org:8080/x#y", "http://other.org:8080/x"),
        ("http://me:secret@other.org/x@y", "http://other.org/x@y"),
        ("http://straße.de/ä b?ü", "http://xn--strae-oqa.de/%C3%A4%20b?%C3%BC"),
        ("http://Other.org./x", "http://other.org/x"),
        ("http://me:secret@other.org.:81/", "http://other.org:81/"),
        ("http://a_b.c/", "http://a_b.c/"),
        ("http://o%74her.org/", "http://other.org/"),
        ("http://zero\u200bwidth.de/", "http://zerowidth.de/"),
        ("http://XN--Strae-OQA.de/", "http://xn--strae-oqa.de/"),
        ("http://xn--ls8h.la/", "http://xn--ls8h.la/"),
        ("http://[0:0:0:0:0:0:0:1]:80/", "http://[::1]/"),
        ("http://[2001:DB8:0:0:1:0:0:1]/", "http://[2001:db8::1:0:0:1]/"),
        ("http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://0177.0.0.01./", "http://127.0.0.1/"),
        (" \n c\t.h\ntml ", "http://example.com/a/c.html"),
        ("\\c", "http://example.com/c"),
        ("/x?", "http://example.com/x"),
        ("/x?b=2&a=1", "http://example.com/x?b=2&a=1"),
    ],
)
def test_a_link_leads_where_a_browser_goes(href: str, url: str) -> None:
    assert RULES.canonical(href, BASE) == url


@pytest.mark.parametrize(
    "href",
    [
        "mailto:a@b.c",
        "javascript:void(0)",
        "data:text/html,x",
        "ftp://h/x",
        "http://",
        "http://a b/",
        "http://h:99999/",
        "http://h/\ud800",
        "http://h/" + "x" * MAX_LENGTH,
        "http://h/" + "ü" * (MAX_LENGTH // 2),
        "http://localhost../",
        "http://./",
        "http://a..b/",
        f"http://{'a' * 64}.de/",
        f"http://{'a.' * 127}de/",
        "http://h:0/",
        "http://h:65536/",
        "http://[::1]:0/",
        "http://99999999999/",
        "http://1.2.3.4.5/",
        "http://a.1/",
        "http://a%00.de/",
        "http://a%20b.de/",
        "http://*.b/",
        "http://a'b,c/",
        "http://a\u202e.de/",
        "http://[fe80::1%25eth0]/",
        "http://xn--/",
        "http://xn--a.b/",
        "http://xn--zzzzzz.de/",
        "http://xn--ab-p1t.de/",  # a, left-to-right mark, b
    ],
)
def test_what_cannot_be_fetched_is_no_url(href: str) -> None:
    assert RULES.canonical(href, BASE) is None


def test_a_relative_link_needs_a_base() -> None:
    assert RULES.canonical("/x") is None
    assert RULES.canonical("/x", "not a URL") is None
    assert RULES.canonical("http://h/x", None) == "http://h/x"


@pytest.mark.parametrize(
    ("query", "cleaned"),
    [
        ("?utm_source=x&id=3", "?id=3"),
        ("?id=3&UTM_Medium=x&utm_campaign", "?id=3"),
        ("?a=1&gclid=x&b=2", "?a=1&b=2"),
        ("?fbclid=x", ""),
        ("?my_utm_source=x&gclids=1", "?my_utm_source=x&gclids=1"),
        ("?q=utm_source", "?q=utm_source"),
        ("?&a", "?&a"),
    ],
)
def test_tracking_parameters_are_removed(query: str, cleaned: str) -> None:
    assert RULES.canonical(f"http://h/x{query}") == f"http://h/x{cleaned}"


def test_a_topic_chooses_the_parameters_to_remove() -> None:
    url = "http://h/?sid=1&utm_source=2&s=3"
    assert UrlRules(strip_parameters=("s?d",)).canonical(url) == "http://h/?utm_source=2&s=3"
    assert UrlRules(strip_parameters=()).canonical(url) == url


def test_index_pages_fold_into_their_folder_if_asked() -> None:
    folding = UrlRules(fold_index=True)
    for name in ("index.html", "index.htm", "INDEX.PHP", "default.aspx", "home.html", "index.html?utm_source=x"):
        assert folding.canonical(f"http://h/a/{name}") == "http://h/a/"
    for kept in ("http://h/a/index.php?id=3", "http://h/myindex.html", "http://h/index.html/x"):
        assert folding.canonical(kept) == kept
    assert RULES.canonical("http://h/index.html") == "http://h/index.html"


@given(st.text() | absolute_urls, st.booleans())
def test_a_canonical_url_stays_as_it_is(href: str, fold_index: bool) -> None:
    rules = UrlRules(fold_index=fold_index)
    url = rules.canonical(href, "http://h/a/b")
    if url is not None:
        assert rules.canonical(url) == url
        assert url.isascii()


def test_the_order_of_parameters_and_the_way_of_encoding_make_no_other_page() -> None:
    assert RULES.key("http://h/?b=2&a=1") == RULES.key("http://h/?a=1&b=2")
    assert RULES.key("http://h/%7ejo/%c3%bc") == RULES.key("http://h/~jo/%C3%BC")


@pytest.mark.parametrize("other", ["https://h/a", "http://h/a/", "http://h/A", "http://h:81/a", "http://h/a?b"])
def test_different_urls_have_different_keys(other: str) -> None:
    assert RULES.key("http://h/a") != RULES.key(other)


@given(absolute_urls)
def test_the_key_is_a_signed_64_bit_integer_and_that_of_the_url_as_scrapy_requests_it(href: str) -> None:
    url = RULES.canonical(href)
    if url is not None:
        if urls._PLAIN.fullmatch(url):  # the fast way to a key
            assert canonicalize_url(url) == url
        requested = RULES.canonical(safe_url_string(url))
        assert requested is not None
        assert -(2**63) <= RULES.key(requested) == RULES.key(url) < 2**63


@pytest.mark.parametrize(
    "url",
    [
        *("http://h:80/", "http://me:secret@h/", "http:/h/x", "http://straße.de/", "http://0177.0.0.1/", "http://h./"),
        *("http://xn--a.b/", "http://Wait,/"),
    ],
)
def test_w3lib_alone_would_take_one_page_for_two_or_ask_for_one_that_cannot_be(url: str) -> None:
    ours = RULES.canonical(url)
    assert canonicalize_url(url).startswith("http")
    assert ours is None or UrlRules.key(canonicalize_url(url)) != UrlRules.key(ours)


def test_keys_do_not_change_between_versions() -> None:
    assert RULES.key("http://example.com/") == -350646258024731386


@pytest.mark.parametrize(
    ("url", "host"),
    [("http://a.b/c:d", "a.b"), ("https://a.b:81/", "a.b"), ("http://[::1]:81/", "[::1]"), ("http://[::1]/", "[::1]")],
)
def test_the_host_of_a_url_has_no_port(url: str, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("http://a.de/x?utm_source=y#z", "http://a.de/x?utm_source=y#z"),
        ("http://me:secret@a.de/x?utm_source=y", "http://a.de/x?utm_source=y"),
        ("http://a.de./x", "http://a.de/x"),
        ("http://[0::1]/x", "http://[::1]/x"),
        ("http://\u2100.de/", None),  # would be a/c.de
        ("mailto:a@b.c", None),
    ],
)
def test_a_url_can_be_asked_for_at_its_host_as_it_is_otherwise(url: str, asked: str | None) -> None:
    assert at_canonical_host(url) == asked


def test_what_is_shown_of_a_url_holds_no_password() -> None:
    assert without_secrets("ftp://me:secret@h/a@b") == "ftp://h/a@b"
    assert without_secrets("http://me:p@ss@h") == "http://h"
    assert without_secrets("http://h/a@b") == "http://h/a@b"


def test_a_thousand_parameters_are_not_put_in_order() -> None:
    many = "&".join(f"p{n}=1" for n in range(300))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(urls, "canonicalize_url", lambda _: pytest.fail("sorted"))
        assert RULES.key(f"http://h/?{many}") != RULES.key(f"http://h/?b=1&{many}")


def test_of_many_parameters_the_way_of_encoding_makes_no_difference() -> None:
    assert RULES.key(f"http://h/?{'&' * 120}{{") == RULES.key(f"http://h/?{'&' * 120}%7B")


@pytest.mark.parametrize(
    "path", [";si;sid=1d=2", ".;sid=a/x", "(A(b))(A(c))/", "x;sid=1?sid=12345678", "?&&=", "?sid=12345678&&x=1"]
)
def test_a_url_without_its_session_identifiers_stays_as_it_is(path: str) -> None:
    url = RULES.canonical(f"http://h/{path}")
    assert url is not None
    assert RULES.canonical(url) == url


@pytest.mark.parametrize(
    ("href", "encoding", "sent"),
    [
        ("/search?q=насос", "cp1251", "/search?q=%ED%E0%F1%EE%F1"),
        ("/поиск?q=насос#да", "cp1251", "/%D0%BF%D0%BE%D0%B8%D1%81%D0%BA?q=%ED%E0%F1%EE%F1"),
        ("/s?q=装置A&b=%41", "shift_jis", "/s?q=%91%95%92uA&b=%41"),
        ("/s?q=日", "cp1252", "/s?q=%26%2326085%3B"),
        ("/s?q=ü", "utf-16-le", "/s?q=%C3%BC"),
        ("/s?q=ü", "utf-8", "/s?q=%C3%BC"),
        ("/ü", "cp1252", "/%C3%BC"),
    ],
)
def test_a_query_goes_out_in_the_encoding_of_its_page(href: str, encoding: str, sent: str) -> None:
    assert UrlRules().canonical(href, "http://h.net/", encoding) == f"http://h.net{sent}"


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://h.net/p?PHPSESSID=abcdef0123456789",
            "http://h.net/p?sid=abcdef0123456789#top",
            "http://h.net/p;jsessionid=ABC123",
        ),
        *("http://h.net/p?sessionid=abcdef0123456789&", "http://h.net/(S(abc123))/p"),
    ],
)
def test_a_session_identifier_goes_though_nothing_else_is_asked_for(url: str) -> None:
    assert UrlRules().canonical(url) == "http://h.net/p"


def pieces(*known: str) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(known), max_size=5)


PATH = pieces(
    "p", "/", "/..", "%2e", "%7e", "é", "index.html", ";jsessionid=AB12", ";sid=AB", "/(S(abc123))", "(", ";si", "d=x"
)
QUERY = pieces(
    "PHPSESSID=abcdef0123456789", "sid=ABCDEFGH.1", "sid=short", "a=1", "b", "=", "", "utm_source=x", "%41=%7e"
)


@given(PATH, QUERY, st.sampled_from(["?", "?&", "#"]), st.booleans())
def test_no_short_cut_skips_a_rule(path: list[str], query: list[str], between: str, fold_index: bool) -> None:
    rules = UrlRules(fold_index)
    url = rules.canonical(f"http://h.net:80/{''.join(path)}{between}{'&'.join(query)}")
    assert url is not None
    assert urls.without_session_ids(url) == url
    assert "utm_source" not in url
    assert rules.canonical(url) == url
    assert rules.key(url) == urls.number_of(urls._normal_form(url).encode())


def test_identifiers_that_hide_in_each_other_make_no_url() -> None:
    url = "http://h.net/p" + ";s" * 30 + ";sid=x" + "id=A=" * 30
    found = RULES.canonical(url)
    assert found is None or urls.without_session_ids(found) == found
