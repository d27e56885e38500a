"""The page Runs: a line for each run with its verdict, what does not open; unknown addresses."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import stepscope
from browsing.pages import expect_parameter, faint, nameless, settled
from building import kernel, launched, operator, step, write

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

    from browsing.site import Served

STRAGGLER = "ddp4_straggler"
ONE_RANK = "batch_size.slow.pt.trace.json.gz"
RECORDINGS = Path(__file__).parents[1] / "recordings"
HINT_FITS = """field => {
  const pen = document.createElement('canvas').getContext('2d')
  pen.font = getComputedStyle(field).font
  return pen.measureText(field.placeholder).width < field.clientWidth - 16
}"""
EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, examples: Path) -> Path:
    """Two runs that were recorded, one of CPU work, and files that do not open."""
    root = tmp_path_factory.mktemp("leaderboard")
    shutil.copy(examples / ONE_RANK, root / "batch.json.gz")
    shutil.copytree(examples / STRAGGLER, root / "jobs" / STRAGGLER)
    write(root / "jobs" / "tiny.json", step(1, 0, 1000), operator("aten::mm", 10, 500))
    (root / "empty.json").write_text('{"schemaVersion": 1, "traceEvents": []}')
    (root / f"{EVIL.replace('/', '')}.json").write_bytes(b"")
    (root / "report.ncu-rep").write_bytes(b"NVR\\0...")
    return root


def line(page: Page, name: str) -> Locator:
    return page.get_by_role("row", name=re.compile(name))


def test_every_run_says_its_verdict_without_being_opened(served: Served, page: Page, folder: Path) -> None:
    page.goto(served(folder).at("runs"))
    late = line(page, STRAGGLER)
    expect(late).to_contain_text("Straggler: rank 2")
    findings = stepscope.open(folder / "jobs" / STRAGGLER).show("findings")
    expect(late).to_contain_text(f"~{round(findings['saving_pct'].max())}\u00a0%")
    expect(late.get_by_role("img", name=re.compile(r"^3 steps, .* to .*communication"))).to_be_visible()
    expect(line(page, "batch")).to_contain_text("Host-bound")
    expect(line(page, "batch")).to_contain_text("H200")
    # The sentence of the recommendation was cut after its third word.
    expect(line(page, "batch")).to_contain_text(re.compile(r"~\d+\s%\s+Launch-bound"))
    expect(line(page, "tiny")).to_contain_text("CPU only")
    expect(page.get_by_role("button", name="Pause reading")).to_have_count(0)  # all are read
    assert [*nameless(page), *faint(page)] == []


def test_names_are_whole_and_health_is_in_sight(served: Served, page: Page, examples: Path, tmp_path: Path) -> None:
    """At 1280 the name had 171 px, and the last columns stood outside of the window."""
    name = "p.batch_size.fixed.light"
    (tmp_path / "h200_sweep_of_batch_sizes").mkdir()
    shutil.copy(examples / ONE_RANK, tmp_path / "h200_sweep_of_batch_sizes" / f"{name}.pt.trace.json.gz")
    page.goto(served(tmp_path).at("runs"))
    link = page.get_by_role("link", name=name)
    expect(line(page, name)).to_contain_text("Host-bound")
    assert link.evaluate("""one => {
      const text = document.createRange()
      text.selectNodeContents(one)
      return text.getBoundingClientRect().width <= one.getBoundingClientRect().width
    }""")
    assert page.get_by_role("main").evaluate("one => one.scrollWidth <= one.clientWidth")
    for column in ("Health", "Written"):
        expect(page.get_by_role("columnheader", name=column)).to_be_in_viewport(ratio=1)


def test_any_sort_holds_over_all_folders_and_groups_are_a_choice(served: Served, page: Page, folder: Path) -> None:
    page.goto(served(folder).at("runs"))
    expect(line(page, STRAGGLER)).to_contain_text("Straggler")
    page.get_by_role("button", name="Step time").click()
    expect_parameter(page, "sort", "step_ns")
    names = page.locator("tr[data-run] a")
    expect(names.first).to_have_text(STRAGGLER)
    page.get_by_role("button", name="Step time").click()
    expect(names.last).to_have_text(STRAGGLER)
    page.get_by_role("radio", name="By folder").check()
    expect(page.get_by_role("rowheader", name="jobs")).to_be_visible()


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_the_arrow_of_the_sort_is_seen_in_every_column(
    served: Served, browse: Callable[..., Page], folder: Path, language: str
) -> None:
    """Behind "GPU busy" it lay below the next heading."""
    page = browse(language=language)
    page.goto(served(folder).at("runs"))
    for heading in page.locator("thead th:visible").all():
        heading.get_by_role("button").click()
        arrow = heading.get_by_text(re.compile("[↑↓]")).last
        box = arrow.evaluate("""one => {
          const { left, right, top, bottom } = one.getBoundingClientRect()
          const seen = x => one === document.elementFromPoint(x, (top + bottom) / 2)
          return [seen(left + 1), seen(right - 1)]
        }""")
        assert box == [True, True], heading.text_content()


def test_enter_in_the_filter_opens_the_first_hit_and_the_arrow_goes_to_it(
    served: Served, page: Page, folder: Path
) -> None:
    page.goto(served(folder).at("runs"))
    expect(line(page, STRAGGLER)).to_contain_text("Straggler")
    page.keyboard.press("/")
    page.keyboard.type("straggler")
    expect(page.locator("tr[data-run]")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(line(page, STRAGGLER)).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("is a straggler")


@pytest.mark.parametrize("width", [1280, 1920])
def test_groups_leave_the_columns_where_they_are(
    served: Served, browse: Callable[..., Page], folder: Path, width: int
) -> None:
    """By folder, the table was 160 px narrower than the page: its headings spanned columns that were not shown."""
    page = browse(width=width, height=800)
    page.goto(served(folder).at("runs"))
    expect(line(page, STRAGGLER)).to_contain_text("Straggler")
    places = "all => all.filter((one) => one.offsetParent).map((one) => Math.round(one.getBoundingClientRect().right))"
    heads = page.get_by_role("columnheader")
    before = heads.evaluate_all(places)
    page.get_by_role("radio", name="By folder").check()
    expect(page.get_by_role("rowheader", name="jobs")).to_be_visible()
    assert heads.evaluate_all(places) == before


def test_the_filter_knows_columns_and_says_what_it_does_not_understand(
    served: Served, page: Page, folder: Path
) -> None:
    page.goto(served(folder).at("runs"))
    expect(line(page, STRAGGLER)).to_contain_text("Straggler")
    page.keyboard.press("/")
    field = page.get_by_role("searchbox", name="Filter")
    expect(field).to_be_focused()
    assert field.evaluate(HINT_FITS), "the hint was cut at 1280"
    field.fill("bottleneck:host gpu:h200")
    expect(page.locator("tr[data-run]")).to_have_count(1)
    field.fill("step time >")
    expect(page.get_by_role("status").first).to_contain_text("`step time >` is not complete. Try `step time > 1ms`.")
    expect(page.locator("tr[data-run]")).not_to_have_count(0)
    field.fill("step time > 100ms")
    expect(page.locator("tr[data-run] a")).to_have_text([STRAGGLER])


def test_files_that_do_not_open_are_a_line_each(served: Served, page: Page, folder: Path) -> None:
    page.goto(served(folder).at("runs"))
    expect(line(page, STRAGGLER)).to_contain_text("Straggler")  # empty.json was tried by then
    fold = page.get_by_role("button", name=re.compile("3 recordings do not open: .*kernel report"))
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.click()
    of = page.get_by_role("listitem")
    expect(of.filter(has_text="empty.json")).to_contain_text("the trace holds no events")
    for summary in page.locator("details > summary").all():
        box = summary.bounding_box()
        assert box
        assert box["height"] <= 28, "one line"
    advice = page.get_by_text("Was the profiler stopped before a step was recorded")
    expect(advice).to_be_hidden()
    page.locator("summary", has_text="empty.json").click()
    expect(advice).to_be_visible()
    expect(of.filter(has_text="<img")).to_contain_text("the file is empty")
    assert page.locator("img").count() == 0


def test_reading_is_paused_and_goes_on(served: Served, page: Page, tmp_path: Path) -> None:
    """Who pauses it names no run to the server any more; who lets it go on does."""
    (tmp_path / "runs").mkdir()
    page.goto(served(tmp_path / "runs").at("runs"))
    expect(page.get_by_role("main")).to_contain_text("No recordings were found")
    page.evaluate("localStorage.setItem('stepscope.preferences', JSON.stringify({ readsAhead: false }))")
    page.reload()
    write(tmp_path / "runs" / "one.json", step(1, 0, 100), launched(kernel("gemm", 20, 60, 1), 10))
    expect(line(page, "one")).to_contain_text("not read yet")
    expect(page.get_by_text("0 of 1 read")).to_be_visible()
    with page.expect_request(lambda asked: "first=one.json" in asked.url and "read=1" in asked.url):
        page.get_by_role("button", name="Read in the background").click()
    expect(line(page, "one").get_by_role("img")).to_be_visible()


RUNS = 200


def many(read: int) -> dict[str, object]:
    """A list of 200 runs of which so many were read."""
    strip = {
        "first": list(range(40)), "last": list(range(40)), "total": [100] * 40, "most": [120] * 40,
        "cut": [False] * 40, "parts": {"compute": [60] * 40, "host": [40] * 40},
    }  # fmt: skip
    summary = {
        "steps": 40, "unmarked": False, "device": None, "ranks": 1, "examined": 1, "step_ns": 100, "rank": 0,
        "bound": "gpu", "busy_pct": 60, "busy_low_pct": 60, "busy_high_pct": 60, "headline": None, "saving": None,
        "strip": strip,
    }  # fmt: skip
    runs = [
        {
            "id": f"run{i:03}", "name": f"run{i:03}", "path": f"run{i:03}", "kind": "trace", "framework": "PyTorch",
            "device": None, "ranks": 1, "created_s": 1, "updated_s": RUNS - i, "size_bytes": 1, "snapshot": False,
            "steps": 40 if i < read else None, "health": "ok" if i < read else None,
            "summary": summary if i < read else None, "state": "ready" if i < read else "unread",
            "reason": None, "advice": None, "opens": True,
        }
        for i in range(RUNS)
    ]  # fmt: skip
    return {"root": "/runs", "version": f"{read}", "background": "on", "notes": [], "runs": runs}


def test_of_200_runs_those_in_sight_are_named_to_the_server(served: Served, browser: object, folder: Path) -> None:
    def answer(route: Route) -> None:
        route.fulfill(json=many(50))

    context = browser.new_context(viewport={"width": 1280, "height": 800})  # type: ignore[attr-defined]
    try:
        page: Page = context.new_page()
        page.route("**/api/runs*", answer)
        page.goto(served(folder).at("runs"))
        expect(page.locator("tr[data-run]")).to_have_count(RUNS)
        expect(page.get_by_text("50 of 200 read")).to_be_visible()
        page.locator("tr[data-run='run120']").scroll_into_view_if_needed()
        with page.expect_request(lambda request: "first=run120" in request.url) as asked:
            pass
        named = re.findall("first=(run...)", asked.value.url)
        assert 0 < len(named) <= 16
        assert all(int(one[3:]) > 100 for one in named)
        row = page.locator("tr[data-run='run120']")
        row.focus()
        page.keyboard.press("End")
        expect(page.locator("tr[data-run='run199']")).to_be_focused()
        page.get_by_role("searchbox", name="Filter").fill("run19")
        expect(page.locator("tr[data-run]")).to_have_count(10)
    finally:
        context.close()


def test_an_unknown_page_keeps_the_run_and_names_the_nearest(served: Served, page: Page, examples: Path) -> None:
    """It showed the verdict without a word, under an address that stayed wrong."""
    page.goto(served(examples).at("what-if", run=ONE_RANK))
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no page 'what-if'.")
    expect(page.get_by_role("navigation", name="Pages").get_by_role("link", name="Verdict")).to_be_visible()
    page.get_by_role("alert").get_by_role("link", name="What if").click()
    page.wait_for_url(f"**/what_if?run={ONE_RANK}")
    page.goto(served(examples).at("nonsense-page", run=ONE_RANK))
    expect(page.get_by_role("alert").get_by_role("link", name="Verdict")).to_be_visible()


def test_a_file_without_a_recording_says_so(
    served: Served, page: Page, tmp_path: Path, allowed_errors: list[str]
) -> None:
    allowed_errors.append("404")
    (tmp_path / "noise.json.gz").write_bytes(b"\x91\xff" * 100)
    site = served(tmp_path)
    page.goto(site.at("verdict", run="noise.json.gz"))
    expect(page.get_by_role("alert")).to_contain_text("the file noise.json.gz holds no recording")
    page.goto(site.at("runs"))
    expect(page.get_by_role("main")).to_contain_text("1 file holds no recording: noise.json.gz.")


def test_all_tables_hold_no_sentence_with_a_gap(
    served: Served, browse: Callable[..., Page], report_page: Callable[..., Page], examples: Path
) -> None:
    """ "The recording has . Record with ." of what did not happen, and of what no option records."""
    for page in (browse(), browse(language="zh-CN")):
        page.goto(served(examples).at("tables", run=ONE_RANK))
        expect(page.get_by_role("main").get_by_role("term").first).to_be_visible()
        text = page.get_by_role("main").inner_text()
        titles = page.locator("[title]").evaluate_all("all => all.map(one => one.title)")
        for said in (text, *titles):
            assert not re.search(r"has \.|with \.|with torch\.profiler, \.|记录中。|请用 +采集", said)
    page = report_page(examples / ONE_RANK, page="tables")
    expect(page.get_by_role("main").get_by_role("term").first).to_be_visible()
    assert "has ." not in page.get_by_role("main").inner_text()


def test_a_filter_that_is_not_understood_says_what_would_be(served: Served, page: Page, examples: Path) -> None:
    """`gpu >` and unknown columns left no row, as if nothing matched."""
    page.goto(served(examples).at("kernels", run=ONE_RANK))
    settled(page)
    page.keyboard.press("/")
    field = page.get_by_role("main").get_by_role("searchbox").first
    expect(field).to_be_focused()
    rows = page.get_by_role("grid").first
    before = rows.get_attribute("aria-rowcount")
    for typed, said in (
        ("time >", "`time >` is not complete. Try `time > 1ms`."),
        ("nonsense > 3", "`nonsense > 3` names no column of this table."),
        ("calls > many", "`calls > many` compares with another kind of value. Try `calls > 10`."),
    ):
        field.fill(typed)
        expect(page.get_by_role("main").get_by_role("status").first).to_contain_text(said)
        assert rows.get_attribute("aria-rowcount") == before


def test_a_table_of_one_row_is_figures_and_a_run_of_one_rank_has_no_ranks(
    served: Served, page: Page, examples: Path
) -> None:
    page.goto(served(examples).at("launches", run=ONE_RANK))
    queue = page.get_by_role("main").locator("section", has=page.get_by_role("heading", name="Stream queues"))
    frame = stepscope.open(examples / ONE_RANK).show("queue_depth")
    assert len(frame) == 1, "the example has one stream"
    expect(queue.get_by_role("term").first).to_be_visible()
    expect(queue.get_by_role("grid")).to_have_count(0)
    queue.get_by_role("button", name=re.compile("columns as a table")).click()
    expect(queue.get_by_role("grid")).to_be_visible()
    pages = page.get_by_role("navigation", name="Pages")
    pages.get_by_role("button", name=re.compile("^No data")).click()
    expect(pages.get_by_role("link", name="Communication")).to_be_visible()
    expect(pages.get_by_role("link", name="Ranks")).to_have_count(0)
    page.goto(served(examples).at("verdict", run=STRAGGLER))
    expect(pages.get_by_role("link", name="Ranks")).to_be_visible()


@pytest.mark.parametrize(("width", "beside"), [(1280, False), (1920, True)])
def test_wide_windows_have_tables_beside_charts(
    served: Served, browse: Callable[..., Page], examples: Path, width: int, beside: bool
) -> None:
    page = browse(width=width, height=1000)
    page.goto(served(examples).at("roofline", run=ONE_RANK))
    settled(page)
    chart = page.get_by_role("heading", name="Operators under the roofs").bounding_box()
    table = page.get_by_role("grid").first.bounding_box()
    assert chart
    assert table
    assert (table["x"] > chart["x"] + 200) is beside
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


LONG = (
    "gpt_7b_batch32_seq4096_attention_naive_compiled_seed1",
    "gpt_7b_batch32_seq4096_attention_fused_compiled_seed1",
)


@pytest.fixture(scope="module")
def long_names(tmp_path_factory: pytest.TempPathFactory, examples: Path) -> Path:
    folder = tmp_path_factory.mktemp("long")
    for name in LONG:
        shutil.copy(examples / "launch_bound_decode.fixed.pt.trace.json.gz", folder / f"{name}.pt.trace.json.gz")
    return folder


def test_what_tells_long_names_apart_is_in_sight(served: Served, page: Page, long_names: Path) -> None:
    """Both were cut after `gpt_7b_batch32_seq40`."""
    page.goto(served(long_names).at("runs"))
    for name in LONG:
        cell = page.get_by_role("row").filter(has_text=name).get_by_role("cell").first
        expect(cell).to_have_attribute("title", f"{name}.pt.trace.json.gz")
        assert cell.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1")


def test_the_header_cuts_a_long_name_in_its_middle(served: Served, page: Page, long_names: Path) -> None:
    site = served(long_names)
    page.goto(site.at("verdict", run=f"{LONG[0]}.pt.trace.json.gz", step="4", only="operator:aten::mm"))
    settled(page)
    button = page.get_by_role("banner").get_by_role("button", name=f"Runs: {LONG[0]}")
    end = button.get_by_text("e_compiled_seed1")
    expect(end).to_be_visible()
    inner, outer = end.bounding_box(), button.bounding_box()
    assert inner
    assert outer
    assert inner["x"] >= outer["x"]
    assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]


def test_a_row_opens_in_a_new_tab_and_the_arrow_of_the_order_is_at_its_title(
    served: Served, page: Page, folder: Path
) -> None:
    """Control and a click on a row left the list; the arrow stood at the title of the column before."""
    page.goto(served(folder).at("runs", sort="-updated_s"))
    with page.expect_popup() as opened:
        line(page, "batch").locator("td").nth(2).click(modifiers=["Control"])
    assert "#/verdict" in opened.value.url
    assert "#/runs" in page.url
    title = page.get_by_role("button", name="Written")
    arrow, box = title.locator("span").bounding_box(), title.bounding_box()
    assert arrow
    assert box
    assert 0 <= box["x"] - arrow["x"] - arrow["width"] <= 4


def test_two_runs_are_selected_and_compared(served: Served, page: Page, folder: Path) -> None:
    page.goto(served(folder).at("runs"))
    line(page, "batch").get_by_role("checkbox").check()
    expect(page.locator("main")).to_contain_text("Select two runs to compare them.")
    line(page, STRAGGLER).focus()
    page.keyboard.press("x")
    expect(page.get_by_role("link", name="Compare the two selected")).to_be_visible()
    page.keyboard.press("c")
    page.wait_for_url("**/compare?*")
    assert "base=" in page.url
    assert "new=" in page.url


def test_back_and_a_reload_keep_which_runs_are_selected(served: Served, page: Page, folder: Path) -> None:
    page.goto(served(folder).at("runs"))
    line(page, "batch").get_by_role("checkbox").check()
    line(page, STRAGGLER).get_by_role("checkbox").check()
    page.keyboard.press("c")
    page.wait_for_url("**/compare?*")
    page.go_back()
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(2)
    page.reload()
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(2)
    page.go_back()
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(1)


def test_a_run_without_steps_says_why_it_is_not_selected(served: Served, page: Page, tmp_path: Path) -> None:
    shutil.copy(RECORDINGS / "memory_leak.pickle.gz", tmp_path)
    page.goto(served(tmp_path).at("runs"))
    line(page, "memory_leak").focus()
    page.keyboard.press("x")
    expect(page.get_by_text("This run has no steps to compare.")).to_be_visible()


def test_a_baseline_stays_on_top_and_the_others_are_measured_by_it(served: Served, page: Page, examples: Path) -> None:
    """By how much a run is faster than another one was left to mental arithmetic."""
    page.goto(served(examples).at("runs", sort="-step_ns"))
    base, other, job = (line(page, name) for name in ("batch_size.slow", "batch_size.fixed", STRAGGLER))
    for one in (base, other, job):
        expect(one).not_to_have_attribute("data-awaited", "", timeout=60_000)
    base.focus()
    page.keyboard.press("b")
    expect_parameter(page, "base", ONE_RANK)
    expect(page.locator("tbody tr").first).to_contain_text("baseline")
    expect(base).to_be_focused()
    column = page.get_by_role("columnheader", name="vs baseline")
    expect(column).to_be_visible()
    # That a run may be of another program was said of some differences only.
    expect(column).to_have_attribute("title", re.compile("Recordings do not say which program they are of"))
    expect(other).to_contain_text(re.compile(r"[+−]\d\S* .s \("))
    expect(job).to_contain_text("other rank count")
    other.get_by_role("checkbox").check()
    compare = page.get_by_role("link", name="Compare the two selected")
    expect(compare).to_have_attribute("href", re.compile("base=batch_size.slow.*&new=batch_size.fixed"))
    base.get_by_role("button", name="Remove batch_size.slow as the baseline").click()
    expect(page.get_by_role("columnheader", name="vs baseline")).to_have_count(0)
    page.go_back()
    expect(page.locator("tbody tr").first).to_contain_text("baseline")
