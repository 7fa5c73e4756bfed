"""What fuzzing begins with: input as somebody writes it, a line of everything that readers treat in their own way."""

from __future__ import annotations

_HTML = b"""<!DOCTYPE html><html lang="en-GB"><head><title>Solar &amp; wind</title><base href="/x/">
<meta charset="utf-8"><meta name=robots content="noindex, follow"><meta http-equiv=refresh content="0; url=y"></head>
<body><h1>Solar power</h1><p>Heat <a href="a.html?utm_source=x&b=2#top" rel="nofollow ugc">pumps <b>and</b> wind</a>
<ul><li><a href=//Other.Example./y>one</a><li><a href="http://me:secret@h/">two</a></ul><img alt="sun" src=s.png>
<table><tr><td><a href='?q=1'><img alt="image in a link"></a></table><iframe src=frame.html>no</iframe>
<map><area href=area alt="an area"></map><script>var a = "</p>";</script><style>p {}</style><!-- a comment -->
<template><a href=t>t</a></template><noscript><a href=n>n</a></noscript><svg><title>t</title></svg></body></html>"""

PAGES = (
    b"text/html; charset=utf-8\n" + _HTML,
    b"\n" + _HTML,
    b"text/html; charset=koi8-r\n<p>\xf3\xcf\xcc\xce\xc3\xc5 <a href=/x>\xd7\xc5\xd4\xc5\xd2</a>",
    b"text/html\n" + "<p>Füße ﬁnden ｆｕｌｌ ½ é é 太阳能 พลังงาน حرارة</p><a href='/ü?ä=ö'>Wärme</a>".encode(),
    b'application/xhtml+xml\n<?xml version="1.0" encoding="latin-1"?><html xmlns="http://www.w3.org/1999/xhtml"><p>\xfc</p></html>',
    b"text/html\n" + "<p>Grüße <a href=x>y</a>".encode("utf-16"),
    b"text/html\n<frameset><frame src=a><frame src=b><noframes><a href=c>c</a></noframes></frameset>",
    b"text/html\n" + b"<div><p><b><a href=x>" * 40 + b"deep" + b"</p></i></div>" * 60,
    b"text/plain\nSolar power\nand <b> wind 1.5 kW; f(x) = y_1",
    b"image/png\n\x89PNG\r\n",
)

URLS = (
    b"http://example.com/a/b.html?q=1&utm_source=x#top",
    b"../c/./d/?x=1&y=2&x=3\nhttp://example.com/a/b.html?q=1",
    b"//Other.ORG:443/x y\nhttps://h/",
    "http://user:p@ss@straße.de.:8080/ä b?ü=%C3%BC+%2B".encode(),
    b"http://[2001:DB8:0::1]:80/x;y=z,w",
    b"http://0x7f.1/\nhttp://1.2.3.4/",
    b"http://xn--strae-oqa.de/%7ejo/%c3%bc/index.html",
    b"?a&b=&&c==d;e\nhttp://h/x?y",
    b"http://h/a;jsessionid=1A2B!x/(S(abc))/.;sid=1/b?sid=0123456789&x=1&PHPSESSID=abcdefgh",
    b"mailto:a@b.c\nhttp://h/",
    b"\\\\h\\x\t\nhttp://h/a\\b",
)

ROBOTS = (
    b"User-agent: *\nDisallow: /private\nAllow: /private/open$\nCrawl-delay: 1.5\n\nUser-agent: focused\nDisallow: /*.pdf$\n"
    b"Crawl-delay: 2\nRequest-rate: 1/10s 0900-1700\nVisit-time: 0600-0845\nSitemap: http://h/sitemap.xml\n",
    b"\xef\xbb\xbfuser-agent:*\r\ndisallow:\r\n# comment\r\n",
    b"<html><body>not found</body></html>",
)

TOPICS = (
    b'[topic]\nkeywords = ["solar cells", "wind"]\ndescription = """power"""\nseeds = ["https://sun.example/", "http://h/"]\n'
    b'[strategy]\nname = "adaptive"\n[budget]\npages = 100\nhours = 1.5\n[scope]\nallowed_hosts = ["example.com"]\n'
    b'deny = ["/login"]\ncontent_types = ["text/html"]\n[reading]\nlanguage = "english"\nlevels_up = 2\nmax_bytes = 1000\n'
    b'[settings]\nDOWNLOAD_DELAY = 0.5\nUSER_AGENT = "me"\n',
    b'[topic]\nkeywords = "solar"\nseeds = ["https://sun.example/"]\nexamples = ["https://sun.example/x", "a.html"]\n'
    b'[relevance]\nmodel = "cosine"\nthreshold = 0.2\n[frontier]\n[storage]\n[rendering]\nmode = "never"\n[backlinks]\n',
)
