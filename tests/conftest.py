"""No test asserts wall time: a busy machine would fail it. Hypothesis tries few examples here and many in `make test-slow`."""

from hypothesis import settings

settings.register_profile("focused", deadline=None, max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=300)
settings.load_profile("focused")
