"""Shapes and grids of traces written with indentation were printed as ``[?    ...    ]``.

Seen in public/tracelens/b200__eager_trace: some tools write traces over again with `json.dump(..., indent=...)`, so the
text of a list holds line breaks, and so did the cells of ``operators --by shape`` and of ``kernels``.
"""

from __future__ import annotations

import json
from pathlib import Path

import stepscope
from building import operator, write

SHAPES = [[8, 16], [], ["a,\n b"]]


def test_lists_spread_over_lines_are_shown_on_one(tmp_path: Path) -> None:
    path = write(tmp_path / "trace.json", operator("aten::mm", 0, 10, **{"Input Dims": SHAPES}))
    path.write_text(json.dumps(json.loads(path.read_text()), indent=4))
    [shape] = stepscope.open(path).show("operators", by="shape")["shape"]
    assert shape == json.dumps(SHAPES)
