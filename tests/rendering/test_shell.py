"""Which plain pages are empty shells: realistic ones are recognised, ordinary pages, short ones too, are left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.rendering.middleware import Outline, gained, is_shell, may_be_shell, outline

NOSCRIPT = "<noscript>You need to enable JavaScript to run this app.</noscript>"
SHELLS = {
    "create-react-app": f'<!doctype html><html lang=en><head><title>React App</title><script defer src="/static/js/main.3f.js">'
    f'</script><link href="/static/css/main.css" rel=stylesheet></head><body>{NOSCRIPT}<div id="root"></div></body></html>',
    "vite and vue": '<!doctype html><title>Shop</title><script type="module" crossorigin src="/assets/index-4f.js"></script>'
    '<div id="app"></div>',
    "angular": '<html><head><base href="/"><title>Portal</title></head><body><app-root>Loading...</app-root>'
    '<script src="runtime.js" type="module"></script><script src="main.js" type="module"></script></body></html>',
    "angularjs": '<html><body ng-app="shop"><div ng-view></div><script src="angular.js"></script></body></html>',
    "gatsby with a long message": f'<div id="___gatsby"><div id="gatsby-focus-wrapper"></div></div><script src=/app.js></script>'
    f"<noscript>This app works best with JavaScript enabled. {'Please contact us. ' * 60}</noscript>",
    "splash screen and legal links": '<div id="app"><div class=splash>Loading the portal, please wait</div></div>'
    '<a href="/imprint">Imprint</a><a href="/privacy">Privacy</a><a href="#top">Top</a><script src=/a.js></script>',
    "redirect by script": "<html><head><script>window.location.href = '/de/start';</script></head><body></body></html>",
    "state in the page": "<body><p>Loading</p><script>window.__STATE__ = {'items': ["
    + "1," * 500
    + "]}</script></body>",
    "upper case tags": '<HTML><BODY><DIV ID="root"></DIV><SCRIPT SRC="/x.js"></SCRIPT></BODY></HTML>',
}
PROSE = "Solar cells turn light into current, and heat pumps make warmth of it. " * 12
LINKS = "".join(f'<li><a href="/{n}">page {n}</a>' for n in range(12))
ORDINARY = {
    "article": f"<html><body><h1>Solar</h1><p>{PROSE}</p><script src=/counter.js></script></body></html>",
    "server-rendered app": f'{NOSCRIPT}<div id="__next"><main><p>{PROSE}</p></main></div><script src=/next.js></script>',
    "list of links": f'<div id="root"><ul>{LINKS}</ul></div><script src=/app.js></script>',
    "no script at all": '<html><body><div id="app"></div></body></html>',
    "short page with a counter": "<p>This page has moved to our new address, see there for opening hours.</p>"
    "<script src=/counter.js></script>",
    "login form": '<form><label>User name and password, please</label><input name=u></form><a href="/help">Help</a>'
    "<script>document.forms[0].u.focus()</script>",
    "structured data": "<p>Contact us by telephone or letter in the morning.</p>"
    '<script type="application/ld+json">{"@type": "Organization", "name": "' + "x" * 900 + '"}</script>',
    "empty": "",
    "frames": '<frameset cols="20%,80%"><frame src="nav.html"><frame src="main.html"></frameset>',
    "text about scripts": f"<pre>&lt;script&gt; {PROSE}</pre>",
    "message far from empty": f"{NOSCRIPT}<p>{PROSE}</p><script src=/x.js></script>",
}


@pytest.mark.parametrize("markup", SHELLS.values(), ids=SHELLS)
def test_a_shell_is_recognised(markup: str) -> None:
    assert is_shell(markup)


@pytest.mark.parametrize("markup", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_page_is_no_shell(markup: str) -> None:
    assert not is_shell(markup)


def test_a_page_of_many_links_is_spared_the_parse() -> None:
    assert not may_be_shell(ORDINARY["list of links"])
    assert may_be_shell(SHELLS["create-react-app"])


def test_an_outline_counts_what_can_be_seen_without_scripts() -> None:
    markup = (
        f"<title>Unseen</title>{NOSCRIPT}<style>p {{}}</style><p>Two <b>words</b></p><template>no</template>"
        '<a href="/a">one</a><a href="/a#x">one</a><a href="#x">top</a><a href="javascript:go()">go</a><script>1+1</script>'
    )
    assert outline(markup) == Outline(
        text=len("Two words one one top go"), links=1, scripts=1, code=3, has_empty_root=False, asks_for_javascript=True
    )


def test_rendering_gained_when_it_brought_much_text_or_some_links() -> None:
    plain = Outline(text=100, links=2)
    assert gained(plain, Outline(text=300, links=0))
    assert gained(plain, Outline(text=100, links=5))
    assert not gained(plain, Outline(text=299, links=4))


@given(st.text(alphabet="<>/abdiv scrpt=\"'!-#\x00é", max_size=300))
def test_no_markup_breaks_the_look_at_it(markup: str) -> None:
    assert outline(f"<script>{markup}").text >= 0
    assert is_shell(markup) in (True, False)


@pytest.mark.parametrize("tag", ["div", "app-root"])
def test_a_deep_nest_is_looked_at_all_the_same(tag: str) -> None:
    nest = f"<{tag}>" * 2_000 + "<i>deep</i>" * 20_000
    assert outline(nest).text == len("deep " * 20_000) - 1
