"""Adaptive: learns what the topic's pages say and which links led to them, explores, and waits for better hosts. The default."""

from focused.strategies.adaptive.adaptive import Adaptive

__all__ = ["Adaptive"]
