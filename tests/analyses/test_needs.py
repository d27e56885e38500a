"""What no rank of a recording has, of one rank and of several."""

from __future__ import annotations

from pathlib import Path

import stepscope
from building import kernel, operator, step, write
from stepscope.analyses.needs import NEEDS, lacking
from stepscope.messages import Message


def test_what_one_rank_has_no_rank_needs_to_have(tmp_path: Path) -> None:
    """Rank 0 has kernels, rank 1 has shapes: the job lacks neither, each of them the other."""
    write(tmp_path / "rank0.json", step(0, 0, 100), kernel("gemm", 0, 10))
    write(tmp_path / "rank1.json", step(0, 0, 100), operator("aten::mm", 0, 10, **{"Input Dims": [[2, 2], [2, 2]]}))
    profile = stepscope.open(tmp_path).profile
    every = tuple(NEEDS)
    alone = [{NEEDS[name].lack for name in every if not NEEDS[name].present(rank)} for rank in profile.ranks]
    assert {need.lack for need in lacking(profile, every)} == alone[0] & alone[1]
    for rank, expected in enumerate(alone):
        assert {need.lack for need in lacking(profile.select([rank], None), every)} == expected
    assert Message("need-shapes-lack") in alone[0] - alone[1]
    assert Message("need-gpu-lack") in alone[1] - alone[0]
