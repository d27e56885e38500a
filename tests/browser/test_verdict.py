"""The verdict: figures of the job with whose they are, ranks by what they cost it, and damage before any figure."""

from __future__ import annotations

import gzip
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.held_answers import HeldAnswers
from browsing.kinds import FULL, LEAK, TELEMETRY
from browsing.pages import FOUR_RANKS, expect_parameter, settled
from building import flat, kernel, launched, operator, step, write
from kernel_cases import write_report

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from browsing.site import Served

SLOW = "batch_size.slow.pt.trace.json.gz"


def test_a_job_has_the_jobs_figures_and_the_straggler_first(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("verdict", run=FOUR_RANKS))
    figures = page.get_by_role("main").locator("dl.figures").first
    for words in (
        "job step time",
        "straggler delay",
        "rank 2, 34.3 %",
        "mean over ranks",
        "simulated, 205 ms to 242",
    ):
        expect(figures).to_contain_text(words)
    rows = page.get_by_role("table", name="Ranks, by what they cost the job").get_by_role("row")
    expect(rows.nth(1)).to_contain_text(re.compile("rank 2.*straggler.*117 ms"))
    for row in (2, 3, 4):
        expect(rows.nth(row)).to_contain_text("waits for rank 2")


def test_a_cut_file_says_so_on_every_page(served: Served, page: Page, examples: Path, tmp_path: Path) -> None:
    """Pages but the verdict drew what was cut away as a measured zero, without a word."""
    whole = gzip.decompress((examples / SLOW).read_bytes())
    (tmp_path / "cut.json").write_bytes(whole[: int(len(whole) * 0.93)])
    site = served(tmp_path)
    page.goto(site.at("timeline", run="cut.json"))
    chip = page.get_by_role("banner").get_by_role("link", name="cut off", exact=True)
    expect(chip).to_be_visible()
    chip.click()
    expect(page.get_by_role("main").get_by_role("heading", level=1, name="Health")).to_be_visible()
    expect(chip).to_be_visible()


def test_parts_of_the_cpus_ranges_are_not_called_the_steps_where_it_runs_ahead(
    served: Served, page: Page, examples: Path
) -> None:
    site = served(examples)
    page.goto(site.at("verdict", run="launch_bound_decode.fixed.pt.trace.json.gz"))
    ahead = page.get_by_text("these are the parts of its ranges")
    expect(ahead).to_be_visible()
    ahead.get_by_role("link", name="Steps on the GPU’s clock").click()
    expect(page.get_by_role("main").get_by_role("heading", level=1, name="Step trace")).to_be_visible()
    page.goto(site.at("verdict", run=SLOW))
    expect(page.get_by_role("heading", name="Where a step’s time goes")).to_be_visible()
    expect(ahead).to_have_count(0)


def test_a_run_without_a_gpu_has_no_bottleneck_to_be_clear_about(served: Served, page: Page, tmp_path: Path) -> None:
    """It was headed "Bottleneck unclear"."""
    steps = [
        (step(n, n * 10**6, (n + 1) * 10**6), operator("aten::mm", n * 10**6, n * 10**6 + 400_000)) for n in range(3)
    ]
    write(tmp_path / "cpu.json", *(event for pair in steps for event in pair))
    page.goto(served(tmp_path).at("verdict", run="cpu.json"))
    main = page.get_by_role("main")
    expect(main.get_by_text("CPU only", exact=True)).to_be_visible()
    expect(main.get_by_text("Bottleneck unclear")).to_have_count(0)
    # Below stood five empty figures of the GPU.
    expect(main.get_by_role("heading", name="Operators by CPU time")).to_be_visible()
    expect(main).to_contain_text("aten::mm")
    expect(main.get_by_role("heading", level=2, name=re.compile("GPU"))).to_have_count(0)


