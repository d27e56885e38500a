"""Telemetry of nvidia-smi, DCGM and plain tables, alone and beside a trace."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import flat, kernel, launched, step, write
from readers.telemetry_files import EXPORTED, FILES, OWN, PLAIN
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


def test_what_dcgmi_prints(tmp_path: Path) -> None:
    """Fields by their short names, rounds with several headers, an unknown field, and no times."""
    profile = opened(tmp_path, "dcgmi.log")
    found = counters(profile)
    assert found[0, "DEV_POWER_USAGE"] == ("W", 2, 306.5, 0)
    assert found[1, "DEV_POWER_USAGE"] == ("W", 2, 76.5, 0)
    assert found[0, "PROF_SM_ACTIVE"] == (None, 2, 0.625, 0)
    assert found[1, "PROF_SM_ACTIVE"] == (None, 0, None, 2)
    assert found[0, "NEWFD"] == (None, 2, 7.0, 0)
    health = {row["check"]: row["status"] for row in make_table(profile, "health").rows(named=True)}
    assert health["times"] == "warning"
    assert {row["interval_ns"] for row in make_table(profile, "telemetry").rows(named=True)} >= {10**9}


def test_times_in_front_of_what_dcgmi_prints(tmp_path: Path) -> None:
    lines = FILES["dcgmi.log"].splitlines()
    timed = "\n".join(f"2026-10-03T10:00:{at:02}.500000 {line}" for at, line in enumerate(lines))
    profile = opened(tmp_path, "dcgmi.log", timed)
    assert counters(profile)[0, "DEV_POWER_USAGE"] == ("W", 2, 306.5, 0)
    assert "times" not in make_table(profile, "health")["check"].to_list()
    (row,) = make_table(profile, "recordings").rows(named=True)
    assert row["duration_ns"] == 5 * 10**9


def test_two_logs_of_one_machine_are_one_recording_of_it(tmp_path: Path) -> None:
    """They were two ranks, or the second was not shown at all."""
    (tmp_path / "q.csv").write_text(FILES["q.csv"])
    (tmp_path / "dmon.log").write_text(FILES["dmon.log"])
    profile = open_profile(str(tmp_path))
    assert [(rank.number, len(rank.recordings)) for rank in profile.ranks] == [(0, 2)]
    found = counters(profile)
    assert found[0, "power.draw"][0] == found[0, "pwr"][0] == "W"
    assert make_table(profile, "recordings")["joined"].to_list() == [None, "clock"]


def test_logs_of_two_recorders_are_one_recording_of_the_machine(tmp_path: Path) -> None:
    (tmp_path / "nvml.csv").write_text(PLAIN)
    (tmp_path / "node.prom").write_text(EXPORTED)
    found = counters(open_profile(str(tmp_path)))
    assert {(0, "DEV_POWER_USAGE"), (0, "power")} <= set(found)


def test_logs_with_the_same_counters_of_the_same_gpus_are_of_two_machines(tmp_path: Path) -> None:
    for name in ("node0.csv", "node1.csv"):
        (tmp_path / name).write_text(PLAIN)
    assert [rank.number for rank in open_profile(str(tmp_path)).ranks] == [0, 1]


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
    shares = {"q.csv": "50 %", "nvml.csv": "50 %", "own.telemetry.jsonl": "50 %"}
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


def test_a_gpu_that_cannot_be_costs_its_lines_and_no_others(tmp_path: Path) -> None:
    """One number beyond 64 bits had the whole log refused; 1.5 was taken for GPU 1 (found with made files)."""
    numbers = ["0", "1", "99999999999999999999", "-3", "1.5", "x", "1"]
    rows = [f"{1_790_000_000_000_000_000 + at},{gpu},{10 * at}" for at, gpu in enumerate(numbers)]
    profile = opened(tmp_path, "a.csv", "\n".join(["time_ns,gpu,power_w", *rows]))
    assert counters(profile) == {(0, "power"): ("W", 1, 0.0, 0), (1, "power"): ("W", 2, 35.0, 0)}
    assert profile.ranks[0].trace.meta["damaged"] == 4


def test_a_column_that_stands_twice_is_read_twice(tmp_path: Path) -> None:
    """Such a log had no sample (found with made files)."""
    header = "timestamp, index, power.draw [W], power.draw [W]"
    profile = opened(tmp_path, "q.csv", f"{header}\n2026/10/03 10:00:01.123, 0, 3 W, 4 W\n")
    assert counters(profile) == {(0, "power.draw"): ("W", 1, 3.0, 0), (0, "power.draw#2"): ("W", 1, 4.0, 0)}


def test_one_line_with_something_in_front_does_not_take_the_times_of_all(tmp_path: Path) -> None:
    """It had the whole log refused, as one without times (found with made files)."""
    text = FILES["dcgmi.log"]
    whole = counters(opened(tmp_path, "dcgmi.log"))
    told = counters(opened(tmp_path, "told.log", text.replace("\nGPU 1 ", "\nhost: GPU 1 ", 1)))
    assert told == whole


def test_what_stepscope_samples(tmp_path: Path) -> None:
    """Lists are samples, null is a missing one, and objects hold counters that come and go."""
    profile = opened(tmp_path, "own.telemetry.jsonl")
    assert counters(profile) == {
        (0, "power"): ("mW", 10, 400_004.5, 0),
        (0, "throttle_reasons"): (None, 10, 2.0, 0),
        (1, "power"): ("mW", 0, None, 10),
        (1, "process 7 memory"): ("B", 1, 1024.0, 0),
        (None, "cpu.busy"): ("%", 1, 12.5, 0),
        (None, "tree.cpu"): ("%", 1, 250.5, 0),
    }
    health = {row["check"]: row["detail"] for row in make_table(profile, "health").rows(named=True)}
    assert '"example":"gpu0.energy_mj","reason":"not supported"' in health["counters"]


def test_lines_of_stepscope_that_are_none_are_counted(tmp_path: Path) -> None:
    """An unfinished line, a list of another length, an unknown group, a value that is no number, and text."""
    odd = ['["gpu",1790000000000000000,8,1]', '["net",1,2,3]', '{"time_ns":1,"values":{"a":"b"}}', "text", '["gpu",17']
    profile = opened(tmp_path, "own.telemetry.jsonl", OWN + "\n".join(odd))
    assert profile.ranks[0].trace.meta["damaged"] == 5
    assert counters(profile)[0, "power"][1] == 10


@pytest.mark.parametrize(
    "groups", ["[]", '{"gpu":[]}', '{"gpu":["a","a"]}', '{"gpu":[1]}', '{"a"b":["c"]}', '{"gpu":"power"}']
)
def test_a_header_that_names_no_counters_is_refused(tmp_path: Path, groups: str) -> None:
    with pytest.raises(UnreadableInput, match="no sample"):
        opened(tmp_path, "own.telemetry.jsonl", f'{{"stepscope_telemetry":1,"groups":{groups}}}\n["gpu",1,2,3]\n')


def traces_of(folder: Path, *names: str, gpus: bool = True) -> None:
    """Traces of half a second each, all of GPU 0."""
    for name in names:
        work = launched(kernel("gemm", 10, 400_000, 1), 5) if gpus else []
        events = flat([step(1, 0, 500_000), work])
        write(folder / name, *events, schemaVersion=1, baseTimeNanoseconds=1_790_000_000_000_000_000)


def test_a_log_that_says_its_machine_stands_beside_the_ranks_of_that(tmp_path: Path) -> None:
    """Two machines that number their GPUs alike: which one a log is of was not known, so it was not joined."""
    traces_of(tmp_path, "node-3_10_rank0.1.pt.trace.json", "node-4_11_rank1.1.pt.trace.json")
    (tmp_path / "own.telemetry.jsonl").write_text(OWN)
    profile = open_profile(str(tmp_path))
    assert [[one.kind for one in rank.recordings] for rank in profile.ranks] == [["trace", "telemetry"], ["trace"]]
    assert profile.ranks[0].recordings[1].joined == "clock"


def test_a_log_without_gpus_stands_beside_every_rank_of_its_machine(tmp_path: Path) -> None:
    names = ("node-3_10_rank0.1.pt.trace.json", "node-3_11_rank1.1.pt.trace.json", "node-4_12_rank2.1.pt.trace.json")
    traces_of(tmp_path, *names, gpus=False)
    lines = [line for line in OWN.splitlines() if '"gpu' not in line]
    header = '{"stepscope_telemetry":1,"host":"node-3","groups":{"cpu":["cpu.busy_pct"]}}'
    (tmp_path / "own.telemetry.jsonl").write_text("\n".join([header, *lines]))
    found = {rank.number: [one.kind for one in rank.recordings[1:]] for rank in open_profile(str(tmp_path)).ranks}
    assert found == {0: ["telemetry"], 1: ["telemetry"], 2: []}
