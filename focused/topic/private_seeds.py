"""Seeds that lie in a private network: a topic that means it says so, or is told before anything is fetched."""

from __future__ import annotations

from ada_url import URL

from focused.page.addresses import is_local
from focused.topic.mistakes import Mistakes, shown
from focused.topic.topic import Topic

IF_MEANT = "if you mean it, set allow_private = true in [scope] (-a scope.allow_private=true)"


def refuse_private_seeds(topic: Topic, mistakes: Mistakes) -> Topic:
    """Return the topic; raise TopicError where a seed names a private address that the scope does not allow."""
    if not topic.scope.allow_private:
        for seed in topic.seeds:
            if is_local(URL(seed).hostname):
                mistakes.add(
                    f"{shown(seed)} lies on this machine or in a private network; {IF_MEANT}", "topic", "seeds"
                )
    mistakes.stop_if_any()
    return topic
