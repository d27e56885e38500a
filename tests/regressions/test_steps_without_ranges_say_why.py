"""What health says of recordings that mark no steps, besides those of torch.profiler."""

from __future__ import annotations

from pathlib import Path

import stepscope
from building import check
from building.ascend import write_run
from readers.perfetto_building import slices, trace, track


def test_a_run_of_an_npu_without_its_timeline_names_that(tmp_path: Path) -> None:
    """Seen of a text export of which trace_view.json was not copied: advice to mark steps with torch.cuda.nvtx."""
    profile = stepscope.open(write_run(tmp_path, trace_view_json=None))
    assert check(profile, "steps") == (
        "warning",
        "1",
        (
            "trace_view.json is missing, so that neither steps nor their times are known: copy it, too, or export it "
            "again (torch_npu.profiler.profiler.analyse)"
        ),
    )


def test_ranges_of_an_unknown_category_are_not_denied(tmp_path: Path) -> None:
    """Seen of a trace of Perfetto: "no range at the top of a thread repeats" of one whose only ranges did."""
    packets = [packet for at in range(3) for packet in slices("step", 11, 1000 * at, 900, "user")]
    path = tmp_path / "a.pftrace"
    path.write_bytes(trace(track(10, process=(7, "python")), track(11, parent=10, thread=(7, 70, "main")), *packets))
    assert check(stepscope.open(path), "steps") == (
        "warning",
        "1",
        "the category of the ranges that repeat is not analysed: the whole recording is taken as one step",
    )
