"""``python -m zeroin``."""

import sys

from .cli.main import main

sys.exit(main())
