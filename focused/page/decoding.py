"""From the bytes of a response to its media type and its characters."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, to_unicode

HTML_TYPES = frozenset(("text/html", "application/xhtml+xml"))
_UNKNOWN_TYPES = frozenset(("", "unknown/unknown", "application/unknown", "*/*"))  # WHATWG MIME Sniffing, section 7
_SNIFFED = 1_445  # bytes, as there
_LOOKS_LIKE_HTML = re.compile(
    r"<(?:!doctype\s+html|(?:html|head|title|meta|body|frameset|h[1-6]|p|br|hr|div|center|font|table|ul|a|b|img)[\s/>])",
    re.IGNORECASE,
)
_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+*-]{1,127}/[a-z0-9!#$&^_.+*-]{1,127}")  # RFC 6838, section 4.2
_CALENDAR = re.compile(rb"(?:\xef\xbb\xbf)?BEGIN:VCALENDAR\r?\n", re.IGNORECASE)  # RFC 5545, section 3.4
_BINARY = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
#: What browsers decode (WHATWG Encoding Standard, section 4.2), by Python's names. Python's codecs are more, some of which are no
#: character sets (hex, zip), take quadratic time (punycode) or give markup that a browser does not see (utf-7).
ENCODINGS = frozenset(
    (
        *("utf-8", "utf-16", "utf-16-be", "utf-16-le", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic"),
        *("gbk", "gb18030", "big5", "big5hkscs", "euc_jp", "iso2022_jp", "shift_jis", "cp932", "euc_kr", "cp949"),
        *(f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
        *(f"cp{page}" for page in (866, 874, *range(1250, 1259))),
    )
)
#: Characters of a Content-Type that says an encoding; Python keeps every name that it was ever asked for.
LONGEST_HEADER = 500


def declared_type(content_type: str) -> str:
    """Media type that a header declares, in lower case; empty when it says nothing of use, or something that is no type."""
    declared = content_type.partition(";")[0].partition(",")[0].strip().lower()
    return declared if _MEDIA_TYPE.fullmatch(declared) and declared not in _UNKNOWN_TYPES else ""


def media_type(content_type: str, body: bytes) -> str:
    """Media type of a response, in lower case: what the header says, else what the body looks like.

    A calendar is one whatever the header says: many a server sends its events as plain text.
    """
    return "text/calendar" if _CALENDAR.match(body) else declared_type(content_type) or _sniff(body)


#: Names of the standard that Python lacks.
_MORE_NAMES = {
    "iso_8859_8_i": "iso8859-8",
    "logical": "iso8859-8",
    "visual": "iso8859-8",
    "unicode": "utf-16-le",
    "ucs_2": "utf-16-le",
    "iso_10646_ucs_2": "utf-16-le",
    "x_mac_cyrillic": "mac-cyrillic",
    "x_mac_ukrainian": "mac-cyrillic",
    "mac": "mac-roman",
    "x_mac_roman": "mac-roman",
    "cn_big5": "big5hkscs",
    "x_x_big5": "big5hkscs",
    "koi": "koi8-r",
    "koi8_ru": "koi8-u",
    "x_cp1250": "cp1250",
    "x_gbk": "gb18030",
    "x_euc_jp": "euc_jp",
    "windows_949": "cp949",
    "dos_874": "cp874",
    "unicode_1_1_utf_8": "utf-8",
}


def _known_by_another_name(name: str) -> codecs.CodecInfo | None:
    python_name = _MORE_NAMES.get(name.replace("-", "_"))
    return codecs.lookup(python_name) if python_name else None


codecs.register(_known_by_another_name)


def decode(body: bytes, content_type: str = "") -> str:
    """Characters of a text response; what cannot be decoded becomes U+FFFD.

    The encoding is that of the byte order mark, of the header, of the document's own declaration; else UTF-8 if the
    body is valid UTF-8 (a character may be cut at its end), else windows-1252. Only those count that browsers know.
    """
    encoding, mark = read_bom(body)
    if encoding in ENCODINGS and mark is not None:
        return to_unicode(body[len(mark) :], str(encoding))
    if declared := declared_encoding(body, content_type):
        return to_unicode(body, declared)
    return _guessed(body)[1]


def browsers_encoding(body: bytes, content_type: str = "") -> str:
    """Python's name of the encoding that `decode` takes for a response without byte order mark."""
    return declared_encoding(body, content_type) or _guessed(body)[0]


def declared_encoding(body: bytes, content_type: str = "") -> str | None:
    """Python's name of the first encoding of the Web that the header says, else the document; None without one."""
    return next((declared for declared in _declared(body, content_type) if declared in ENCODINGS), None)


def is_misdeclared(body: bytes, content_type: str = "") -> bool:
    """Whether a response says an encoding that browsers do not know."""
    return any(declared and declared not in ENCODINGS for declared in _declared(body, content_type))


def _declared(body: bytes, content_type: str) -> Iterator[str | None]:
    """Python's names of the encodings that the header says and, where that is none of the Web, the document."""
    by_header = http_content_type_encoding(content_type) if len(content_type) < LONGEST_HEADER else None
    yield by_header
    if by_header not in ENCODINGS:
        yield html_body_declared_encoding(body)


def _guessed(body: bytes) -> tuple[str, str]:
    """Encoding and characters of a body that does not say its encoding."""
    try:
        return "utf-8", codecs.getincrementaldecoder("utf-8")().decode(body)
    except UnicodeDecodeError:
        return "cp1252", to_unicode(body, "cp1252")


def _sniff(body: bytes) -> str:
    start = decode(body[:_SNIFFED])
    if start.startswith("%PDF-"):
        return "application/pdf"
    if _BINARY.search(start):
        return "application/octet-stream"
    return "text/html" if _LOOKS_LIKE_HTML.search(start) else "text/plain"
