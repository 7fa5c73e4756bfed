"""The scope of a topic as verdicts on single URLs."""

from __future__ import annotations

import pytest

from focused.crawl.scope import ALLOWED, ScopeRules
from focused.topic.topic import Scope


@pytest.mark.parametrize(
    ("url", "verdict"),
    [
        ("http://a.example/", ALLOWED),
        ("http://a.example/page", ALLOWED),
        ("http://a.example/page.html?file=x.zip", ALLOWED),
        ("http://a.example/v1.2/page", ALLOWED),
        ("http://a.example/photo.JPG", "file type"),
        ("http://a.example/data.tar.gz", "file type"),
        ("http://a.example/paper.pdf?download=1", "file type"),
    ],
)
def test_links_to_files_of_no_use_are_dropped_by_their_extension(url, verdict):
    assert ScopeRules(Scope()).verdict(url, "a.example") == verdict


@pytest.mark.parametrize("content_types", [("text/html", "application/pdf"), ()])
def test_an_extension_is_followed_where_its_content_type_is_in_scope(content_types):
    assert ScopeRules(Scope(content_types=content_types)).verdict("http://a.example/paper.pdf", "a.example") == ALLOWED


def test_a_url_may_have_so_many_characters() -> None:
    scope, url = Scope(max_url_length=128), "http://a.example/".ljust(128, "x")
    assert ScopeRules(scope).verdict(url, "a.example") == ALLOWED
    assert ScopeRules(scope).verdict(url + "x", "a.example") == "URL too long"
    assert ScopeRules(Scope()).verdict(url + "x", "a.example") == ALLOWED


@pytest.mark.parametrize("pattern", ["wärme", "w%C3%A4rme"])
def test_patterns_are_written_with_letters_or_as_urls_are_requested(pattern):
    warm, cold = "http://a.example/w%C3%A4rme", "http://a.example/k%C3%A4lte"
    assert ScopeRules(Scope(deny=(pattern,))).verdict(warm, "a.example") == "URL denied"
    assert ScopeRules(Scope(allow=(pattern,))).verdict(warm, "a.example") == ALLOWED
    assert ScopeRules(Scope(allow=(pattern,))).verdict(cold, "a.example") == "URL not allowed"


@pytest.mark.parametrize(
    ("host", "verdict"),
    [
        ("example.org", ALLOWED),
        ("www.example.org", ALLOWED),
        ("badexample.org", "host not in scope"),
        ("ads.example.org", "host denied"),
    ],
)
def test_hosts_include_their_subdomains(host, verdict):
    scope = Scope(allowed_hosts=("example.org",), denied_hosts=("ads.example.org",))
    assert ScopeRules(scope).verdict(f"http://{host}/", host) == verdict
