"""IQ-learning: LocalPulse that looks ahead: a link is also worth what the page behind it leads to."""

from focused.strategies.iq_learning.iq_learning import IqLearning

__all__ = ["IqLearning"]
