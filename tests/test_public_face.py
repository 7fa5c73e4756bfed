"""What `focused` names: each is there, and importing the package alone imports none of them."""

import subprocess
import sys

import pytest

import focused


@pytest.mark.parametrize("name", focused.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(focused, name) is not None


def test_no_other_name_is_made_up() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Strategi'"):
        getattr(focused, "Strategi")  # noqa: B009


def test_the_package_alone_is_light() -> None:
    program = "import focused, sys; print(*(name for name in sys.modules if name.startswith('focused.')))"
    assert subprocess.check_output([sys.executable, "-c", program], text=True).split() == ["focused.addon"]
