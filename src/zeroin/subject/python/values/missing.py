"""What stands for a value that is not there: a key of a dict, an argument that is not given."""

from __future__ import annotations

MISSING = object()
