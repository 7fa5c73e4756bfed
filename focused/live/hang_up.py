"""SIGHUP, which a closing terminal sends, ends a crawl as SIGTERM does: in order, after the requests under way."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable


def end_at_hang_up(stop: Callable[[], object]) -> None:
    """Call ``stop`` in the reactor at the first SIGHUP and ignore all later ones: a shell and its terminal may both send one.

    Changes nothing if SIGHUP is ignored (nohup) or other code handles it.
    """
    number = getattr(signal, "SIGHUP", None)  # Windows has none
    if number is None or threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(number) is not signal.SIG_DFL:
        return

    from twisted.internet import reactor  # the one that runs: Scrapy has chosen it by now

    def hang_up(_number: int, _frame: object) -> None:
        signal.signal(number, signal.SIG_IGN)
        reactor.callFromThread(stop)

    signal.signal(number, hang_up)
