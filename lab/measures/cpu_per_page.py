"""CPU per page: what a strategy's decisions cost."""

from __future__ import annotations

from focused.exceptions import EvaluationError
from lab.judging.run import Run


def cpu_per_page(run: Run) -> float:
    """Milliseconds of CPU per page fetched. EvaluationError if they were not measured, or nothing was fetched.

    Only runs of one machine can be compared, and only if all found their pages analysed, or none did.
    """
    if run.cpu_seconds is None or not run.urls:
        lack = "no pages" if run.cpu_seconds is not None else "no CPU seconds"
        raise EvaluationError(f"{run}: there are {lack}, so there is no CPU per page")
    return 1000 * run.cpu_seconds / len(run.urls)
