"""The parts of a mean step are rounded so that they sum to its whole; what was left over became 1 ns of backward."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.steps.step_trace import average_steps
from stepscope.schema import TABLES


def test_an_average_has_no_backward_that_no_step_has() -> None:
    schema = TABLES["step_trace"].schema
    known = {"backward_ns": 0, "tail_ns": 0, "passes": 0, "rank": 0, "steady": True, "clock": "gpu"}
    rows = [
        known | {"interval_ns": interval, "forward_backward_ns": work, "forward_ns": work, "total_ns": interval + work}
        for interval, work in ((1, 1), (1, 1), (2, 2))
    ]
    frame = average_steps(pl.DataFrame(rows, schema=schema))
    assert frame["backward_ns"].to_list() == [0]
    assert frame["forward_ns"].to_list() == frame["forward_backward_ns"].to_list()
