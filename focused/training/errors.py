"""What a person is told when nothing can be learned."""

from focused.errors import FocusedError


class TrainingError(FocusedError):
    """Too few documents, an unknown class, a file of labels that cannot be read; the message is one line."""
