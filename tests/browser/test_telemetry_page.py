"""The page of telemetry: panels of what was measured, a lane of reasons, one cursor over all; none without samples."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.pages import expect_parameter, faint, nameless, settled
from building import flat, kernel, launched, step, write

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from browsing.site import Served

SECOND = 10**9
START = 1_790_000_000 * SECOND


def write_log(path: Path) -> None:
    """Two GPUs for ten seconds: the second one is held down by the power cap in three of them."""
    lines = ["time_ns,gpu,power_w,power_limit_w,gpu_util_pct,sm_clock_mhz,throttle_reasons"]
    for at in range(100):
        for gpu in range(2):
            capped = gpu == 1 and 30 <= at < 60
            lines.append(f"{START + at * SECOND // 10},{gpu},{300 + at},700,90,{1400 if capped else 1980},{4 * capped}")
    path.write_text("\n".join(lines) + "\n")


def test_panels_lane_and_cursor(served: Served, page: Page, tmp_path: Path) -> None:
    write_log(tmp_path / "gpu.csv")
    page.goto(served(tmp_path).at("telemetry", run="gpu.csv"))
    main = page.locator("main")
    expect(main).to_contain_text("GPU 1 was held below its clock in 30.0 % of the samples (power cap)")
    for title in ("Utilization", "Power", "SM clock"):
        expect(main.get_by_role("heading", name=title, exact=True)).to_be_visible()
    expect(main).to_contain_text("limit 700 W")
    expect(main).to_contain_text("Sampled at 10 Hz")
    strip = page.get_by_role("region", name="Steps")
    expect(strip).to_contain_text("The whole recording")
    expect(strip).not_to_contain_text("trace")  # "The whole trace … is one step", of what is no trace
    assert main.locator("rect title").count() == 1
    plots = main.locator("[aria-roledescription] svg")
    assert plots.count() == 3
    assert main.locator("[aria-roledescription] svg line[stroke-dasharray='2 3']").count() == 0
    plots.first.hover()
    assert main.locator("[aria-roledescription] svg line[stroke-dasharray='2 3']").count() == 3


def test_another_gpu_is_chosen_by_the_address(served: Served, page: Page, tmp_path: Path) -> None:
    write_log(tmp_path / "gpu.csv")
    page.goto(served(tmp_path).at("telemetry", run="gpu.csv", gpu="0|0"))
    expect(page.locator("main")).to_contain_text("Nothing held GPU 0 below its clock; it ran at 1.98 GHz on average.")


def test_back_undoes_the_choice_of_a_gpu(served: Served, page: Page, tmp_path: Path) -> None:
    """It left the page."""
    write_log(tmp_path / "gpu.csv")
    page.goto(served(tmp_path).at("telemetry", run="gpu.csv"))
    gpu = page.locator("main").get_by_role("combobox", name="GPU")
    before = gpu.input_value()
    gpu.select_option("0|0")
    expect_parameter(page, "gpu", "0%7C0")
    page.go_back()
    expect(gpu).to_have_value(before)


def test_dragging_shows_a_part_of_the_time_with_its_sums(served: Served, page: Page, tmp_path: Path) -> None:
    write_log(tmp_path / "gpu.csv")
    page.goto(served(tmp_path).at("telemetry", run="gpu.csv"))
    main = page.locator("main")
    power = main.get_by_role("group", name="Power")
    expect(power).to_have_accessible_name("Power. up to 399 W")
    box = power.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + 30, steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile("[?&]range="))
    page.mouse.move(2, 2)
    # A sample is 1 W more than the one before: the last quarter has 375 to 399 W, give or take a part of the time.
    mean = re.search(r"mean (\d+) W", power.get_attribute("aria-label") or "")
    assert mean
    assert 384 <= int(mean[1]) <= 389
    # The cap held the clock in the middle third only.
    expect(main).to_contain_text("Nothing, in any sample.")
    main.get_by_role("button", name="Show all").click()
    expect(power).to_have_accessible_name("Power. up to 399 W")
    assert main.locator("rect title").count() == 1


def test_a_window_over_steps_selects_them(served: Served, page: Page, tmp_path: Path) -> None:
    """Beside a trace, what was dragged over is offered as steps; they are selected as everywhere."""
    base = START - SECOND
    events = [one for at in range(8) for one in (step(at, at * SECOND, (at + 1) * SECOND - 1),)]
    kernels = [launched(kernel("gemm", at * SECOND + 50, at * SECOND + SECOND // 2, at + 1), 20) for at in range(8)]
    write(tmp_path / "rank0.json", *flat([*events, *kernels]), baseTimeNanoseconds=base, schemaVersion=1)
    lines = [f"{base + i * SECOND // 10},0,{100 + i}" for i in range(80)]
    (tmp_path / "gpu_rank0.csv").write_text("\n".join(["time_ns,gpu,power_w", *lines]) + "\n")
    page.goto(served(tmp_path).at("telemetry", run="."))
    power = page.locator("main").get_by_role("group", name="Power")
    box = power.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 0.26, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.62, box["y"] + 30, steps=4)
    page.mouse.up()
    page.get_by_role("button", name="Select steps 2 to 4").click()
    expect_parameter(page, "step", "2:4")
    assert "range=" not in page.url


def test_power_that_was_not_sampled_has_no_figure(served: Served, page: Page, tmp_path: Path) -> None:
    """It said that samples were too few for the energy of a step; and charts left much of their column empty."""
    base = START - SECOND
    kernels = [launched(kernel("gemm", at * SECOND + 50, at * SECOND + SECOND // 2, at + 1), 20) for at in range(4)]
    steps = [step(at, at * SECOND, (at + 1) * SECOND - 1) for at in range(4)]
    write(tmp_path / "rank0.json", *flat([*steps, *kernels]), baseTimeNanoseconds=base, schemaVersion=1)
    lines = [f"{base + i * SECOND // 10},0,{20 + i % 2}" for i in range(40)]
    (tmp_path / "gpu_rank0.csv").write_text("\n".join(["time_ns,gpu,fan_pct", *lines]) + "\n")
    page.goto(served(tmp_path).at("telemetry", run="."))
    main = page.locator("main")
    tile = main.locator(".tiles > div").first
    expect(tile).to_contain_text("up to 21")
    expect(main).not_to_contain_text("Energy a step")
    whole, plot = tile.bounding_box(), tile.get_by_role("group").bounding_box()
    assert whole
    assert plot
    assert plot["width"] == pytest.approx(whole["width"])


def test_many_gpus_are_a_field_of_colours(served: Served, browse: Callable[..., Page], tmp_path: Path) -> None:
    lines = ["time_ns,gpu,power_w"]
    lines += [f"{START + at * SECOND // 10},{gpu},{100 + 10 * gpu}" for at in range(30) for gpu in range(20)]
    (tmp_path / "many.csv").write_text("\n".join(lines) + "\n")
    page = browse(language="en-US", dark=True)
    page.goto(served(tmp_path).at("telemetry", run="many.csv"))
    settled(page)
    main = page.locator("main")
    field = main.get_by_role("slider", name="Power")
    field.focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(field).to_have_attribute("aria-valuetext", re.compile(r"^GPU 3, at .*: 130 W$"))
    page.keyboard.press("Enter")
    expect_parameter(page, "gpu", "0|3")
    expect(main).to_contain_text("GPU 3 drew 130 W on average")
    assert [*nameless(page), *faint(page)] == []


def test_a_run_without_samples_has_no_such_page(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("verdict", run="launch_bound_decode.slow.pt.trace.json.gz"))
    expect(page.get_by_role("navigation", name="Pages").get_by_role("link", name="Timeline")).to_be_visible()
    expect(page.get_by_role("navigation", name="Pages").get_by_role("link", name="Telemetry")).to_have_count(0)
