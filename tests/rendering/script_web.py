"""Hosts whose pages need a browser, each in its own way, beside ordinary ones; served by the loopback proxy of the live tests."""

import json

from focused.simulation.recorded_web import Answer
from tests.crawls.mock_web import HANG, page, redirect, robots

APP, OLD, NEVER, DIALOG, AWAY = (f"http://{name}.example" for name in ("app", "old", "never", "dialog", "away"))
FILES, HUGE, SPIN, ODD, GREEDY, PLAIN = (
    f"http://{name}.example" for name in ("files", "huge", "spin", "odd", "greedy", "plain")
)
TEXT = "solar energy from solar panels on the roof of every house in the town, and wind from the sea. " * 4


def html(body: str, head: str = "") -> Answer:
    markup = f"<!doctype html><html><head><title>App</title>{head}</head><body>{body}</body></html>"
    return Answer(200, (("Content-Type", "text/html; charset=utf-8"),), markup.encode())


def script(code: str) -> Answer:
    return Answer(200, (("Content-Type", "text/javascript"),), code.encode())


def data(value: object) -> Answer:
    return Answer(200, (("Content-Type", "application/json"),), json.dumps(value).encode())


def shell(code: str = "") -> Answer:
    """A page that holds nothing but an element for a script to fill."""
    noscript = "<noscript>You need to enable JavaScript to run this app.</noscript>"
    return html(f"{noscript}<div id=root></div><script>{code}</script>")


def writes(*links: str, text: str = TEXT) -> str:
    """A script that fills the shell."""
    markup = f"<h1>Solar</h1><p>{text}</p>" + "".join(f'<p><a href="{link}">solar {link}</a></p>' for link in links)
    return f"document.getElementById('root').innerHTML = {json.dumps(markup)};"


BUNDLE = f"""
const show = items => {{
    document.getElementById('root').innerHTML = `<h1>Solar</h1><p>{TEXT}</p>`
        + items.map(item => `<p><a href="${{item}}">solar ${{item}}</a></p>`).join('');
}};
fetch('/api' + location.pathname).then(answer => answer.json()).then(show);
fetch('/api/secret').catch(() => {{}});
fetch('/api/save', {{method: 'POST', body: '1'}}).catch(() => {{}});
fetch('http://tracker.example/t.json').catch(() => {{}});
navigator.sendBeacon('/beacon');
"""
APP_SHELL = html(
    "<div id=root>Loading...</div><script src=/bundle.js></script><script src=http://tracker.example/t.js></script>"
    "<img src=/logo.png><video src=/film.mp4></video><iframe src=/frame.html></iframe>",
    "<link rel=stylesheet href=/style.css><link rel=icon href=/favicon.ico>",
)
APP_PAGES = [f"{APP}/{number}" for number in range(5)]

ANSWERS = {
    # A site of one bundle that asks for the links of each page.
    f"{APP}/robots.txt": robots("Disallow: /api/secret"),
    f"{APP}/bundle.js": redirect("/bundle-2.js"),
    f"{APP}/bundle-2.js": script(BUNDLE),
    f"{APP}/": APP_SHELL,
    f"{APP}/api/": data(["/0", "/1"]),
    **dict.fromkeys(APP_PAGES, APP_SHELL),
    **{f"{APP}/api/{number}": data([f"/{number + 1}"] if number < 4 else []) for number in range(5)},
    "http://tracker.example/t.js": script("window.tracked = 1"),
    # Ordinary pages, one of them short and with a script, as a shell is.
    f"{OLD}/": page("solar energy", "one", "two"),
    f"{OLD}/one": html("<p>Solar</p><script>document.title = 'one'</script>"),
    f"{OLD}/two": html(f"<p>{TEXT} <a href=/three>three</a></p><script>var counter = 1</script>"),
    f"{OLD}/three": page("solar three"),
    # Never settles.
    f"{NEVER}/": shell(writes("done") + "setInterval(() => document.body.append('tick '), 20);"),
    f"{NEVER}/done": page("solar done"),
    # Opens dialogs and windows.
    f"{DIALOG}/": shell(
        "alert('hello'); confirm('sure?'); prompt('name?'); window.onbeforeunload = () => 'stay';"
        "window.open('/popup'); " + writes("after")
    ),
    f"{DIALOG}/after": page("solar after"),
    # Lead elsewhere by script.
    f"{AWAY}/robots.txt": robots("Disallow: /private"),
    f"{AWAY}/": shell("location.href = '/here'"),
    f"{AWAY}/here": page("solar here", f"{AWAY}/out", f"{AWAY}/barred", f"{AWAY}/reload"),
    f"{AWAY}/out": shell("location.replace('http://elsewhere.example/')"),
    f"{AWAY}/barred": shell("location.replace('/private/x')"),
    f"{AWAY}/private/x": page("solar private"),
    f"{AWAY}/reload": shell(writes("end") + "location.reload();"),
    f"{AWAY}/end": page("solar end"),
    "http://elsewhere.example/": page("solar elsewhere"),
    # Downloads a file, and opens connections of its own.
    f"{FILES}/": shell(writes("kept") + "location.href = '/data.zip'; new WebSocket('ws://files.example/socket');"),
    f"{FILES}/kept": page("solar kept"),
    f"{FILES}/data.zip": Answer(200, (("Content-Type", "application/zip"),), b"PK"),
    # Too large, endless, waiting for a script that never comes.
    f"{HUGE}/": shell(
        "for (let i = 0; i < 3000; i++) {const p = document.createElement('p'); p.textContent = 'solar energy '.repeat(20);"
        "document.body.append(p)}"
    ),
    f"{SPIN}/": shell("for (;;) {}"),
    f"{GREEDY}/": shell("const all = []; for (;;) all.push(new Uint8Array(2**22).fill(1))"),
    f"{ODD}/": html("<div id=root></div><script src=/hang.js></script><script src=/more.js></script>"),
    f"{ODD}/hang.js": HANG,
    f"{ODD}/more.js": script(writes()),
    f"{PLAIN}/": page("solar plain", "a"),
    f"{PLAIN}/a": page("solar a"),
}
