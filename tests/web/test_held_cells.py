"""What Python packs for a report, TypeScript unpacks: the same cells, number by number."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from building import kernel, opened, step
from stepscope.answers.cell_encoding import planes
from stepscope.timeline.binary_format import unframe
from stepscope.timeline.excerpts import excerpt
from stepscope.timeline.windows import COLUMNS


def test_cells_reach_the_page_as_they_were(tmp_path: Path, evaluated: Callable[[str], Any]) -> None:
    far = 3 << 53
    events = [kernel(f"k{i % 7}", far + 50 * i, far + 50 * i + i % 49, stream=7 + i % 3) for i in range(3000)]
    profile = opened(tmp_path, step(0, far - 5, far + 200_000), *events).profile
    pieces = excerpt(profile, 1500)["pieces"]
    assert any(piece["cell_ns"] > 1 for piece in pieces)
    for piece in pieces:
        header, expected = unframe(piece["data"])
        data = base64.b64encode(planes(piece["data"])).decode()
        found = evaluated(
            "import { decodeHeld } from './src/api/held_cells.ts'\n"
            f"const bytes = Uint8Array.from(atob('{data}'), (one) => one.charCodeAt(0))\n"
            "const { lanes, ...rest } = decodeHeld(bytes.buffer)\n"
            "const plain = Object.entries(rest).map(([key, value]) => [key, value.length ? [...value] : value])\n"
            "console.log(JSON.stringify({ ...Object.fromEntries(plain), lanes: [...lanes] }))"
        )
        for name in COLUMNS:
            assert found[name] == expected[name].astype(np.int64).tolist(), name
        assert found["lanes"] == [
            [lane["lane"], {"offset": lane["offset"], "count": lane["count"]}]
            for lane in header["lanes"]
            if lane["count"]
        ]
