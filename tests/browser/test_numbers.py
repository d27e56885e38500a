"""Every table of every page holds what `stepscope show` prints: each value exactly, each text in the same units."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from browsing.grids import CLIPBOARD, Row, Sight, copied, csv_rows, printed, same, sight
from browsing.pages import FOUR_RANKS, WITH_STACKS, settled
from building import Event, annotation, kernel, launched, microseconds, operator, timed, write
from building.ascend import write_run
from building.compiling import training as compile_log
from building.hangs import one_left
from building.inspector import MadeLogs
from building.snapshots import troubled
from kernel_cases import write_report
from made_ranks import Layout, MadeRanks, Parallel
from readers.mindspore_files import DATA, GPU
from readers.nsys_building import PROCESS, everything_beside, thread, training
from stepscope.reporters.table import text_columns
from stepscope.schema import MOMENTS, TABLES, UNATTRIBUTED

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from browsing.site import Served

SLOW = WITH_STACKS
RANKS = FOUR_RANKS
GRAPHS = "launch_bound_decode.fixed.pt.trace.json.gz"

PAGES = [
    (SLOW, "operators", {}),
    (SLOW, "operators", {"operators.by": "shape", "operators.sort": "-host_self_ns"}),
    (SLOW, "operators", {"operators.by": "stack", "operators.source": "1", "operators.q": "conv calls>=10"}),
    (RANKS, "operators", {"rank": "1,2", "step": "3"}),
    (SLOW, "kernels", {"short_kernels": "1"}),
    (SLOW, "modules", {"view": "class"}),
    (SLOW, "flame_graph", {"view": "table", "frames": "operator", "step": "4"}),
    (SLOW, "instances", {"name": "aten::conv2d"}),
    (RANKS, "instances", {"rank": "1,2"}),
    (SLOW, "step_trace", {}),
    (SLOW, "idle", {"step": "4:5"}),
    (SLOW, "launches", {}),
    (SLOW, "memory", {}),
    (RANKS, "data_loading", {}),
    (SLOW, "roofline", {}),
    (RANKS, "communication", {}),
    (RANKS, "ranks", {"rank": "0,2"}),
]
"""Runs, pages and what stands in their addresses: groupings, orders, filters, ranks and steps are the command's too."""

ELSEWHERE = {
    "communication": RANKS,
    "message_sizes": RANKS,
    "collectives": RANKS,
    "stragglers": RANKS,
    "rank_matrix": RANKS,
    "job": RANKS,
    "rank_waits": RANKS,
    "clocks": RANKS,
    "links": "split",
    "pipeline": "split",
    "experts": "split",
    "memcpy": RANKS,
    "data_loading": RANKS,
    "graphs": GRAPHS,
    "counters": "made.json",
    "telemetry": "made.json",
    "hardware": "made.json",
    "iterations": "made.json",
    "os_runtime": "export.sqlite",
    "cpu_samples": "export.sqlite",
    "thread_scheduling": "export.sqlite",
    "page_faults": "export.sqlite",
    "cuda_memory": "export.sqlite",
    "memset": "export.sqlite",
    "memory_categories": "snapshot.pickle",
    "memory_leaks": "snapshot.pickle",
    "memory_oom": "snapshot.pickle",
    "memory_fragmentation": "snapshot.pickle",
    "memory_segments": "snapshot.pickle",
    "memory_blocks": "snapshot.pickle",
    "memory_alive": "snapshot.pickle",
    "kernel_reports": "kernels.ncu-rep",
    "kernel_roofline": "kernels.ncu-rep",
    "kernel_memory": "kernels.ncu-rep",
    "kernel_occupancy": "kernels.ncu-rep",
    "kernel_occupancy_curve": "kernels.ncu-rep",
    "kernel_pipes": "kernels.ncu-rep",
    "kernel_stalls": "kernels.ncu-rep",
    "kernel_lines": "code.ncu-rep.gz",
    "kernel_instructions": "code.ncu-rep.gz",
    "kernel_details": "kernels.ncu-rep",
    "kernel_rules": "kernels.ncu-rep",
    "kernel_metrics": "kernels.ncu-rep",
    "hangs": "dumps",
    "hang_ranks": "dumps",
    "hang_calls": "dumps",
    "collective_records": "dumps",
    "collective_bandwidth": "logs",
    "collective_lateness": "logs",
    "compilations": "compile.log",
    "recompiles": "compile.log",
    "graph_breaks": "compile.log",
    "compiled_kernels": "compile.log",
    "host_samples": "samples.raw",
    **dict.fromkeys(("npu_kernels", "npu_steps", "npu_collectives", "npu_links", "npu_pairs"), "npu"),
    **dict.fromkeys(("npu_memory", "npu_memory_peak"), "npu"),
    "operator_totals": "gpu",
    "activity_totals": "gpu",
    "input_pipeline": "data",
    "input_batches": "data",
    "cpu_utilization": "data",
}
"""Tables that the usual run has no rows of; what no example has is made."""

