"""No test asserts wall time: a busy machine would fail it."""

from hypothesis import settings

settings.register_profile("focused", deadline=None)
settings.load_profile("focused")
