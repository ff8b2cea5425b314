"""What all tests share."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from programs import Programs

# Native code is compiled or loaded in the first example, so no deadline; the same examples in every run.
settings.register_profile("ci", deadline=None, derandomize=True, database=None, max_examples=30)
settings.register_profile("long", settings.get_profile("ci"), max_examples=200)
settings.load_profile("ci")


@pytest.fixture(scope="session", autouse=True)
def no_plugins() -> None:
    """For pytest in processes that tests start: to import ours takes longer than what it runs there."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """Loads functions from C text, each once a session."""
    return Programs(tmp_path_factory.mktemp("programs"))