MADE = ("made.json", "split", "export.sqlite", "snapshot.pickle", "kernels.ncu-rep", "dumps", "logs", "compile.log")
MADE += ("samples.raw", "gpu", "data", "npu", "code.ncu-rep.gz")
CODE = Path(__file__).resolve().parents[1] / "recordings" / "ncu_source.ncu-rep.gz"


@pytest.fixture
def desk(browse: Callable[..., Page]) -> Page:
    """A page whose clipboard can be read."""
    return browse(permissions=CLIPBOARD)


@pytest.mark.parametrize(("run", "page", "parameters"), PAGES)
def test_tables_of_a_page_are_those_of_the_command_line(
    served: Served, desk: Page, examples: Path, run: str, page: str, parameters: dict[str, str]
) -> None:
    desk.goto(served(examples).at(page, run=run, **parameters))
    grids = desk.locator("main").locator("[role=grid], [role=treegrid]")
    expect(grids.first).to_be_visible()
    settled(desk)
    for i in range(grids.count()):
        assert_as_printed(desk, grids.nth(i))


TABLES_OF_A_RUN = [name for name, table in TABLES.items() if name not in ELSEWHERE and not table.base]
"""What compares with another run has no rows without that."""


@pytest.mark.parametrize("part", range(3))
def test_all_tables_are_those_of_the_command_line(served: Served, desk: Page, examples: Path, part: int) -> None:
    site = served(examples)
    for table in TABLES_OF_A_RUN[part::3]:
        assert_table(desk, site.at("tables", run=SLOW, table=table), table)


@pytest.mark.parametrize(("table", "run"), [item for item in ELSEWHERE.items() if item[1] not in MADE])
def test_tables_of_some_runs_are_those_of_the_command_line(
    served: Served, desk: Page, examples: Path, table: str, run: str
) -> None:
    assert_table(desk, served(examples).at("tables", run=run, table=table), table)


def test_tables_of_a_split_job_are_those_of_the_command_line(served: Served, desk: Page, tmp_path: Path) -> None:
    MadeRanks(Parallel(Layout(dp=2, pp=2, ep=2), microbatches=2), world=4, steps=2).write(tmp_path / "split")
    for table in [name for name, run in ELSEWHERE.items() if run == "split"]:
        assert_table(desk, served(tmp_path).at("tables", run="split", table=table), table)


@pytest.mark.parametrize("table", [name for name, run in ELSEWHERE.items() if run == "made.json"])
def test_tables_of_a_made_run_are_those_of_the_command_line(
    served: Served, desk: Page, tmp_path: Path, table: str
) -> None:
    write(tmp_path / "made.json", *counted(), *sampled(), *served_tokens())
    assert_table(desk, served(tmp_path).at("tables", run="made.json", table=table), table)


@pytest.mark.parametrize("table", [name for name, run in ELSEWHERE.items() if run == "snapshot.pickle"])
def test_tables_of_a_memory_snapshot_are_those_of_the_command_line(
    served: Served, desk: Page, tmp_path: Path, table: str
) -> None:
    troubled().write(tmp_path / "snapshot.pickle")
    assert_table(desk, served(tmp_path).at("tables", run="snapshot.pickle", table=table), table)


