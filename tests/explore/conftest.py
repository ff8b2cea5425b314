"""What the tests of explorations share."""

from languages.python.conftest import modules as modules
