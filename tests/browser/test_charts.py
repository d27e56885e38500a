"""The charts: what hover and keyboard say is what the tables hold, and names of a trace stay text."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import stepscope
from browsing.pages import settled
from building import annotation, call, kernel, launched, operator, step, write
from stepscope.messages.quantities import bytes_text, percent_text, time_text

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from browsing.site import Served

RUN = "batch_size.slow.pt.trace.json.gz"
RECORDINGS = Path(__file__).parents[1] / "recordings"
HOSTILE = "<img src=x onerror=window.harmed=1>"


def chart(page: Page, title: str) -> Locator:
    return page.get_by_role("group", name=re.compile(rf"^{re.escape(title)}"))


def spoken(page: Page, title: str) -> Locator:
    """What a screen reader hears of the mark that the keyboard stands on."""
    figure = page.get_by_role("figure").filter(has=page.get_by_role("heading", name=title, exact=True))
    return figure.locator("[aria-live]")


def exact(ns: int) -> str:
    return f"{time_text(ns)} ({ns:,} ns)" if abs(ns) >= 1000 else time_text(ns)


@pytest.fixture(scope="module")
def profile(examples: Path) -> Any:
    return stepscope.open(examples / RUN)


def test_step_trace_by_keyboard(served: Served, page: Page, examples: Path, profile: Any) -> None:
    page.goto(served(examples).at("step_trace", run=RUN))
    average = profile.show("step_trace", by="average").row(0, named=True)
    parts = [time_text(average[name]) for name in ("total_ns", "interval_ns", "forward_backward_ns", "tail_ns")]
    expect(page.locator(".answer")).to_have_text(
        f"A step takes {parts[0]} on the GPU’s clock (mean of 2 steady steps): {parts[1]} before the model computes, "
        f"{parts[2]} of forward and backward, {parts[3]} after them."
    )
    rows = profile.show("step_trace").to_dicts()
    chart(page, "Each step").focus()
    page.keyboard.press("End")
    row = rows[-1]
    names = {"interval": "interval_ns", "forward": "forward_ns", "backward": "backward_ns", "tail": "tail_ns"}
    said = [f"{name} {exact(row[column])}" for name, column in (names | {"step": "total_ns"}).items()]
    expect(spoken(page, "Each step")).to_have_text(f"step {row['step']}: {', '.join(said)}")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**step={row['step']}*")
    expect(page.get_by_role("grid").get_by_role("row")).to_have_count(2)  # its head and the one step


def test_each_cause_of_idle_time_has_its_bar(served: Served, page: Page, examples: Path, profile: Any) -> None:
    page.goto(served(examples).at("idle", run=RUN))
    idle = profile.show("idle").sort("duration_ns", descending=True).to_dicts()
    most = max(row["per_step_ns"] for row in idle)
    share = percent_text(100 * most / sum(row["per_step_ns"] for row in idle))
    expect(page.locator(".answer")).to_contain_text(f"{time_text(most)} a step ({share} of it)")
    chart(page, "Idle time by cause").focus()
    for row in idle:
        page.keyboard.press("ArrowDown")
        expect(spoken(page, "Idle time by cause")).to_contain_text(f"idle time {exact(row['duration_ns'])}, ")
    page.get_by_role("radio", name="gap", exact=True).check()
    gap = profile.show("idle", by="gap").row(0, named=True)
    first = page.get_by_role("grid", name="Gaps, longest first").get_by_role("row").nth(1)
    expect(first).to_contain_text(time_text(gap["duration_ns"]).replace(" ", ""))
    first.click()
    page.get_by_role("link", name="Show on timeline").click()
    page.wait_for_url("**#/timeline*")
    shown = re.search(r"[?&]t=(\d+)(?:%2C|,)(\d+)", page.url)
    assert shown is None or int(shown.group(2)) - int(shown.group(1)) > gap["duration_ns"]


def test_memory_curve_is_exact_and_opens_its_row(served: Served, page: Page, examples: Path, profile: Any) -> None:
    page.goto(served(examples).at("memory", run=RUN))
    timeline = profile.show("memory_timeline").filter(pl.col("device") == "cuda:0")
    peak = timeline.filter("peak").row(0, named=True)
    expect(page.locator(".answer")).to_contain_text(
        f"Peak on cuda:0: {bytes_text(peak['allocated_bytes'])}, "
        f"{percent_text(peak['capacity_pct'])} of its memory, with {bytes_text(peak['reserved_bytes'])} reserved"
    )
    title = "Memory of cuda:0 over time"
    expect(chart(page, title).locator("canvas")).to_be_visible()
    chart(page, title).focus()
    page.keyboard.press("ArrowRight")
    known = {f"{row['allocated_bytes']:,} B" for row in timeline.to_dicts()}
    expect(spoken(page, title)).to_contain_text("allocated")
    said = re.search(r"allocated [^,]*\(([\d,]+ B)\)", spoken(page, title).inner_text())
    assert said
    assert said.group(1) in known
    page.keyboard.press("Enter")
    grid = page.get_by_role("grid", name="Each change")
    expect(grid.get_by_role("row", selected=True)).to_have_count(1)
    page.keyboard.press("Control+Home")
    boxes = chart(page, "Alive at the peak of cuda:0")
    boxes.focus()
    page.keyboard.press("ArrowRight")
    largest = profile.show("memory_peak").filter(pl.col("device") == "cuda:0").row(0, named=True)
    expect(spoken(page, "Alive at the peak of cuda:0")).to_contain_text(f"({largest['alive_bytes']:,} B)")


def test_a_change_chosen_on_the_curve_stands_below_it(served: Served, page: Page, examples: Path) -> None:
    """The page went down to the row, which was the last in sight: the curve that was clicked was gone."""
    page.goto(served(examples).at("memory", run=RUN))
    settled(page)
    curve = chart(page, "Memory of cuda:0 over time")
    curve.click(position={"x": 600, "y": 120})
    grid = page.get_by_role("grid", name="Each change")
    row = grid.get_by_role("row", selected=True)
    expect(row).to_be_in_viewport(ratio=1)
    expect(curve).to_be_in_viewport(ratio=1)
    at = int(row.get_attribute("aria-rowindex") or 0)
    for beside in range(at - 2, at + 3):
        expect(grid.locator(f'[aria-rowindex="{beside}"]')).to_be_in_viewport(ratio=1)


def test_what_stands_for_an_operator_is_chinese_in_the_chinese_app(
    served: Served, browse: Callable[..., Page], examples: Path, profile: Any
) -> None:
    """The largest box of the treemap said "(allocated before the recording)"."""
    page = browse(language="zh-CN")
    page.goto(served(examples).at("memory", run=RUN))
    title = "cuda:0 峰值时的内容"
    boxes = chart(page, title)
    expect(boxes.locator("canvas")).to_be_visible()
    boxes.focus()
    peak = profile.show("memory_peak").filter(pl.col("device") == "cuda:0").sort("alive_bytes", descending=True)
    at = peak["op"].to_list().index("(allocated before the recording)")
    for _ in range(at + 1):
        page.keyboard.press("ArrowRight")
    expect(spoken(page, title)).to_contain_text("（采集开始前已分配）")


def test_points_of_the_roofline_open_in_the_dock(served: Served, page: Page, examples: Path, profile: Any) -> None:
    page.goto(served(examples).at("roofline", run=RUN))
    points = profile.show("roofline").filter(pl.col("achieved_flops") > 0, pl.col("intensity") > 0)
    assert len(points) > 0
    title = "Operators under the roofs of the device"
    chart(page, title).focus()
    page.keyboard.press("ArrowRight")
    first = points.row(0, named=True)
    expect(spoken(page, title)).to_contain_text(f"{first['op']}: ")
    expect(spoken(page, title)).to_contain_text(f"shapes {first['shapes']}")
    page.keyboard.press("Enter")
    dock = page.get_by_role("complementary", name="Details")
    expect(dock).to_contain_text(first["op"])
    expect(dock).to_contain_text(first["shapes"])


def test_launches_and_lengths(served: Served, page: Page, examples: Path, profile: Any) -> None:
    page.goto(served(examples).at("launches", run=RUN))
    api = profile.show("launches").sort("host_ns", descending=True).row(0, named=True)
    expect(page.locator(".answer")).to_contain_text(
        f"A {api['name']} call takes {time_text(api['host_p50_ns'])} on the host (median of {api['calls']:,})"
    )
    lengths = profile.show("kernel_lengths").to_dicts()
    chart(page, "Kernels by duration").focus()
    for row in lengths:
        page.keyboard.press("ArrowRight")
        expect(spoken(page, "Kernels by duration")).to_contain_text(f"kernels {row['calls']:,}, time ")


def test_launches_are_headed_by_a_call_that_launches(served: Served, page: Page, tmp_path: Path) -> None:
    """Ten blocking copies stood for all launches of a run: such calls could not keep the GPU busy."""
    write(
        tmp_path / "copies.json",
        step(1, 0, 900_000),
        call(100_000, 800_000, 99, name="cudaMemcpyAsync"),
        *(launched(kernel("gemm", 10_000 * at + 5000, 10_000 * at + 9000, at), 10_000 * at) for at in range(1, 8)),
    )
    page.goto(served(tmp_path).at("launches", run="copies.json"))
    expect(page.locator(".answer")).to_contain_text("A cudaLaunchKernel call takes")


def test_boxes_of_data_loading(served: Served, page: Page) -> None:
    page.goto(served(RECORDINGS).at("data_loading", run="loader_slow_workers.json.gz"))
    facts = (
        stepscope.open(RECORDINGS / "loader_slow_workers.json.gz").show("data_loading", by="rank").row(0, named=True)
    )
    assert facts["verdict"] == "processing"
    expect(page.locator(".answer")).to_contain_text("Input-bound: batches are not produced in time")
    expect(page.locator(".answer")).to_contain_text(percent_text(facts["share_pct"]))
    held = page.get_by_role("listitem").filter(has_text="Data loader")
    expect(held).to_contain_text("bottleneck")


def test_the_head_of_data_loading_says_what_the_step_loses(served: Served, page: Page, examples: Path) -> None:
    """A fetch that copies to the GPU waits there for earlier work: that is no waiting for data."""
    page.goto(served(examples).at("data_loading", run="ddp4_straggler"))
    table = stepscope.open(examples / "ddp4_straggler").show("data_loading", by="rank")
    facts = table.sort("share_pct", descending=True).row(0, named=True)
    lost, fetching, calls = (time_text(facts[name]) for name in ("exposed_ns", "wait_ns", "calls_ns"))
    said = page.locator(".answer")
    expect(said).to_contain_text(f"left the GPU idle for {lost}, {percent_text(facts['share_pct'])} of step time")
    expect(said).to_contain_text(f"{fetching} in fetches, {calls} of it in their own CUDA calls")


def test_pages_of_a_job_say_which_rank_they_are_about_and_why(served: Served, page: Page, examples: Path) -> None:
    site = served(examples)
    idle = stepscope.open(examples / "ddp4_straggler").show("idle")
    rank = idle.group_by("rank").agg(pl.col("per_step_ns").sum()).sort("per_step_ns").row(-1)[0]
    page.goto(site.at("idle", run="ddp4_straggler"))
    expect(page.locator(".answer")).to_contain_text(f"of rank {rank}, whose GPU idles most: unknown")
    expect(page.locator(".answer")).to_contain_text("the next work had been launched, but the GPU began late")
    page.goto(site.at("communication", run="ddp4_straggler"))
    expect(page.locator(".answer")).to_contain_text("the one with the most exposed communication")


def test_the_language_changes_in_place(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("idle", run=RUN))
    expect(chart(page, "Idle time by cause").locator("canvas")).to_be_visible()
    page.evaluate("window.stayed = true")
    page.get_by_role("button", name=re.compile("中文")).click()
    expect(chart(page, "各原因的空闲时间")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("空闲")
    assert page.evaluate("window.stayed") is True


def test_a_page_without_data_says_how_to_record_it(
    served: Served, page: Page, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("bare")
    events = [launched(kernel("k", 20 + 100 * i, 60 + 100 * i, i + 1), 10 + 100 * i) for i in range(3)]
    write(folder / "bare.json", [step(i, 100 * i, 100 * i + 90) for i in range(3)], *events)
    page.goto(served(folder).at("memory", run="bare.json"))
    expect(page.get_by_role("note")).to_contain_text("The recording has no memory events")
    expect(page.get_by_role("note").get_by_role("code")).to_have_text("profile_memory=True")


def hostile_trace(path: Path) -> Path:
    """Names that are markup, templates of a chart library, or far too long, in every place that charts show."""
    names = [HOSTILE, "{b|x} %s ${1}", "</script><script>window.harmed=1</script>", "A" * 4000]
    events: list[Any] = []
    memory = {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "s": "t", "pid": 1, "tid": 1}
    for number in range(3):
        at = number * 1_000_000
        events += [step(number, at, at + 900_000), annotation(f"enumerate(DataLoader)#{HOSTILE}", at, at + 400_000)]
        for i, name in enumerate(names):
            start = at + 420_000 + i * 100_000
            args = {"Device Type": 1, "Device Id": 0, "Bytes": 1 << 20, "Addr": number * 10 + i + 1}
            total = {"Total Allocated": (number * 4 + i + 1) << 20, "Total Reserved": 1 << 30}
            events += [
                operator(name, start, start + 50_000),
                launched(kernel(name, start + 10_000, start + 70_000, number * 4 + i + 1), start + 2_000),
                memory | {"ts": (start + 5_000) / 1000, "args": args | total},
            ]
    return write(path, *events)


PAGES: list[tuple[str, Callable[[Page], None]]] = [
    ("memory", lambda page: chart(page, "Alive at the peak of cuda:0").focus()),
    ("idle", lambda page: chart(page, "Idle time by cause").focus()),
    ("step_trace", lambda page: chart(page, "Each step").focus()),
]


def test_names_of_a_trace_stay_text(served: Served, page: Page, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("hostile")
    hostile_trace(folder / "hostile.json")
    site = served(folder)
    for name, focus in PAGES:
        page.goto(site.at(name, run="hostile.json"))
        focus(page)
        for _ in range(4):
            page.keyboard.press("ArrowDown")
        expect(page.locator(".tip")).to_be_visible()
        page.get_by_role("figure").get_by_role("button", name=": Copy").first.click()
        with page.expect_download():
            page.get_by_role("button", name="SVG").click()
        assert page.evaluate("window.harmed") is None
        assert page.locator("main img").count() == 0
    page.goto(site.at("memory", run="hostile.json"))
    chart(page, "Alive at the peak of cuda:0").focus()
    heads = []
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        heads.append(page.locator(".tip strong").inner_text())
    assert HOSTILE in heads


def test_the_report_says_the_same(report_page: Any, served: Served, page: Page, examples: Path) -> None:
    report = report_page(examples / RUN, page="step_trace")
    pages = {
        "step_trace": "Step trace",
        "idle": "Idle",
        "launches": "Launches",
        "memory": "Memory",
        "roofline": "Roofline",
    }
    for name, title in pages.items():
        page.goto(served(examples).at(name, run=RUN))
        report.evaluate("page => (location.hash = `#/${page}`)", name)
        for one in (page, report):
            expect(one.get_by_role("heading", level=1)).to_have_text(title)
        answer = page.locator(".answer")
        expect(answer).to_be_visible()
        expect(report.locator(".answer")).to_have_text(answer.inner_text())
        expect(report.locator("figure canvas").first).to_be_visible()


def test_what_can_be_taken_from_a_chart_is_one_menu(served: Served, page: Page, examples: Path) -> None:
    """Four words of copying stood beside every chart, and two charts side by side cut them."""
    page.goto(served(examples).at("operators", run="batch_size.slow.pt.trace.json.gz"))
    figure = page.get_by_role("figure", name="Where the time goes")
    menu = figure.get_by_role("button", name="Copy")
    expect(menu).to_have_accessible_name("Where the time goes: Copy")
    menu.press("Enter")
    box = figure.get_by_role("group", name="Where the time goes", exact=True)
    expect(box.get_by_role("button")).to_have_text(["Copy as CSV", "PNG", "SVG", "Copy as command"])
    with page.expect_download() as download:
        box.get_by_role("button", name="PNG").click()
    assert download.value.suggested_filename == "where-the-time-goes.png"
    expect(box).to_have_count(0)
    expect(menu).to_be_focused()
