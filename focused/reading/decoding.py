"""From the bytes of a response to its media type and its characters."""

from __future__ import annotations

import codecs
import re

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, to_unicode

HTML_TYPES = frozenset(("text/html", "application/xhtml+xml"))
_UNKNOWN_TYPES = frozenset(("", "unknown/unknown", "application/unknown", "*/*"))  # WHATWG MIME Sniffing, section 7
_SNIFFED = 1_445  # bytes, as there
_LOOKS_LIKE_HTML = re.compile(
    r"<(?:!doctype\s+html|(?:html|head|title|meta|body|frameset|h[1-6]|p|br|hr|div|center|font|table|ul|a|b|img)[\s/>])",
    re.IGNORECASE,
)
_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+*-]{1,127}/[a-z0-9!#$&^_.+*-]{1,127}")  # RFC 6838, section 4.2
_BINARY = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
# Python decodes these too, but they are no character sets of the Web, and some take quadratic time.
_NOT_ON_THE_WEB = frozenset(("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"))


def declared_type(content_type: str) -> str:
    """Media type that a header declares, in lower case; empty when it says nothing of use, or something that is no type."""
    declared = content_type.partition(";")[0].partition(",")[0].strip().lower()
    return declared if _MEDIA_TYPE.fullmatch(declared) and declared not in _UNKNOWN_TYPES else ""


def media_type(content_type: str, body: bytes) -> str:
    """Media type of a response, in lower case: what the header says, else what the body looks like."""
    return declared_type(content_type) or _sniff(body)


def decode(body: bytes, content_type: str = "") -> str:
    """Characters of a text response; what cannot be decoded becomes U+FFFD.

    The encoding is that of the byte order mark, of the header, of the document's own declaration; else UTF-8 if the
    body is valid UTF-8 (a character may be cut at its end), else windows-1252.
    """
    encoding, mark = read_bom(body)
    if encoding is not None and mark is not None:
        return to_unicode(body[len(mark) :], encoding)
    encoding = http_content_type_encoding(content_type) or html_body_declared_encoding(body)
    if encoding and encoding not in _NOT_ON_THE_WEB:
        try:
            return to_unicode(body, encoding)
        except (LookupError, ValueError):  # a codec that is no character set, such as "hex"
            pass
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(body)
    except UnicodeDecodeError:
        return to_unicode(body, "cp1252")


def _sniff(body: bytes) -> str:
    start = decode(body[:_SNIFFED])
    if start.startswith("%PDF-"):
        return "application/pdf"
    if _BINARY.search(start):
        return "application/octet-stream"
    return "text/html" if _LOOKS_LIKE_HTML.search(start) else "text/plain"
