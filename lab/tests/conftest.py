"""The settings of the product's tests hold here too."""

from tests import conftest as conftest
