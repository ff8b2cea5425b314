"""The command ``zeroin``, also ``python -m zeroin``."""

import sys


def main() -> int:
    """Run the command line; the exit status."""
    try:
        from .cli.main import main as run
    except KeyboardInterrupt:  # before there was anything to stop
        print("zeroin: interrupted", file=sys.stderr)
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())
