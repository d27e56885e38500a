"""A trace that was cut off: said before any figure, and figures are of the steps that are whole."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import stepscope
from building import Event, call, kernel, operator, step, write
from stepscope.analyses import table_notes
from stepscope.analyses.idle.idle import PER_STEP
from stepscope.analyses.simulation.model import timed_ranks
from stepscope.api import OpenProfile
from stepscope.errors import BadRequest
from stepscope.findings.report import make_report
from stepscope.findings.verdict import verdict_json, verdict_of_json
from stepscope.messages import Message
from stepscope.messages.rendering import render
from stepscope.reporters.report_text import report_lines
from stepscope.reporters.sections.opening import verdict, verdict_sentences

STEP, STEPS, KERNELS = 1_000_000, 4, 5


def events(steps: int = STEPS) -> list[Event]:
    """As Kineto writes them: what the host did in order of time, then each kernel with its launch."""
    host = [step(n, n * STEP, (n + 1) * STEP) for n in range(steps)]
    host += [operator("aten::mm", n * STEP + 10, (n + 1) * STEP - 10) for n in range(steps)]
    gpu = []
    for number in range(steps * KERNELS):
        at = number // KERNELS * STEP + 100_000 + number % KERNELS * 150_000
        gpu += [kernel("gemm", at + 20_000, at + 140_000, number + 1), call(at, at + 5_000, number + 1)]
    return host + gpu


def cut_behind(folder: Path, kernels: int, steps: int = STEPS) -> OpenProfile:
    """The trace of some steps with so many kernels, the next one cut in its middle."""
    folder.mkdir(exist_ok=True)
    text = write(folder / "whole.json", *events(steps)).read_text()
    (folder / "whole.json").unlink()
    places = [at for at in range(len(text)) if text.startswith('"kernel"', at)]
    (folder / "cut.json").write_text(text[: places[kernels]])
    return stepscope.open(folder / "cut.json")


def sentences(profile: OpenProfile) -> list[str]:
    return [render(one) for one in make_report(profile.profile).verdicts[0].incomplete]


@pytest.mark.parametrize(("kernels", "whole"), [(3, []), (7, [0]), (9, [0]), (13, [0, 1]), (17, [0, 1, 2])])
def test_figures_are_of_whole_steps_only(tmp_path: Path, kernels: int, whole: list[int]) -> None:
    """The oracle is the trace that was not cut: the steps that count are the same in it."""
    cut = cut_behind(tmp_path / "cut", kernels)
    (tmp_path / "full").mkdir()
    full = stepscope.open(write(tmp_path / "full" / "t.json", *events())).show("steps")
    rows = cut.show("steps")
    assert rows.filter(~rows["cut"])["step"].to_list() == whole
    names = ["step", "duration_ns", "device_end_ns", "compute_ns"]
    kept = rows.filter(rows["step"].is_in(whole)).select(names)
    assert kept.equals(full.filter(full["step"].is_in(whole)).select(names))


def cut_before_the_calls(path: Path) -> OpenProfile:
    """As some versions of PyTorch write it: what the GPU did before the calls that launched it, which are cut off."""
    host = [event for event in events() if event["cat"] not in ("kernel", "cuda_runtime")]
    gpu = [event for event in events() if event["cat"] == "kernel"]
    text = write(path, *host, *gpu, call(0, 10, 1)).read_text()
    path.write_text(text[: text.index('"cuda_runtime"')])
    return stepscope.open(path)


def test_no_table_takes_steps_for_whole_whose_launch_calls_are_cut_off(tmp_path: Path) -> None:
    """The verdict said that no step is whole, idle time was the mean of four whole steps, and four were steady."""
    cut = cut_before_the_calls(tmp_path / "cut.json")
    assert cut.show("steps")["cut"].to_list() == [True] * STEPS
    assert not cut.show("step_trace")["steady"].any()
    idle = cut.show("idle")
    assert idle["per_step_ns"].to_list() == [None]
    assert not [note for note in table_notes(cut.profile, "idle", idle) if note.id == PER_STEP]
    assert sentences(cut)[0].endswith(" of JSON: GPU events after 3.84 ms and all launch calls are missing.")


@pytest.mark.long
def test_it_is_said_before_any_figure(tmp_path: Path) -> None:
    cut = cut_behind(tmp_path / "cut", 13)
    said = sentences(cut)
    size = len((tmp_path / "cut" / "cut.json").read_bytes()) / 1024
    # The last kernel that is there ends 0.56 ms into step 2.
    assert said[0] == f"The trace is cut off after {size:.2f} KiB of JSON: GPU events after 2.54 ms are missing."
    assert said[1] == "34 events were read. The figures hold for steps 0-1 only."
    report = make_report(cut.profile)
    first = [line for line in verdict(report, 1000) if line.text][1]
    assert first.text.strip() == f"Incomplete recording. {' '.join(said)}"
    assert verdict_sentences(report)[0] == first.text.strip()


def test_without_gpu_events_the_figures_are_of_the_cpu(tmp_path: Path) -> None:
    profile = cut_behind(tmp_path / "cut", 0)
    cut, events_read = sentences(profile)
    assert cut.endswith("the GPU events, if it had any, are missing.")
    assert events_read.endswith("The figures are of the CPU alone.")
    (one,) = make_report(profile.profile).verdicts
    # It was "No GPU activity was recorded", which a file that is cut off cannot show.
    assert render(one.sentences[0]) == "What the GPU did is unknown: the file is cut off before its events."


def test_what_the_end_of_the_file_held_is_not_advised_to_be_recorded(tmp_path: Path) -> None:
    """It said that no saving exceeds run-to-run variation, and to record the GPU and stacks."""
    cut = cut_behind(tmp_path / "cut", 0)
    lines = [line.text.strip() for line in report_lines(make_report(cut.profile), 200)]
    assert "No recommendations: the recording is cut off before the GPU's events, so no fix can be simulated." in lines
    assert "not recorded, or lost with the end of the file: shapes, stacks, memory" in lines
    reason = "so no fix can be simulated"
    assert cut.notes("findings") == [f"no rows: the recording is cut off before the GPU's events, {reason}"]
    assert cut.notes("kernels") == ["no rows: up to where it is cut off, the recording has no GPU activity"]


def test_a_file_without_a_whole_step_says_so(tmp_path: Path) -> None:
    assert sentences(cut_behind(tmp_path / "cut", 3))[1].endswith(
        "No step is whole: figures are of what was read. Record again."
    )


def test_a_single_step_that_is_cut_is_not_whole(tmp_path: Path) -> None:
    """Its figures were said to hold: with no other step it was compared with none."""
    assert sentences(cut_behind(tmp_path / "cut", 3, steps=1))[1].endswith("Record again.")


def test_without_a_whole_step_no_figure_is_given(tmp_path: Path) -> None:
    """The GPU seemed to be starved of launches, as its later work was cut off: a CUDA graph was to save 91 %."""
    cut = cut_behind(tmp_path / "cut", 3)
    report = make_report(cut.profile)
    (one,) = report.verdicts
    assert [render(said) for said in one.sentences] == [
        "Bottleneck unclear: the recording holds no step with all of its GPU work."
    ]
    assert (one.bound, one.step_ns, one.gpu_busy_pct, one.unprofiled_ns) == ("unknown", None, None, None)
    (checked,) = cut.show("health").filter(pl.col("check") == "steps_cut")["detail"]
    assert checked.endswith("; no step is whole: means are of what was read of them")
    reason = "the recording is cut off and holds no step with all of its GPU work, so no fix can be simulated"
    assert cut.notes("findings") == [f"no rows: {reason}"]
    assert not [line for line in report_lines(report, 200) if "recommend" in line.text.lower()]
    assert cut.notes("step_time") == ["no rows: the recording is cut off and holds no step with all of its GPU work"]
    with pytest.raises(BadRequest, match="is cut off and holds no step with all of its GPU work"):
        timed_ranks(cut.profile)


def test_a_whole_file_says_nothing(tmp_path: Path) -> None:
    opened = stepscope.open(write(tmp_path / "t.json", *events()))
    (one,) = make_report(opened.profile).verdicts
    assert one.incomplete == ()
    assert not opened.show("steps")["cut"].any()


@pytest.mark.long
def test_it_is_kept_with_the_verdict(tmp_path: Path) -> None:
    (one,) = make_report(cut_behind(tmp_path / "cut", 9).profile).verdicts
    assert one.incomplete
    assert verdict_of_json(json.loads(json.dumps(verdict_json(one, Message.json)))).incomplete == one.incomplete
