"""A key that a person presses on a terminal, without Enter; where there is no terminal, the first letter of a line."""

from __future__ import annotations

import sys
from typing import TextIO

END = ""  #: there is nothing more to read
INTERRUPT = "\x03"  #: Ctrl-C
#: Ctrl-D, and what is left of one that was typed ahead; nothing at all
ENDS = ("\x04", "\x00", "")


def key(stream: TextIO | None = None) -> str:
    """One character, a line without any being a space; `END` at the end. Raises KeyboardInterrupt for Ctrl-C."""
    stream = stream or sys.stdin
    pressed = _pressed(stream) if stream.isatty() else None
    if pressed is None:
        line = stream.readline()
        return (line.rstrip("\r\n")[:1] or " ") if line else END
    if pressed == INTERRUPT:
        raise KeyboardInterrupt
    return END if pressed in ENDS else pressed


def _pressed(stream: TextIO) -> str | None:
    """What is pressed on a terminal; None where the system has no way to tell without Enter (Windows)."""
    try:
        import termios
        import tty
    except ImportError:
        return None
    descriptor = stream.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setraw(descriptor, termios.TCSADRAIN)  # what was typed ahead counts
        return stream.read(1)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
