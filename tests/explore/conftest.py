"""What the tests of explorations share."""

from subject.python.conftest import modules as modules