@pytest.mark.parametrize("table", [name for name, run in ELSEWHERE.items() if run == "kernels.ncu-rep"])
def test_tables_of_a_kernel_report_are_those_of_the_command_line(
    served: Served, desk: Page, tmp_path: Path, table: str
) -> None:
    write_report(tmp_path / "kernels.ncu-rep")
    assert_table(desk, served(tmp_path).at("tables", run="kernels.ncu-rep", table=table), table)


@pytest.mark.parametrize("table", ["kernel_lines", "kernel_instructions"])
def test_tables_of_the_code_of_a_kernel_report_are_those_of_the_command_line(
    served: Served, desk: Page, tmp_path: Path, table: str
) -> None:
    (tmp_path / "code.ncu-rep.gz").write_bytes(CODE.read_bytes())
    assert_table(desk, served(tmp_path).at("tables", run="code.ncu-rep.gz", table=table), table)


def test_tables_of_logs_of_collectives_are_those_of_the_command_line(
    served: Served, desk: Page, tmp_path: Path
) -> None:
    logs = MadeLogs()
    logs.call(1, {0: 300, 1: 200})
    logs.call(2, {0: 250, 1: 260})
    logs.write(tmp_path / "logs")
    for table in [name for name, run in ELSEWHERE.items() if run == "logs"]:
        assert_table(desk, served(tmp_path).at("tables", run="logs", table=table), table)


def test_tables_of_compilation_are_those_of_the_command_line(served: Served, desk: Page, tmp_path: Path) -> None:
    log = compile_log()
    log.artifact("inductor_provenance_tracking_kernel_stack_traces", '{"triton_poi_0:1": []}', "0/0", "json")
    log.write(tmp_path, "compile.log")
    site = served(tmp_path)
    for table in [name for name, run in ELSEWHERE.items() if run == "compile.log"]:
        assert_table(desk, site.at("tables", run="compile.log", table=table), table)


def test_samples_of_python_are_those_of_the_command_line(served: Served, desk: Page, tmp_path: Path) -> None:
    (tmp_path / "samples.raw").write_text("main (t.py:3);load (t.py:9) 2\nmain (t.py:3) 1\n")
    assert_table(desk, served(tmp_path).at("tables", run="samples.raw", table="host_samples"), "host_samples")


def test_tables_of_dumps_are_those_of_the_command_line(served: Served, desk: Page, tmp_path: Path) -> None:
    one_left().write(tmp_path / "dumps")
    for table in [name for name, run in ELSEWHERE.items() if run == "dumps"]:
        assert_table(desk, served(tmp_path).at("tables", run="dumps", table=table), table)


@pytest.mark.parametrize(("run", "files"), [("gpu", GPU), ("data", DATA)])
def test_tables_of_mindspore_are_those_of_the_command_line(
    served: Served, desk: Page, tmp_path: Path, run: str, files: dict[str, str]
) -> None:
    (tmp_path / run).mkdir()
    for name, content in files.items():
        (tmp_path / run / name).write_text(content)
    for table in [name for name, of in ELSEWHERE.items() if of == run]:
        assert_table(desk, served(tmp_path).at("tables", run=run, table=table), table)


def test_tables_of_an_npu_are_those_of_the_command_line(served: Served, desk: Page, tmp_path: Path) -> None:
    write_run(tmp_path).rename(tmp_path / "npu")
    for table in [name for name, of in ELSEWHERE.items() if of == "npu"]:
        assert_table(desk, served(tmp_path).at("tables", run="npu", table=table), table)


@pytest.mark.parametrize("table", [name for name, run in ELSEWHERE.items() if run == "export.sqlite"])
def test_tables_of_an_export_are_those_of_the_command_line(
    served: Served, desk: Page, tmp_path: Path, table: str
) -> None:
    export = everything_beside(training(), PROCESS)
    export.add("CUPTI_ACTIVITY_KIND_MEMSET", 81_000, 81_100, 0, 1, 7, 50, thread(0), 1_000, 2)
    export.write(tmp_path / "export.sqlite")
    assert_table(desk, served(tmp_path).at("tables", run="export.sqlite", table=table), table)


def counted() -> list[Event]:
    """A kernel measured by hardware counters."""
    counted = {"smsp__inst_executed.sum": 12_345, "sm__cycles_active.avg": 0.25, "profiler__x": 3.0}
    measured = timed("cuda_profiler_range", "relu", 20, 30, process=0, thread=0, **counted)
    return [operator("aten::relu", 5, 15), *launched(kernel("relu", 20, 30, 1), 6), measured]


