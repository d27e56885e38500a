"""What no rank of a recording has, of one rank and of several."""

from __future__ import annotations

from pathlib import Path

import stepscope
from building import kernel, operator, step, write
from building.snapshots import MIB, MadeSnapshot
from stepscope.analyses import make_table, table_notes
from stepscope.analyses.needs import NEEDS, lacking
from stepscope.messages import Message
from stepscope.messages.rendering import in_every_language


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


def test_what_is_not_joined_is_named_where_its_rows_are_missed(tmp_path: Path) -> None:
    """The table said "record with profile_memory=True" beside a snapshot that belongs to no rank."""
    for rank in range(2):
        write(tmp_path / f"rank{rank}.json", step(0, 0, 100), kernel("gemm", 0, 10))
    made = MadeSnapshot()
    made.alloc(made.segment(4 * MIB), MIB)
    made.write(tmp_path / "memory.pickle")
    profile = stepscope.open(tmp_path).profile
    assert [one.name for one in profile.unshown] == ["memory.pickle"]
    for name in ("memory_timeline", "memory_categories"):
        said = [in_every_language(note)["text"]["en"] for note in table_notes(profile, name, make_table(profile, name))]
        why = in_every_language(Message("recording-no-rank"))["text"]["en"]
        expected = f"no rows: only memory.pickle would have them, and no table shows that ({why}); it can be opened"
        assert said == [f"{expected} by itself"]
    (said,) = table_notes(profile, "memory", make_table(profile, "memory"))
    assert said.id == "note-no-rows-not-recorded", "a snapshot has no events of a trace"