def test_sums_of_operators_and_kernels_name_their_ranks(served: Served, page: Page, examples: Path) -> None:
    """Of a job the two lists were headed "Operators by GPU time", without whose: they are of all ranks."""
    main = page.get_by_role("main")
    for rank, owner in (("", "sum of 4 ranks"), ("3", "rank 3"), ("1,3", "sum of 2 ranks")):
        page.goto(served(examples).at("verdict", run=FOUR_RANKS, **({"rank": rank} if rank else {})))
        for title in ("Operators by GPU time", "Kernels by time"):
            expect(main.get_by_role("heading", name=f"{title}, {owner}", exact=True)).to_be_visible()


def test_idle_time_of_a_rank_leads_to_that_rank(served: Served, page: Page, examples: Path) -> None:
    """ "GPU idle time …, rank 2" led to the page Idle of all ranks, whose sentence is about another one."""
    page.goto(served(examples).at("verdict", run=FOUR_RANKS))
    title = page.get_by_role("heading", name=re.compile("GPU idle time.*rank 2"))
    section = page.get_by_role("main").locator("section").filter(has=title)
    for way in section.get_by_role("link").all():
        expect(way).to_have_attribute("href", re.compile(r"#/idle\?.*rank=2"))
    title.get_by_role("link").click()
    expect(page.get_by_role("main")).to_contain_text(re.compile("Main cause of GPU idle time"))
    expect_parameter(page, "rank", "2")


