"""Power, energy, clocks and links of GPUs: made logs beside made traces, whose truth is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import stepscope
from building import flat, kernel, launched, operator, step, write
from made_ranks import MS, START, Compute, Layout, MadeRanks, data_parallel
from ranks_working import Item
from stepscope.analyses.gpu.metrics import metric_of
from stepscope.api import OpenProfile

SECOND = 10**9
BASE = 1_790_000_000 * SECOND
STEPS = 4


def trace(path: Path, step_ns: int = SECOND) -> None:
    """Four steps, each with a kernel nearly as long; the GPU's step ends 50 ns before the host's."""
    events = []
    for i in range(STEPS):
        at = i * step_ns
        events += [step(i, at, at + step_ns), operator("aten::mm", at + 10, at + 40)]
        events.append(launched(kernel("gemm", at + 50, at + step_ns - 50, i + 1), at + 20))
    write(path, *flat(events), baseTimeNanoseconds=BASE)


def log(path: Path, columns: dict[str, Callable[[int, int], float]], gpus: int = 1, every: int = SECOND // 10) -> Path:
    """Samples from two seconds before the trace to two after; values are functions of the time since then and GPU."""
    lines = [",".join(["time_ns", "gpu", *columns])]
    for at in range(-2 * SECOND, (STEPS + 2) * SECOND, every):
        rows = [(BASE + at, gpu, *(f"{value(at, gpu):g}" for value in columns.values())) for gpu in range(gpus)]
        lines += [",".join(map(str, row)) for row in rows]
    path.write_text("\n".join(lines) + "\n")
    return path


def constant(value: float) -> Callable[[int, int], float]:
    return lambda at, gpu: value


def verdict(profile: OpenProfile) -> str:
    """In one line."""
    return " ".join(profile.verdict.split())


def row(folder: Path) -> dict[str, object]:
    (found,) = stepscope.open(folder).show("hardware").to_dicts()
    return found


@pytest.mark.parametrize(
    ("name", "unit", "metric"),
    [
        ("power.draw", "W", "power"),
        ("pwr", "W", "power"),
        ("DEV_POWER_USAGE", "W", "power"),
        ("DEV_TOTAL_ENERGY_CONSUMPTION", "mJ", "energy"),
        ("clocks.sm", "MHz", "sm_clock"),
        ("clocks.current.sm", "MHz", "sm_clock"),
        ("pclk", "MHz", "sm_clock"),
        ("mclk", "MHz", None),
        ("sm", "%", "utilization"),
        ("utilization.gpu", "%", "utilization"),
        ("temperature.gpu", None, "temperature"),
        ("temperature.memory", "°C", None),
        ("clocks_event_reasons.active", None, "throttle_reasons"),
        ("DEV_CLOCKS_EVENT_REASONS", None, "throttle_reasons"),
        ("pcie.link.gen.current", None, "pcie_generation"),
        ("PROF_PCIE_RX_BYTES", None, "pcie_rx"),
        ("SM Active", "%", "sm_active"),
        ("enforced.power.limit", "W", "power_limit"),
    ],
)
def test_counters_of_every_recorder_are_known_by_what_they_measure(
    name: str, unit: str | None, metric: str | None
) -> None:
    assert metric_of(name, unit) == metric


@pytest.mark.long
def test_the_energy_of_a_step_is_the_integral_of_power(tmp_path: Path) -> None:
    """400 W in steps of a second are 400 J, whatever is drawn before and behind them."""
    trace(tmp_path / "trace.json")
    log(tmp_path / "gpu.csv", {"power_w": lambda at, gpu: 400 if 0 <= at < STEPS * SECOND else 90})
    found = row(tmp_path)
    assert found["energy_step_j"] == pytest.approx(400, rel=1e-3)
    assert (found["steps"], found["power_w"]) == (STEPS, 400)
    assert "A step takes 400.0 J on 1 GPU (mean of 4 steps, 10.0 samples each)" in verdict(stepscope.open(tmp_path))


@pytest.mark.long
def test_a_counter_of_energy_goes_before_power(tmp_path: Path) -> None:
    trace(tmp_path / "trace.json")
    columns = {"power_w": constant(100), "total_energy_j": lambda at, gpu: 1000 + 350 * (at + 2 * SECOND) / SECOND}
    log(tmp_path / "gpu.csv", columns)
    assert row(tmp_path)["energy_step_j"] == pytest.approx(350, rel=1e-3)


def test_few_samples_tell_no_energy(tmp_path: Path) -> None:
    trace(tmp_path / "trace.json")
    log(tmp_path / "gpu.csv", {"power_w": constant(400)}, every=SECOND)
    profile = stepscope.open(tmp_path)
    found = profile.show("hardware").row(0, named=True)
    assert (found["samples"], found["power_w"], found["energy_step_j"]) == (4, 400, None)
    assert "fewer than 5 samples" in profile.notes("hardware")[0]


@pytest.mark.long
@pytest.mark.parametrize(("generation", "share"), [(5, 94.46), (None, None)])
def test_a_full_link_is_named_where_its_width_is_known(
    tmp_path: Path, generation: int | None, share: float | None
) -> None:
    """59.52 of the 63.0 GB/s that 16 lanes of PCIe 5 carry."""
    trace(tmp_path / "trace.json")
    columns = {"pcie_rx_mbps": constant(59_520), "pcie_tx_mbps": constant(100)}
    if generation is not None:
        columns |= {"pcie.link.gen.current": constant(generation), "pcie.link.width.current": constant(16)}
    log(tmp_path / "gpu.csv", columns)
    profile = stepscope.open(tmp_path)
    found = profile.show("hardware")["pcie_pct"][0]
    assert found == (pytest.approx(share, abs=0.01) if share else None)
    assert ("PCIe link of GPU 0 is full" in verdict(profile)) == bool(share)


@pytest.mark.long
@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"gpu_util_pct": lambda at, gpu: 30 if gpu == 2 else 95}, "GPU 2 was used 30 %"),
        ({"sm_clock_mhz": lambda at, gpu: 1400 if gpu == 1 else 1980}, "GPU 1 ran at 1,400 MHz"),
        ({"power_w": lambda at, gpu: 300 if gpu == 3 else 600}, "GPU 3 took 300 W"),
        ({"gpu_util_pct": lambda at, gpu: 90 + gpu, "power_w": lambda at, gpu: 600 + 5 * gpu}, None),
    ],
    ids=["utilization", "clock", "power", "even"],
)
def test_gpus_that_differ_are_named(
    tmp_path: Path, columns: dict[str, Callable[[int, int], float]], said: str | None
) -> None:
    profile = stepscope.open(log(tmp_path / "gpu.csv", columns, gpus=4))
    sentences = verdict(profile)
    assert sentences.count("the median of the others") == (1 if said else 0)
    assert said is None or said in sentences


def slowed(by: float) -> Callable[[int, int], list[Item]]:
    """Rank 2 does the same work as the others and takes longer for it."""
    program = data_parallel(Layout(dp=4))

    def items(rank: int, number: int) -> list[Item]:
        factor = by if rank == 2 else 1.0
        return [
            replace(item, ns=round(item.ns * factor)) if isinstance(item, Compute) else item
            for item in program(rank, number)
        ]

    return items


@pytest.mark.parametrize(("mhz", "explains"), [(1584, True), (1980, False), (1950, False)])
def test_the_clock_of_a_late_rank_is_named_where_it_explains_the_delay(
    tmp_path: Path, mhz: int, explains: bool
) -> None:
    made = MadeRanks(slowed(1.25), 4)
    made.write(tmp_path)
    base = START + int(str(made.head(0)["baseTimeNanoseconds"]))
    for rank in range(4):
        lines = ["time_ns,sm_clock_mhz,throttle_reasons"]
        clock, reason = (mhz, 4 if mhz < 1900 else 0) if rank == 2 else (1980, 0)
        lines += [f"{base + i * MS // 2},{clock},{reason}" for i in range(400)]
        (tmp_path / f"rank{rank}_gpu.csv").write_text("\n".join(lines) + "\n")
    late = stepscope.open(tmp_path).show("stragglers").filter(verdict="straggler").row(0, named=True)
    assert (late["rank"], late["cause"]) == (2, "compute")
    said = "its GPU ran at 1,584 MHz (SM clock), that of rank" in late["detail"]
    assert said == explains
    assert ("the power cap held it down" in late["detail"]) == explains


def test_slices_show_gaps_and_reasons(tmp_path: Path) -> None:
    """Of ten seconds, one without samples, in another one the power cap."""
    lines = ["time_ns,power_w,throttle_reasons"]
    tenths = [at for at in range(100) if not 30 <= at < 40]
    lines += [f"{BASE + at * SECOND // 10},{at},{4 if 50 <= at < 60 else 0}" for at in tenths]
    (tmp_path / "gpu.csv").write_text("\n".join(lines) + "\n")
    table = stepscope.open(tmp_path / "gpu.csv").show("telemetry", by="slice")
    power = table.filter(metric="power")
    assert power["samples"].sum() == 90
    starts = power["start_ns"].to_numpy()
    length = int(starts[1] - starts[0])
    assert (starts % length == 0).all()
    unknown = power["mean"].is_null().to_numpy()
    # The last sample before the gap stands for twice the interval.
    expected = (starts >= BASE + 31 * SECOND // 10) & (starts + length <= BASE + 40 * SECOND // 10)
    assert (unknown[expected]).all()
    assert unknown.sum() == expected.sum()
    reasons = table.filter(metric="throttle_reasons")
    held = reasons.filter(reason="power-cap")["start_ns"].to_numpy()
    assert held[0] <= BASE + 5 * SECOND < held[0] + length
    assert held[-1] < BASE + 6 * SECOND <= held[-1] + 2 * length
