"""What a response is: its bytes say first, then its header, as browsers decide it (WHATWG MIME Sniffing)."""

from __future__ import annotations

import re
from codecs import BOM_UTF8

from focused.page.decoding import decode

HTML, XHTML = "text/html", "application/xhtml+xml"
HTML_TYPES = frozenset((HTML, XHTML))
PLAIN, CALENDAR, PDF = "text/plain", "text/calendar", "application/pdf"
UNKNOWN = "application/octet-stream"  #: bytes that no text has
GZIP = b"\x1f\x8b"
ATOM, RSS, RDF = "application/atom+xml", "application/rss+xml", "application/rdf+xml"
#: Media types under which lists of links come; what of it is no list is out of scope as before.
XML_TYPES = frozenset(("application/xml", "text/xml", RSS, ATOM, RDF))
GZIP_TYPES = frozenset(("application/gzip", "application/x-gzip"))
LIST_TYPES = XML_TYPES | GZIP_TYPES
#: Headers that say nothing (WHATWG MIME Sniffing, section 7), or no more than that there are bytes.
_SAY_NOTHING = frozenset(
    (
        *("", "unknown/unknown", "application/unknown", "*/*", UNKNOWN, "binary/octet-stream"),
        *("application/download", "application/force-download", "application/x-download"),
    )
)
_SNIFFED = 1_445  # bytes, as there
_PROLOGUE = 4_096  #: bytes in which the first element of an XML document is looked for
_LOOKS_LIKE_HTML = re.compile(
    r"<(?:!doctype\s+html|(?:html|head|title|meta|body|frameset|h[1-6]|p|br|hr|div|center|font|table|ul|a|b|img)[\s/>])",
    re.IGNORECASE,
)
_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+*-]{1,127}/[a-z0-9!#$&^_.+*-]{1,127}")  # RFC 6838, section 4.2
_CALENDAR = re.compile(rb"(?:\xef\xbb\xbf)?BEGIN:VCALENDAR\r?\n", re.IGNORECASE)  # RFC 5545, section 3.4
_BINARY = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
#: How files begin that are no text (WHATWG MIME Sniffing, section 6, and some more that servers send).
_SIGNATURES: tuple[tuple[re.Pattern[bytes], str], ...] = tuple(
    (re.compile(pattern, re.DOTALL), kind)
    for pattern, kind in (
        (rb"%PDF-", PDF),
        (rb"\x1f\x8b\x08", "application/gzip"),
        (rb"\x89PNG\r\n\x1a\n", "image/png"),
        (rb"\xff\xd8\xff", "image/jpeg"),
        (rb"GIF8[79]a", "image/gif"),
        (rb"RIFF....WEBPVP", "image/webp"),
        (rb"RIFF....(?:AVI |WAVE)", "audio/wave"),
        (rb"(?:BM....\0\0\0\0|\0\0[\x01\x02]\0)", "image/bmp"),
        (rb"II\*\0|MM\0\*", "image/tiff"),
        (rb"PK\x03\x04|PK\x05\x06\0\0", "application/zip"),
        (rb"Rar!\x1a\x07", "application/x-rar-compressed"),
        (rb"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
        (rb"BZh[1-9]1AY&SY", "application/x-bzip2"),
        (rb"\xfd7zXZ\0", "application/x-xz"),
        (rb"\x28\xb5\x2f\xfd", "application/zstd"),
        (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
        (rb"....ftyp", "video/mp4"),
        (rb"\x1aE\xdf\xa3", "video/webm"),
        (rb"OggS\0", "application/ogg"),
        (rb"ID3[\x02-\x04]\0|\xff[\xfb\xf3\xf2][\x10-\xfe]", "audio/mpeg"),
        (rb"fLaC\0", "audio/flac"),
        (rb"wOF[F2]|\0\x01\0\0\0[\x01-\xff]\0|OTTO\0", "font/woff"),
        (rb"\x7fELF|MZ.{58,62}\0\0\0", "application/x-executable"),
        (rb"%!PS-Adobe-", "application/postscript"),
        (rb"\{\\rtf", "application/rtf"),
        (rb"SQLite format 3\0", "application/vnd.sqlite3"),
    )
)
_FIRST_BYTES = frozenset(b"%\x1f\x89\xff\x47\x52\x42\x00IMP7\xfd\x28\xd0\x1aOfw\x7f{S")
_SKIPPED = re.compile(rb"\s+|<\?[^>]*\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>", re.DOTALL | re.IGNORECASE)
_ELEMENT = re.compile(rb"<(?:[\w.-]+:)?([A-Za-z][\w.-]*)([^>]*)")
#: By its first element, in lower case: what an XML document is.
_ROOTS = {b"urlset": "application/xml", b"sitemapindex": "application/xml", b"rss": RSS, b"feed": ATOM, b"rdf": RDF}
_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be", b"<\0": "utf-16-le", b"\0<": "utf-16-be"}


def declared_type(content_type: str) -> str:
    """Media type that a header declares, in lower case; empty when it says nothing of use, or something that is no type."""
    declared = content_type.partition(";")[0].partition(",")[0].strip().lower()
    return declared if _MEDIA_TYPE.fullmatch(declared) and declared not in _SAY_NOTHING else ""


def media_type(content_type: str, body: bytes) -> str:
    """Media type of a response, in lower case.

    What the header calls a text is looked at: it may be a picture, an archive, a PDF document, a calendar, a sitemap or a feed. XML
    whose first element is that of XHTML is a page. Without a header of use, the body decides.
    """
    declared = declared_type(content_type)
    if declared and not (declared.startswith("text/") or declared in HTML_TYPES or declared.endswith("xml")):
        return declared
    if signed := signature(body):
        return signed
    if _CALENDAR.match(body):
        return CALENDAR
    if declared in ("", HTML, PLAIN) or declared.endswith("xml"):
        root, attributes = first_element(body)
        if root in _ROOTS and (declared not in HTML_TYPES or root != b"feed" or b"xmlns" in attributes):
            return declared if declared in XML_TYPES else _ROOTS[root]
        if root == b"html" and declared in XML_TYPES:
            return XHTML
    if declared == PLAIN:
        return UNKNOWN if _BINARY.search(decode(body[:_SNIFFED])) else PLAIN
    return declared or _sniff(body)


def signature(body: bytes) -> str:
    """The media type that the first bytes of a file give away; empty for text."""
    if not body or (body[0] not in _FIRST_BYTES and body[4:8] != b"ftyp"):
        return ""
    return next((kind for pattern, kind in _SIGNATURES if pattern.match(body)), "")


def first_element(body: bytes) -> tuple[bytes, bytes]:
    """The name of the first element, in lower case and without its prefix, and what follows it in its tag; empty without one."""
    start = body[:_PROLOGUE]
    if wide := _WIDE.get(start[:2]):
        start = start.decode(wide, "ignore").encode()
    start = start.removeprefix(BOM_UTF8)
    if not start.lstrip().startswith(b"<"):
        return b"", b""
    position = 0
    while skipped := _SKIPPED.match(start, position):
        position = skipped.end()
    found = _ELEMENT.match(start, position)
    return (found[1].lower(), found[2]) if found else (b"", b"")


def _sniff(body: bytes) -> str:
    start = decode(body[:_SNIFFED])
    if _BINARY.search(start):
        return UNKNOWN
    return HTML if _LOOKS_LIKE_HTML.search(start) else PLAIN