def test_a_chosen_rank_is_named_in_every_figure(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("verdict", run=FOUR_RANKS, rank="3"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("mostly for rank 2")
    labels = page.get_by_role("main").locator("dl.figures").first.locator("dt")
    expect(labels.first).to_contain_text(re.compile(r"recorded step time, rank\s3"))
    for label in labels.all():
        expect(label).to_contain_text(re.compile(r", rank\s3$"))


def test_one_gpu_has_no_communication_among_its_figures(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("verdict", run=SLOW))
    figures = page.get_by_role("main").locator("dl.figures").first
    expect(figures).to_contain_text("GPU busy")
    expect(figures).not_to_contain_text("exposed communication")
    expect(figures).not_to_contain_text("–")


@pytest.mark.parametrize("place", ["server", "report"])
def test_a_cut_file_says_so_before_any_figure(
    served: Served, page: Page, report_page: Callable[..., Page], examples: Path, tmp_path: Path, place: str
) -> None:
    text = gzip.decompress((examples / SLOW).read_bytes())
    cut = tmp_path / "cut.json"
    cut.write_bytes(text[: len(text) * 9 // 10])
    if place == "report":
        page = report_page(cut)
    else:
        page.goto(served(tmp_path).at("verdict", run="cut.json"))
    main = page.get_by_role("main")
    expect(main.get_by_role("note").first).to_contain_text("Incomplete recording")
    expect(main.get_by_role("note").first).to_contain_text(re.compile("The trace is cut off after .* are missing"))
    first = main.inner_text().strip().splitlines()[0]
    assert first == "Incomplete recording"


def test_a_cut_file_without_a_whole_step_has_no_figures(served: Served, page: Page, tmp_path: Path) -> None:
    """Below the words that figures hold for no whole step stood a bottleneck, figures and what a fix would save."""
    host = [step(at, at * 100_000, (at + 1) * 100_000) for at in range(3)]
    work = [launched(kernel("gemm", at + 20_000, at + 40_000, at), at + 5_000) for at in range(10_000, 300_000, 50_000)]
    text = write(tmp_path / "cut.json", *host, *flat(work)).read_text()
    second = text.index('"kernel"', text.index('"kernel"') + 1)
    (tmp_path / "cut.json").write_text(text[:second])
    page.goto(served(tmp_path).at("verdict", run="cut.json"))
    main = page.get_by_role("main")
    expect(main.get_by_role("note")).to_contain_text("No step is whole: figures are of what was read. Record again.")
    expect(main.get_by_role("heading", level=1)).to_have_text(
        "Bottleneck unclear: the recording holds no step with all of its GPU work."
    )
    settled(page)
    expect(main.locator(".figures")).to_have_count(0)
    expect(main).not_to_contain_text("Recommendations")


def test_the_verdict_is_chinese_throughout(served: Served, browse: Callable[..., Page], examples: Path) -> None:
    page = browse(language="zh-CN")
    page.goto(served(examples).at("verdict", run=FOUR_RANKS))
    main = page.get_by_role("main")
    expect(main).to_contain_text("等待 rank 2")
    expect(main).to_contain_text("慢 rank")
    expect(main).to_contain_text("原因：计算")
    for english in ("straggler", "Cause", "waits for", "a step more"):
        expect(main).not_to_contain_text(english)
    expect(main).to_contain_text("（未归属）")  # it read "(unattributed)"
    expect(main).not_to_contain_text("(unattributed)")


def test_a_note_on_steps_is_in_the_words_of_the_page(served: Served, page: Page, tmp_path: Path) -> None:
    """It said "select the others (--step). · not in …", and its range on the timeline had no details."""
    begin, events = 0, []
    for number, length in enumerate([1, 1, 4, 1, 1]):
        end = begin + length * 1_000_000
        events += [step(number, begin, end), operator("aten::mm", end - 900_000, end)]
        begin = end
    write(tmp_path / "uneven.json", *events)
    page.goto(served(tmp_path).at("verdict", run="uneven.json"))
    note = page.get_by_role("paragraph").filter(has_text="Note: 1 of 5 steps")
    expect(note).to_contain_text("select others in the strip above. Not in the recording: how often")
    note.get_by_role("link", name="Show on timeline").click()
    expect(page.get_by_role("complementary", name="Details")).to_contain_text("select others in the strip above")


def test_a_number_and_its_unit_do_not_part(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("verdict", run=FOUR_RANKS))
    said = page.get_by_role("heading", level=1)
    expect(said).to_contain_text("117 ms")
    assert "117\N{NO-BREAK SPACE}ms" in said.inner_text()
    assert "Rank\N{NO-BREAK SPACE}2" in said.inner_text()
    mark = page.get_by_role("main").get_by_text("of kernel time could use tensor cores")
    assert re.search("\\d\N{NO-BREAK SPACE}%", mark.inner_text())


def test_the_rank_of_a_headline_does_not_part_from_its_word(
    served: Served, page: Page, examples: Path, tmp_path: Path
) -> None:
    """Where no rank is late the headline is of one rank, or of every one like it: "rank 1 · Communication-bound" could
    part before the 1."""
    for rank in (0, 1):
        shutil.copy(examples / FOUR_RANKS / f"rank{rank}.json.gz", tmp_path / f"rank{rank}.json.gz")
    page.goto(served(tmp_path.parent).at("verdict", run=tmp_path.name))
    said = page.get_by_role("heading", level=1)
    expect(said).to_contain_text(re.compile(r"^Every rank, e.g. rank\s\d · Comm[^:]*: [^:]*$"))
    assert not re.search(r"[Rr]ank \d", said.inner_text())


def test_a_warning_says_what_it_costs(served: Served, page: Page, examples: Path) -> None:
    # "Linked launches" with a red sign, and no word of what is lost.
    costs = "GPU work without a launch call is in no operator, module or stack, and in no step."
    page.goto(served(examples).at("verdict", run=FOUR_RANKS))
    health = page.get_by_role("main").get_by_role("list", name="Health")
    expect(health).to_contain_text("GPU work linked to its launch call")
    expect(health).to_contain_text(costs)
    health.get_by_role("link", name="GPU work linked to its launch call").click()
    expect(page.get_by_role("heading", name="Health")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text(costs)


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_the_ranks_stand_beside_the_recommendations(
    served: Served, browse: Callable[..., Page], examples: Path, size: tuple[int, int]
) -> None:
    page = browse(width=size[0], height=size[1])
    page.goto(served(examples).at("verdict", run=FOUR_RANKS))
    page.get_by_role("table", name="Ranks, by what they cost the job").wait_for()
    main = page.get_by_role("main")
    first, ranks = (
        main.get_by_role("heading", name=name, exact=True).bounding_box() for name in ("Recommendations", "Ranks")
    )
    table = page.get_by_role("table", name="Ranks, by what they cost the job").bounding_box()
    assert first
    assert ranks
    assert table
    assert ranks["x"] > first["x"] + 0.5 * (size[0] - first["x"])
    assert abs(ranks["y"] - first["y"]) < 60
    assert table["x"] + table["width"] <= size[0]  # no column is cut off


@pytest.mark.parametrize(
    ("run", "link", "heading"),
    [
        (LEAK, "Memory · Growth", "Memory"),
        (FULL, "Memory · Out of memory", "Memory"),
        (TELEMETRY, "Telemetry", "Telemetry"),
    ],
)
def test_the_verdict_of_a_recording_without_steps_leads_to_its_evidence(
    served: Served, page: Page, kinds: Path, run: str, link: str, heading: str
) -> None:
    page.goto(served(kinds).at("verdict", run=run))
    page.get_by_role("main").get_by_role("link", name=link, exact=True).click()
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    if "·" in link:
        expect(page.get_by_role("radio", name=link.partition(" · ")[2])).to_be_checked()


def test_the_verdict_of_kernel_reports_leads_to_them(served: Served, page: Page, tmp_path: Path) -> None:
    write_report(tmp_path / "kernels.ncu-rep")
    page.goto(served(tmp_path).at("verdict", run="kernels.ncu-rep"))
    page.get_by_role("main").get_by_role("link", name="Kernel reports", exact=True).click()
    expect(page.get_by_role("heading", name="Kernel reports", exact=True)).to_be_visible()


def test_while_it_loads_nothing_stands_for_what_is_not_known(served: Served, browser: Browser, examples: Path) -> None:
    """ "–" beside "Kernels" and "rank null" stood there until the last answer came."""
    context = browser.new_context(viewport={"width": 1280, "height": 1600})
    page = context.new_page()
    held = HeldAnswers(page, re.compile(r"api/verdict|table=summary"))
    page.goto(served(examples).at("verdict", run=FOUR_RANKS))
    main = page.get_by_role("main")
    expect(main.get_by_text("Loading").first).to_be_visible()
    assert not re.search(r"null|undefined|NaN|(^|\n)–", main.inner_text())
    held.let_go()
    expect(main).to_contain_text("First to last GPU work")
    for title in ("GPU utilization", "Device and recording"):
        expect(main.get_by_role("heading", name=title)).to_contain_text("rank 2: the straggler")
    context.close()


@pytest.mark.parametrize(
    ("run", "width"), [(FOUR_RANKS, 1920), (FOUR_RANKS, 1280), ("launch_bound_decode.fixed.pt.trace.json.gz", 1920)]
)
def test_no_window_has_an_empty_column(
    served: Served, browse: Callable[..., Page], examples: Path, run: str, width: int
) -> None:
    """Below one recommendation, 400 px of the left column were empty, at 1920, later at 1280."""
    page = browse(width=width, height=1080)
    page.goto(served(examples).at("verdict", run=run))
    settled(page)
    used, chart = (page.get_by_role("heading", name=name) for name in ("GPU utilization", "Where a step’s time goes"))
    expect(used).to_be_visible()
    expect(chart).to_be_visible()
    page.wait_for_function(
        """() => {
          const of = name => [...document.querySelectorAll('main h2')].find(one => one.textContent.startsWith(name))
          const [used, chart] = ['GPU utilization', 'Where'].map(name => of(name).getBoundingClientRect())
          return used.left < chart.left && used.top < chart.top
        }"""
    )
