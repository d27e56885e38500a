"""``python -m stepscope.capture.telemetry``, or this file or its folder, in any Python from 3.8 on."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

if not __package__:
    # Behind everything else: nothing in that folder may stand for a module of the standard library.
    _above = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 3)
    sys.path[:] = [place for place in sys.path if os.path.abspath(place) != os.path.dirname(os.path.abspath(__file__))]
    sys.path.append(os.path.normpath(_above))

from stepscope.capture.telemetry.sampling import DEFAULT_HZ, FASTEST_HZ, SLOWEST_HZ, Wanted, sample


def main(arguments: Sequence[str] | None = None) -> int:
    """Sample as the arguments say; returns the exit code."""
    parser = argparse.ArgumentParser(prog="stepscope telemetry")
    parser.add_argument("--hz", type=float, default=DEFAULT_HZ)
    parser.add_argument("--pid", type=int)
    parser.add_argument("--parent", type=int)
    parser.add_argument("--duration", type=float)
    parser.add_argument("--output", required=True)
    parser.add_argument("--announce", action="store_true", help="write a line once it samples")
    given = parser.parse_args(arguments)
    if not SLOWEST_HZ <= given.hz <= FASTEST_HZ:
        parser.error(f"--hz takes {SLOWEST_HZ} to {FASTEST_HZ}")
    try:
        file = os.open(given.output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        sample(
            Wanted(given.hz, given.pid, given.parent, given.duration), file, _announce if given.announce else _silent
        )
    except OSError as error:
        sys.stderr.write(f"{given.output}: {error.strerror or type(error).__name__}\n")
        return 1
    return 0


def _announce() -> None:
    with suppress(OSError):
        os.write(1, b"sampling\n")


def _silent() -> None:
    return None


if __name__ == "__main__":
    sys.exit(main())
