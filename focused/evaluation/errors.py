"""What a person is told when crawls cannot be compared."""

from focused.errors import FocusedError


class EvaluationError(FocusedError):
    """Runs, judgements or figures that cannot be measured or compared; the message is one line."""
