"""Fitting, marking, areas and the wheel on a timeline small enough to know every answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from browsing.pages import settled
from building import kernel, launched, operator, step, write

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

    from browsing.site import Served, Site

RUN = "small.json"
END = 300_000
"""Length of the trace in ns."""


@pytest.fixture(scope="module")
def site(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Three steps; in each an operator that launches a kernel, half a step later than the kernel before it."""
    folder = tmp_path_factory.mktemp("timeline")
    events = []
    for number in range(3):
        at = number * 100_000
        gemm = kernel("gemm", at + 50_000, at + 70_000, number + 1)
        events += [step(number + 1, at, at + 100_000), operator("aten::mm", at + 10_000, at + 30_000)]
        events += launched(gemm, at + 20_000)
    write(folder / RUN, *events)
    return served(folder)


@pytest.fixture
def plot(site: Site, page: Page) -> Locator:
    """The timeline with the focus on it."""
    page.goto(site.at("timeline", run=RUN))
    found = page.get_by_role("application", name="Timeline")
    expect(found).to_be_visible()
    settled(page)
    page.get_by_role("img", name="Timeline").focus()
    return found


def test_a_key_pressed_while_it_is_laid_out_takes_effect_when_it_is_there(site: Site, page: Page) -> None:
    """C was lost."""
    held: list[Route] = []
    page.route("**/api/timeline/tracks*", lambda route: held.append(route))
    with page.expect_request("**/api/timeline/tracks*"):
        page.goto(site.at("timeline", run=RUN))
    page.keyboard.press("c")
    for one in held:
        one.continue_()
    page.unroute("**/api/timeline/tracks*")
    expect(page.get_by_role("button", name="Critical path")).to_have_attribute("aria-pressed", "true")


def window(page: Page) -> tuple[int, int]:
    """The piece of time in the address; the whole trace without one."""
    found = re.search(r"[?&]t=(-?\d+)%2C(-?\d+)", page.url)
    return (int(found[1]), int(found[2])) if found else (0, END)


def find(page: Page, name: str) -> None:
    """Search for a name and go to its first event."""
    page.keyboard.press("/")
    page.get_by_role("searchbox", name="Search for events").fill(name)
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name=re.compile(f"^{name}")).first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")


def test_fit_mark_and_escape(plot: Locator, page: Page) -> None:
    find(page, "gemm")
    expect(page.get_by_role("complementary")).to_contain_text("20.0 us")
    page.get_by_role("searchbox", name="Search for events").press("Escape")
    page.keyboard.press("f")
    expect(page).to_have_url(re.compile("[?&]t="))
    page.wait_for_function("() => parseFloat(document.querySelector('.range b').textContent) < 60")
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="Mark 1: 20.0 us")).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]m=50000%2C70000"))
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="Mark 1: 20.0 us")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("complementary")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Follow launch and kernel")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_an_area_is_divided_exactly(site: Site, page: Page) -> None:
    """From 40 to 160 us two kernels run, for 20 us and for 10 us within the area."""
    page.goto(site.at("timeline", run=RUN, t="0,300000", sel='["area","40000.160000"]'))
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("heading", level=2)).to_have_text("120 us selected")
    expect(dock.get_by_role("img")).to_have_attribute("aria-label", re.compile("compute 30.0 us.*idle 90.0 us"))
    page.reload()
    expect(dock.get_by_role("img")).to_have_attribute("aria-label", re.compile("compute 30.0 us.*idle 90.0 us"))


def test_a_drag_selects_time_and_the_wheel_zooms(plot: Locator, page: Page) -> None:
    box = plot.bounding_box()
    assert box
    page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + 90, steps=4)
    page.mouse.up()
    heading = page.get_by_role("complementary", name="Details").get_by_role("heading", level=2)
    expect(heading).to_have_text(re.compile(r"^1[45]\d\sus selected$"))
    page.keyboard.press("Escape")
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 60)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    expect(page).to_have_url(re.compile("[?&]t="))
    start, end = window(page)
    assert end - start < END
    assert start < 0.2 * END < end


def test_the_time_of_the_address_stays_where_the_chosen_event_is_elsewhere(site: Site, page: Page) -> None:
    """A page that was reloaded, and a dock that opened, went to the event chosen before: another view than the one the
    address named was written there, and Back did not return to it."""
    page.goto(site.at("timeline", run=RUN, t="200000,300000", at="0.0"))
    expect(page.get_by_role("status").filter(has_text="gemm")).to_be_attached()
    page.keyboard.press("c")
    dock = page.get_by_role("complementary", name="Details")
    expect(dock).to_be_visible()
    settled(page)
    assert window(page) == (200_000, 300_000)
    page.keyboard.press("Escape")
    expect(dock).to_have_count(0)
    page.go_back()
    expect(dock).to_be_visible()
    settled(page)
    assert window(page) == (200_000, 300_000)
