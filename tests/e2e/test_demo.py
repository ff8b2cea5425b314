"""``make demo``: the first thing that a new user runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).parents[2] / "examples" / "demo.py"


def test_the_demo_covers_and_its_tests_pass() -> None:
    done = subprocess.run([sys.executable, str(DEMO)], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 failed" in done.stdout
    assert " passed in " in done.stdout
