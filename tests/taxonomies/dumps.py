"""Tiny dumps in the forms that a taxonomy comes in, written for these tests."""

from pathlib import Path

RDF = """<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">
  <!-- a comment with <ExternalPage about="http://comment.example/"> in it -->
  <Topic r:id="Top/Business/Energy/Solar">
    <catid>7</catid>
    <link r:resource="http://sun.example/"></link>
    <link1 r:resource="http://bare.example/"/>
    <rss r:resource="http://feed.example/rss"/>
  </Topic>
  <ExternalPage about="http://sun.example/">
    <d:Title>Sun &amp; Co</d:Title>
    <d:Description>Makers of
      panels.</d:Description>
    <priority>1</priority>
    <topic>Top/Business/Energy/Solar</topic>
  </ExternalPage>
  <Topic r:id='Top/Sports'>
    <link r:resource="http://goal.example/?a=1&amp;b=2"/>
  </Topic>
  <ExternalPage about="http://goal.example/?a=1&amp;b=2">
    <d:Title>Goal</d:Title>
  </ExternalPage>
</RDF>
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def table(rows: dict[str, list[str]]) -> str:
    """A table of tabs: URLs of each category."""
    return "".join(f"{category}\t{url}\n" for category, urls in rows.items() for url in urls)
