"""The command ``zeroin``, also ``python -m zeroin``."""

import sys


def main() -> int:
    """Run the command line; the exit status. It is for a process that ends then."""
    try:
        from .cli.interrupt import handled, ignore, stop

        with handled(stop):
            from .cli.main import main as run

            status = run()
            ignore()
    except KeyboardInterrupt as asked:  # before there was anything to stop, or when all was done
        print("zeroin: interrupted", file=sys.stderr)
        return int(getattr(asked, "status", 130))
    return status


if __name__ == "__main__":
    sys.exit(main())
