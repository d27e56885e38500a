"""Telemetry of nvidia-smi, DCGM and plain tables, alone and beside a trace."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import flat, kernel, launched, step, write
from readers.telemetry_files import EXPORTED, FILES, PLAIN
from stepscope.analyses import make_table
from stepscope.errors import UnreadableInput
from stepscope.findings.verdict import verdict
from stepscope.messages.rendering import render
from stepscope.store.opening import open_profile
from stepscope.store.profile import Profile


def opened(folder: Path, name: str, content: str | None = None) -> Profile:
    (folder / name).write_text(FILES[name] if content is None else content)
    return open_profile(str(folder / name))


def counters(profile: Profile) -> dict[tuple[int | None, str], tuple[str | None, int, float | None, int]]:
    """Unit, samples, mean and missing of each counter of a GPU."""
    table = make_table(profile, "telemetry")
    return {
        (row["gpu"], row["counter"]): (row["unit"], row["samples"], row["mean"], row["missing"])
        for row in table.rows(named=True)
    }


def test_columns_that_were_asked_of_nvidia_smi(tmp_path: Path) -> None:
    found = counters(opened(tmp_path, "q.csv"))
    assert found[0, "power.draw"] == ("W", 2, 306.5, 0)
    assert found[0, "memory.used"] == ("MiB", 2, 40210.0, 0)
    assert found[1, "utilization.gpu"] == ("%", 1, 0.0, 1)
    assert found[1, "power.draw"] == ("W", 0, None, 2)
    assert {name for _, name in found} == {
        "power.draw",
        "memory.used",
        "utilization.gpu",
        "clocks_event_reasons.active",
    }


def test_what_dmon_prints(tmp_path: Path) -> None:
    found = counters(opened(tmp_path, "dmon.log"))
    assert found[0, "pwr"] == ("W", 2, 311.0, 0)
    assert found[1, "mtemp"] == ("\N{DEGREE SIGN}C", 0, None, 1)
    assert found[0, "pclk"] == ("MHz", 2, 1980.0, 0)


def test_a_page_of_dcgm_with_times(tmp_path: Path) -> None:
    found = counters(opened(tmp_path, "node.prom"))
    assert found[0, "DEV_POWER_USAGE"] == ("W", 2, pytest.approx(306.256), 0)
    assert found[0, "DEV_MEMORY_TEMP"][1:] == (0, None, 1)


def test_a_page_of_dcgm_without_times_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match="its samples have no time"):
        opened(tmp_path, "node.prom", EXPORTED.replace(" 1790000000000", "").replace(" 1790000001000", ""))


def test_columns_of_a_table_end_in_their_unit(tmp_path: Path) -> None:
    found = counters(opened(tmp_path, "nvml.csv"))
    assert found[0, "power"] == ("mW", 10, 400_004.5, 0)
    assert found[0, "gpu_util"] == ("%", 10, 4.5, 0)


def test_lines_that_are_no_row_are_counted(tmp_path: Path) -> None:
    profile = opened(tmp_path, "nvml.csv", PLAIN + "cut,\n1790000009000000000,1,2\n")
    assert profile.ranks[0].trace.meta["damaged"] == 2


@pytest.mark.parametrize("name", FILES)
def test_a_verdict_says_what_slowed_the_gpu_down(tmp_path: Path, name: str) -> None:
    sentences = [render(one, "en") for one in verdict(opened(tmp_path, name).ranks[0]).sentences]
    assert sentences[0].startswith("Telemetry of ")
    capped = [one for one in sentences if "power cap" in one]
    shares = {"q.csv": "50 %", "nvml.csv": "50 %"}
    assert [shares[name] in one for one in capped] == ([True] if name in shares else [])


def test_samples_alone_have_a_span(tmp_path: Path) -> None:
    (row,) = make_table(opened(tmp_path, "nvml.csv"), "recordings").rows(named=True)
    assert (row["start_ns"], row["duration_ns"]) == (1_790_000_000_000_000_000, 900_000_000)


def test_telemetry_beside_a_trace_is_on_its_clock(tmp_path: Path) -> None:
    base = 1_790_000_000_000_000_000
    second = 1_000_000_000
    events = flat([step(1, 0, second // 2), step(2, second // 2, second), launched(kernel("gemm", 10, second, 1), 5)])
    write(tmp_path / "trace.json", *events, schemaVersion=1, baseTimeNanoseconds=base)
    (tmp_path / "nvml.csv").write_text(PLAIN)
    profile = open_profile(str(tmp_path))
    (rank,) = profile.ranks
    assert [one.kind for one in rank.recordings] == ["trace", "telemetry"]
    table = make_table(profile.select(None, (2, 2)), "telemetry")
    row = table.filter(table["counter"] == "gpu_util").row(0, named=True)
    assert (row["samples"], row["min"], row["max"]) == (5, 5.0, 9.0)
