"""When a strategy rescores all waiting URLs, and when the new scores take effect: both are counted, never timed.

A rescoring may take seconds, so a live crawl runs it in a thread and fetches on meanwhile. The pick at which it takes effect is
fixed when it begins, so that a live crawl and a simulated one fetch in the same order.
"""

from __future__ import annotations

from collections.abc import Callable

from focused.crawl.strategy import Rescoring, Strategy, Waiting

Job = Callable[[], Rescoring]


class Rescorings:
    """The rescorings of one crawl, one at a time.

    Attributes
    ----------
    submit : begins a job and returns what waits for its result, by default the job itself; a driver with a thread sets its own
    begun_at : pages fetched when the last rescoring began; 0 before the first
    """

    def __init__(self, strategy: Strategy) -> None:
        self.submit: Callable[[Job], Job] = lambda job: job
        self.begun_at = 0
        self._strategy = strategy
        self._under_way: Job | None = None
        self._hastened = False
        self._due = 0  # pick after which the one under way takes effect

    @property
    def under_way(self) -> bool:
        """Whether a rescoring has begun and not yet taken effect; no snapshot of the crawl can be taken meanwhile."""
        return self._under_way is not None

    def hasten(self) -> None:
        """Begin the next rescoring at the end of this event, if the strategy rescores: from now on pages are judged differently."""
        self._hastened = self._strategy.rescore_every > 0

    def is_time(self) -> bool:
        """Whether the next rescoring is to begin."""
        return self._hastened or self._strategy.is_time_to_rescore(self._strategy.world.pages - self.begun_at)

    def has_more_to_say(self) -> bool:
        """Whether the strategy rescores, and pages have come since its last rescoring began."""
        return self._strategy.rescore_every > 0 and self._strategy.world.pages > self.begun_at

    def is_due(self) -> bool:
        """Whether a rescoring is under way, and enough picks were made for it to take effect."""
        return self.under_way and self._strategy.world.picks >= self._due

    def begin(self, waiting: Waiting) -> None:
        """Begin to rescore all waiting URLs; no rescoring may be under way."""
        world = self._strategy.world
        self.begun_at, self._hastened = world.pages, False
        job = self._strategy.rescore(waiting)
        if job is not None:
            self._under_way, self._due = self.submit(job), world.picks + self._strategy.rescore_lag

    def finish(self) -> Rescoring | None:
        """Wait for the rescoring under way and return its result; None without one."""
        if self._under_way is None:
            return None
        rescoring = self._under_way()
        self._under_way = None
        return rescoring
