"""LocalPulse: learns while it crawls which words of links lead to relevant pages, and what a relevant page looks like."""

from focused.papers.strategies.local_pulse.local_pulse import LocalPulse

__all__ = ["LocalPulse"]