def sampled() -> list[Event]:
    """Samples of a counter over time."""
    return [
        {"ph": "C", "name": "Power (W)", "pid": "GPU 0 Counters", "ts": microseconds(at), "args": {"": 300 + at}}
        for at in range(0, 100, 10)
    ]


def served_tokens() -> list[Event]:
    """Two iterations of an inference server."""
    return [annotation(f"step[DECODE bs={at}]", at, at + 100) for at in (8, 208)]


def without_unit(text: str) -> str:
    """A cell without the unit that all of its column have, which the page says once."""
    return text.removesuffix(" %").removesuffix(" GB/s")


def assert_table(desk: Page, address: str, table: str) -> None:
    """Open the page of a table and compare it."""
    desk.goto(address)
    chosen = desk.locator("main [aria-current=true]")
    expect(chosen).to_have_attribute("href", re.compile(f"table={table}$"))
    main = desk.get_by_role("main")
    grid, of_one_row = main.get_by_role("grid"), main.get_by_role("button", name=re.compile("columns as a table"))
    expect(grid.or_(of_one_row)).to_be_visible()
    if of_one_row.count():
        of_one_row.click()
    command = assert_as_printed(desk, grid)
    assert command.split()[2] == table


def assert_as_printed(desk: Page, grid: Locator) -> str:
    """Compare a grid with what its own command prints; returns that."""
    command = copied(desk, grid, "Copy as command")
    rows = unattributed_last(printed(command))
    assert_copied(command, csv_rows(copied(desk, grid, "Copy as CSV")), rows)
    origin = desk.evaluate(
        "async run => (await (await fetch('api/run?run=' + encodeURIComponent(run))).json()).origin_ns",
        desk.url.split("run=")[1].split("&")[0],
    )
    assert_seen(command, sight(grid), rows, int(origin), grid.get_attribute("role") == "treegrid")
    return command


def unattributed_last(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a table could not attribute stands under the rows, whatever their order."""
    name = next((name for name in ("name", "op") if rows and name in rows[0]), "")
    return sorted(rows, key=lambda row: row.get(name) == UNATTRIBUTED)


def assert_copied(command: str, ours: list[dict[str, str]], theirs: list[dict[str, Any]]) -> None:
    """Every cell of every row that is copied."""
    assert len(ours) == len(theirs) > 0, command
    for row, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        assert list(mine) == list(other), command
        wrong = {name: (mine[name], value) for name, value in other.items() if not same(mine[name], value)}
        assert not wrong, f"{command}, row {row}"


def assert_seen(command: str, sight: Sight, rows: list[dict[str, Any]], origin: int, is_tree: bool = False) -> None:
    """The text and the title of every cell in sight."""
    assert len(sight.rows) >= min(3, len(rows)), command
    frame = pl.DataFrame(rows, infer_schema_length=None)
    frame = frame.with_columns(pl.col(name) - origin for name in MOMENTS if name in frame.columns)
    words = command.split()
    by = words[words.index("--by") + 1] if "--by" in words else ""
    texts = {column.name: column.cells for column in text_columns(frame, words[2], by)}
    for row in sight.rows:
        # Rows of a tree stand below their parents, and not in the order of the command.
        places = range(len(rows)) if is_tree else [row.index]
        wrong = [different(sight.columns, row, rows[place], texts, place) for place in places]
        assert [] in wrong, f"{command}, row {row.index}: {min(wrong, key=len)}"


def different(
    columns: list[str], row: Row, printed: dict[str, Any], texts: dict[str, list[str]], place: int
) -> list[str]:
    """Columns of a row in sight that say something else than a printed one."""
    found = []
    for name, text, title in zip(columns, row.texts, row.titles, strict=True):
        value = printed[name]
        if isinstance(value, str):
            says = title.endswith(f": {value}")
        else:
            says = without_unit(text) == without_unit("–" if value is None else texts[name][place])
        if isinstance(value, int) and not isinstance(value, bool):
            says = says and (f"{value:,}" in title or (name in MOMENTS and str(value) in title))
        found += [] if says else [name]
    return found
