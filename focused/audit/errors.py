"""What a person is told when an audit cannot be drawn or read."""

from focused.errors import FocusedError


class AuditError(FocusedError):
    """A sample that cannot be drawn, or judgements that cannot be read or counted; the message is one line."""
