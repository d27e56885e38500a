"""Write a trace again as PyTorch writes Perfetto traces: ``python perfetto_copy.py SOURCE TARGET``.

Beside the target comes ``TARGET.json.gz``, the same events as JSON: packets hold slices and samples, no arrows.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from readers.perfetto_building import AsPyTorch


def main() -> None:
    """Both files, compressed as PyTorch compresses them."""
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    with gzip.open(source) as file:
        whole = orjson.loads(file.read())
    events = [one for one in whole["traceEvents"] if one.get("ph") == "X" and "dur" in one]
    print(f"{len(events)} events", file=sys.stderr)
    with gzip.open(target.with_name(target.name + ".json.gz"), "wb", 6) as file:
        file.write(json.dumps(whole | {"traceEvents": events}, indent=1).encode())
    with gzip.open(target, "wb", 6) as file:
        file.write(AsPyTorch(events).bytes())


if __name__ == "__main__":
    main()
