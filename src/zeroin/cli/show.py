"""``zeroin show``: signature, sites and branches of the targets; nothing of them is run."""

from __future__ import annotations

import argparse

from ..report.text import render_signature
from ..subject.sandbox import Sandbox
from ..suite.cover import describe, targets_of
from .options import read_options, style


def run(parsed: argparse.Namespace) -> int:
    """Print what would be tested; the exit status."""
    options = read_options(parsed)
    parts = []
    with Sandbox() as sandbox:
        for text in parsed.targets:
            for target in targets_of(text, options, sandbox):
                signature, sites = describe(target, options, sandbox)
                parts.append(render_signature(signature, sites, str(target.path), style()))
    print("\n\n".join(parts))
    return 0
