"""How many examples Hypothesis tries where its profile's number is not right: more for what is cheap, fewer for what is
slow."""

from __future__ import annotations

from typing import Any

from hypothesis import settings


def examples(percent: int, **options: Any) -> settings:
    """So many per cent of the examples of the profile in use (``ci`` or ``long``, see ``conftest.py``), but at least 5;
    and other options of ``settings``."""
    profile = settings.get_profile(settings.get_current_profile_name())
    return settings(max_examples=max(5, profile.max_examples * percent // 100), **options)
