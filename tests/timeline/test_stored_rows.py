"""Rows that are read at once are those that are read one by one."""

from __future__ import annotations

from pathlib import Path

import stepscope
from building import call, kernel, operator, write
from stepscope.timeline.stored_rows import arguments, read_ahead, stored_row


def test_rows_read_at_once(tmp_path: Path) -> None:
    events = [
        [
            operator("aten::mm", at, at + 9, external_id=n, **{"Input Dims": [[n, 4]], "custom": f"value {n}"}),
            call(at + 1, at + 3, n),
            kernel("k", at + 5, at + 8, n, own=n),
        ]
        for n, at in enumerate(range(0, 200, 10), 1)
    ]
    path = write(tmp_path / "trace.json", *events)
    wanted = [("operator", 3), ("operator", 0), ("runtime", 7), ("activity", 19), ("idle", 0)]
    one_by_one, at_once = (stepscope.open(str(path)).profile.ranks[0] for _ in range(2))
    read_ahead(at_once, wanted)
    for table, row in [*wanted[:-1], ("operator", 5)]:
        values = stored_row(one_by_one, table, row)
        assert stored_row(at_once, table, row) == values
        assert arguments(at_once, table, values) == arguments(one_by_one, table, values)
    assert arguments(at_once, "operator", stored_row(at_once, "operator", 3))["custom"] == "value 4"
