"""The command ``zeroin``, also ``python -m zeroin``."""

import sys


def main() -> int:
    """Run the command line and return the exit status. The process must end afterwards, since signals stay ignored."""
    try:
        from .cli.interrupt import handling_signals, ignore, stop

        with handling_signals(stop):
            from .cli.main import main as run

            status = run()
            ignore()
    except KeyboardInterrupt as asked:  # before any work had started, or after all of it
        print("zeroin: interrupted", file=sys.stderr)
        return int(getattr(asked, "status", 130))
    return status


if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the current folder: files there must not shadow what zeroin imports
    sys.exit(main())
