"""Links that are hardly URLs."""

from __future__ import annotations

from lab.chaos.replies import HTML, answer, page
from lab.chaos.scenarios.bodies import no_controls_in_the_log
from lab.chaos.scenarios.honest import honest_host
from lab.chaos.scenarios.redirects import TARGETS
from lab.chaos.scene import Scene, scenario
from lab.chaos.server import Behaviour, Web

BASE = "http://odd.example"
ODD = (
    *TARGETS,
    *(f"{BASE}/{'a/' * depth}" for depth in (10, 100, 1000)),
    *(
        f"{BASE}/{'../' * 500}x",
        f"{BASE}/./././x",
        f"{BASE}/a//b///c",
        f"{BASE}//",
        f"{BASE}/;a=b;c",
        f"{BASE}/%2e%2e/%2f",
    ),
    *(
        f"{BASE}/\u202egnp.exe",
        f"{BASE}/\u0000x",
        f"{BASE}/\t\r\nx",
        f"{BASE}/\ud800",
        f"{BASE}/\uffff",
        f"{BASE}/\U0001f31e",
    ),
    *(f"{BASE}/%c0%ae%c0%ae/", f"{BASE}/%ff%fe", f"{BASE}/%E0%A4%A", f"{BASE}/%25%32%35" + "%25" * 300),
    *(f"{BASE}/?{'a' * 1900}", f"{BASE}/?" + "&".join(f"a{n}={n}" for n in range(150)), f"{BASE}/?a=1&a=2&a=3&a"),
    *(f"{BASE}/?", f"{BASE}/??", f"{BASE}/?#", f"{BASE}/#!/route", f"{BASE}/?=&==&&", f"{BASE}/?url=http://127.0.0.1/"),
    *(f"{BASE}/?PHPSESSID={'0f' * 16}", f"{BASE}/;jsessionid={'0F' * 16}", f"{BASE}/?sid=1&utm_source=x"),
    *(
        "http://odd.example:80/",
        "http://odd.example:080/",
        "http://odd.example:/",
        "http://ODD.EXAMPLE/",
        "http://odd.example./",
    ),
    *(
        "http://o%64d.example/",
        "http://odd\u3002example/",
        "http://odd.example%2f@evil.example/",
        "http://odd.example%00.evil/",
    ),
    *(
        "http://\u24de\u24d3\u24d3.example/",
        "http://odd\u00ad.example/",
        "http://\u2488.example/",
        "http://odd.example\t/",
    ),
    *(
        "http://a_b.example/",
        "http://-odd.example/",
        "http://odd-.example/",
        "http://*.example/",
        "http://odd!.example/",
    ),
    *("http://[2606:4700::1111]/", "http://[2606:4700:0:0::1111]/", "http://[v1.x]/", "http://[::1/", "http://::1/"),
    *(
        "https:odd.example/",
        "http:/odd.example/",
        "http:\\\\odd.example\\x",
        "hTTp://odd.example/",
        " http://odd.example/ ",
    ),
    *(
        "javascript:void(0)",
        "JaVaScRiPt:alert(1)",
        "vbscript:x",
        "tel:112",
        "sms:1",
        "intent://x#Intent;end",
        "magnet:?xt=1",
    ),
    *(
        "cid:1",
        "mid:1",
        "urn:x",
        "news:x",
        "irc://x/",
        "ldap://x/",
        "telnet://x/",
        "ssh://x/",
        "git://x/",
        "jar:http://x!/",
    ),
    *(
        "wss://odd.example/",
        "filesystem:http://odd.example/",
        "res://x",
        "ms-settings:",
        "\u0001javascript:x",
        "x" * 3000,
    ),
    *(f"/{sign}" for sign in "<>\"'`{}|^~[]@!$&()*+,;=:"),
    *(
        "../" * 200 + "x",
        "?" * 1000,
        "#" * 1000,
        "//odd.example:99999/",
        "///odd.example",
        "/\\odd.example",
        ".",
        "..",
        "./.",
    ),
)


@scenario("links that are hardly URLs: odd schemes, hosts, ports, signs, lengths")
def odd_urls() -> Scene:
    web = Web()
    everything: Behaviour = page("odd")
    web.add("odd.example", everything)
    web.add("evil.example", everything)
    seed, good = honest_host(web, 20, ["http://odd.example/list", "http://odd.example/raw"])
    listed, raw = (
        page("list", *ODD),
        answer(200, b"".join(b'<a href="%s">x</a>' % odd.encode("utf-8", "replace") for odd in ODD), HTML),
    )
    odd = {"/list": listed, "/raw": raw, "/robots.txt": answer(404)}
    web.sites["odd.example"] = lambda path: odd.get(path, everything)
    return Scene(web, (seed,), len(ODD), good, delay=0.05, settings={"RETRY_TIMES": 0}, more=no_controls_in_the_log)
