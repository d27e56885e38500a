"""All pages of the app, and what holds for each of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = (
    "verdict",
    "what_if",
    "timeline",
    "operators",
    "kernels",
    "modules",
    "flame_graph",
    "instances",
    "step_trace",
    "idle",
    "launches",
    "memory",
    "telemetry",
    "kernel_reports",
    "hangs",
    "run_collectives",
    "compilation",
    "data_loading",
    "roofline",
    "communication",
    "ranks",
    "recordings",
    "health",
    "tables",
)
"""Pages of a run, as their addresses name them."""

WITH_STACKS = "batch_size.slow.pt.trace.json.gz"
"""The example with shapes, stacks and memory."""

FOUR_RANKS = "ddp4_straggler"
"""The example of four ranks, without stacks and memory."""

_NAMELESS = """() => {
  const named = 'button, a[href], input, select, textarea, summary, ' +
    '[role=grid], [role=treegrid], [role=slider], [role=combobox], [role=img], [role=application], [role=separator]'
  const labels = one => [...(one.labels ?? [])].map(label => label.innerText).join('')
  const referred = one => (one.getAttribute('aria-labelledby') ?? '').split(' ')
    .map(id => document.getElementById(id)?.innerText ?? '').join('')
  const name = one => (one.getAttribute('aria-label') ?? '') + referred(one) + labels(one) + one.textContent + one.title
  return [...document.querySelectorAll(named)]
    .filter(one => one.checkVisibility() && !one.closest('[aria-hidden=true]') && name(one).trim() === '')
    .map(one => one.outerHTML.slice(0, 200))
}"""

_GRIDS = """() => [...document.querySelectorAll('[role=grid], [role=treegrid]')].map(grid => {
  const rows = [...grid.querySelectorAll('[role=row]')]
  const cells = row => [...row.querySelectorAll('[role=columnheader], [role=rowheader], [role=gridcell]')]
  const number = (one, name) => Number(one.getAttribute(name))
  return {
    label: grid.getAttribute('aria-label'),
    focusable: grid.tabIndex === 0,
    rowcount: number(grid, 'aria-rowcount'),
    colcount: number(grid, 'aria-colcount'),
    rows: rows.map(row => number(row, 'aria-rowindex')),
    cells: rows.map(row => cells(row).map(cell => number(cell, 'aria-colindex'))),
    pointed: grid.querySelectorAll('#' + CSS.escape(grid.getAttribute('aria-activedescendant'))).length,
  }
})"""

# Colours of texts against what lies behind them; WCAG 2.2, 1.4.3.
_FAINT = """() => {
  const parsed = text => (text.match(/[\\d.]+/g) ?? []).map(Number)
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((value, i) => value * a + below[i] * (1 - a))
  const behind = one => {
    const layers = []
    for (let at = one; at; at = at.parentElement) layers.push(parsed(getComputedStyle(at).backgroundColor))
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255])
  }
  const light = colour => {
    const [r, g, b] = colour.map(value => value / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05)
  const found = new Map()
  for (const one of document.querySelectorAll('body *')) {
    const own = [...one.childNodes].filter(node => node.nodeType === 3).map(node => node.data).join('').trim()
    if (!own || !one.checkVisibility({visibilityProperty: true})) continue
    if (one.closest('svg, canvas, .visually-hidden, :disabled')) continue
    const style = getComputedStyle(one)
    const background = behind(one)
    const ratio = contrast(over(parsed(style.color), background), background)
    const size = parseFloat(style.fontSize)
    const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5
    if (ratio < least) found.set(`${one.tagName}.${one.className}`, `${own.slice(0, 40)}: ${ratio.toFixed(2)}`)
  }
  return [...found].map(([what, text]) => `${what} ${text}`)
}"""


def settled(page: Page) -> None:
    """Wait until the page of a run that is addressed shows what it asked for."""
    page.wait_for_function(
        """() => ['', document.querySelector('nav [aria-current=page]')?.hash.split('?')[0]]
            .includes(location.hash.split('?')[0])
          && document.querySelector('main')?.innerText.trim()
          && !document.querySelector('[aria-busy=true], .skeleton')"""
    )


PIXELS = """(counts) => {
  const plot = document.querySelector('.plot canvas')
  const copy = Object.assign(document.createElement('canvas'), { width: plot.width, height: plot.height })
  const context = copy.getContext('2d', { willReadFrequently: true })
  context.drawImage(plot, 0, 0)
  const { data } = context.getImageData(0, 0, copy.width, copy.height)
  let counted = 0
  for (let i = 0; i < data.length; i += 4) if (counts(data[i], data[i + 1], data[i + 2])) counted++
  return counted
}"""
"""How many pixels of the plot count, by red, green and blue."""

COLOURED = f"() => ({PIXELS})((red, green, blue) => Math.abs(red - blue) > 30)"
"""How many pixels of the plot have a colour, which texts and lines have not."""

COLOUR_AT = """([x, y]) => {
  const plot = document.querySelector('.plot canvas')
  const ratio = plot.width / plot.clientWidth
  const copy = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
  const context = copy.getContext('2d', { willReadFrequently: true })
  context.drawImage(plot, -Math.round(x * ratio), -Math.round(y * ratio))
  return [...context.getImageData(0, 0, 1, 1).data]
}"""
"""What colour a point of the plot has."""


def on_stream(page: Page, stream: int, share: float) -> list[float]:
    """A point of the plot: on a stream, at a share of the time shown."""
    box = page.locator(".plot canvas").first.bounding_box()
    label = page.get_by_text(f"stream {stream}", exact=True).bounding_box()
    assert box
    assert label
    return [box["width"] * share, label["y"] - box["y"] + 6]


def drawn(page: Page, pixels: int = 1_000) -> None:
    """Wait until so many pixels of the timeline have the colour of an event: before, a click meets none."""
    page.wait_for_function(f"() => document.querySelector('.plot canvas') && ({COLOURED})() > {pixels}")


def turned_to(page: Page, name: str) -> None:
    """Wait until a page of a run is the one shown, and shows what it asked for."""
    from playwright.sync_api import expect

    expect(page.locator("nav [aria-current=page]")).to_have_attribute("href", re.compile(f"#/{name}\\b"))
    settled(page)


def expect_parameter(page: Page, name: str, value: str | None) -> None:
    """Wait until the address has a parameter of this value, or none where that is None."""
    from playwright.sync_api import expect

    if value is None:
        expect(page).not_to_have_url(re.compile(rf"[?&]{re.escape(name)}="))
    else:
        values = "|".join(map(re.escape, (value, quote(value, safe=""))))
        expect(page).to_have_url(re.compile(rf"[?&]{re.escape(name)}=({values})(&|$)"))


def nameless(page: Page) -> list[str]:
    """What a reader of the screen could not name."""
    found: list[str] = page.evaluate(_NAMELESS)
    return found


def faint(page: Page) -> list[str]:
    """Texts whose contrast with what is behind them is too low."""
    found: list[str] = page.evaluate(_FAINT)
    return found


def wrong_grids(page: Page) -> list[str]:
    """Grids whose roles and counts do not fit each other."""
    wrong = []
    for grid in page.evaluate(_GRIDS):
        columns = list(range(1, grid["colcount"] + 1))
        fine = (
            grid["label"]
            and grid["focusable"]
            and grid["pointed"] == 1
            and grid["rows"][0] == 1
            and max(grid["rows"]) <= grid["rowcount"]
            and len(set(grid["rows"])) == len(grid["rows"])
            and all(cells == columns for cells in grid["cells"])
        )
        if not fine:
            wrong.append(str(grid)[:400])
    return wrong
