"""What is allowed in a topic and yet is hardly meant: said before a crawl, which goes on all the same."""

from __future__ import annotations

from collections.abc import Iterator

from focused.page.text import TextAnalyser
from focused.topic.mistakes import shown
from focused.topic.topic import Topic


def doubts_about(topic: Topic) -> Iterator[str]:
    """Yield what a person should think over, one line each."""
    for code, keywords in topic.keywords_by_language.items():
        if TextAnalyser(code).terms(" ".join(keywords)):
            continue
        yield (
            f"[topic] keywords: {shown(keywords[0])} is a stop word or a single letter, which most pages have, or none; "
            "add a word that tells the topic"
        )
    if topic.relevance.threshold == 0:
        yield "[relevance] threshold is 0: every page counts as relevant, whatever it says; 0.1 is usual"
    if topic.relevance.threshold == 1:
        yield "[relevance] threshold is 1: hardly any page can reach it; 0.1 is usual"
