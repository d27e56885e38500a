"""A table of 300,000 rows in Chromium: first rows, first sort, filter, scrolling, against plain JavaScript.

    python benchmarks/table_page.py [--rows N] [--repeats N]

The app is the real one over a real server; only the answer with the rows is made here. Baseline, in the same page: the
same rows as an array of objects, sorted by `Array.sort` (numbers, then names by `localeCompare`), and filtered by
looking for a text in all cells, as a page without a table component would do it; frames are compared with those of the
page at rest.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browsing.chromium import launched  # noqa: E402
from browsing.site import Running  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Page

EXAMPLE = "batch_size.slow.pt.trace.json.gz"
NAMES = 4_000

TABLE = """
(() => {
  const rows = ROWS
  const names = Array.from({ length: NAMES }, (_, i) =>
    `void at::native::elementwise_kernel<${i % 7}, at::native::Functor_${i}<float, ${i}> >(int)`)
  const made = (of) => Array.from({ length: rows }, (_, i) => of(i))
  const data = {
    op: made((i) => names[(i * 7919) % names.length]),
    bytes: made((i) => (i * 2654435761) % 34359738337),
    start_ns: made((i) => i * 33333),
    duration_ns: made((i) => (i * 40503) % 1000003),
  }
  const columns = Object.keys(data).map((name) =>
    ({ name, type: name === 'op' ? 'text' : 'int', moment: name === 'start_ns', description: name }))
  window.table = { table: 'memory_events', by: '', source: false, total: rows, columns, data,
    origin_ns: '1700000000000000000', notes: [], command: 'stepscope show memory_events' }
  const ask = window.fetch
  window.fetch = (url, options) => /api.table.*table=memory_events/.test(url)
    ? Promise.resolve({ ok: true, status: 200, json: () => Promise.resolve(window.table) })
    : ask(url, options)
})()
"""

BASELINE = """
() => {
  const data = window.table.data
  const names = Object.keys(data)
  const rows = data.op.map((_, i) => Object.fromEntries(names.map((name) => [name, data[name][i]])))
  const timed = (work) => { const begin = performance.now(); work(); return performance.now() - begin }
  return {
    sort: timed(() => [...rows].sort((a, b) => b.bytes - a.bytes || a.op.localeCompare(b.op))),
    text: timed(() => [...rows].sort((a, b) => a.op.localeCompare(b.op))),
    filter: timed(() => rows.filter((row) =>
      names.some((name) => String(row[name]).toLowerCase().includes('functor_77')) && row.bytes > 1e9)),
  }
}
"""

ENDS = """
() => {
  const { op, bytes } = window.table.data
  let [most, least] = [0, 0]
  for (let i = 1; i < op.length; i++) {
    if (bytes[i] > bytes[most]) most = i
    if (op[i] < op[least]) least = i
  }
  return [most, least]
}
"""

UNTIL = """
async ([start, done]) => {
  const begin = performance.now()
  new Function(start)()
  const ended = new Function(`return ${done}`)
  while (!ended()) {
    if (performance.now() - begin > 20000) throw new Error(`not so after 20 s: ${done}`)
    await new Promise((next) => setTimeout(next))
  }
  await new Promise((next) => requestAnimationFrame(() => setTimeout(next)))
  return performance.now() - begin
}
"""

FRAMES = """
async ([still, milliseconds]) => {
  const grid = document.querySelector('[role=grid]')
  const frames = []
  const end = performance.now() + milliseconds
  let last = performance.now()
  while (last < end) {
    if (!still) grid.scrollTop += 700
    await new Promise(requestAnimationFrame)
    const now = performance.now()
    frames.push(now - last)
    last = now
  }
  return frames
}
"""


def measured(page: Page, address: str, rows: int) -> dict[str, float]:
    """Milliseconds of each thing done once in a new page."""
    page.add_init_script(TABLE.replace("ROWS", str(rows)).replace("NAMES", str(NAMES)))
    page.goto(address)
    page.get_by_role("grid").wait_for()
    most, least = page.evaluate(ENDS)

    def first(row: int) -> str:
        return f"document.querySelector('[role=grid] [data-row]')?.dataset.row === '{row}'"

    heading = "[...document.querySelectorAll('[role=columnheader]')][{}].click()"
    count = "document.querySelector('[role=grid]')?.ariaRowCount"
    typed = (
        "const field = document.querySelector('input[type=search].field, .tools input');"
        "field.value = 'functor_77 bytes > 1GB'; field.dispatchEvent(new Event('input', { bubbles: true }))"
    )

    def until(start: str, done: str) -> float:
        return float(page.evaluate(UNTIL, [start, done]))

    still = page.evaluate(FRAMES, [True, 1500])
    frames = page.evaluate(FRAMES, [False, 3000])
    return {
        "sort": until(heading.format(1), first(most)),
        "text": until(heading.format(0), first(least)),
        "filter": until(typed, f"{count} !== '{rows + 1}'"),
        "frame": statistics.median(frames),
        "frame_p95": sorted(frames)[int(len(frames) * 0.95)],
        "still": statistics.median(still),
        **{f"base_{name}": value for name, value in page.evaluate(BASELINE).items()},
    }


LINES = (
    ("first sort by a number / Array.sort of objects", "sort", "base_sort", 0.5),
    ("first sort by a text / Array.sort of objects", "text", "base_text", 0.2),
    ("filter by text and number / Array.filter of objects", "filter", "base_filter", 1.5),
    ("frame while scrolling, median / at rest", "frame", "still", 1.3),
    ("frame while scrolling, 95th percentile / at rest", "frame_p95", "still", 4.0),
)


def report(runs: list[dict[str, float]], say: Callable[[str], object]) -> bool:
    """A line for each comparison: medians, their ratio with the lowest and highest, the goal. True when all hold."""
    good = True
    for what, ours, base, goal in LINES:
        ratios = [run[ours] / run[base] for run in runs]
        ratio = statistics.median(ratios)
        good &= ratio <= goal
        say(
            f"{what:<52} {statistics.median(run[ours] for run in runs):7.0f} ms "
            f"{statistics.median(run[base] for run in runs):7.0f} ms  {ratio:.2f} ({min(ratios):.2f}-{max(ratios):.2f})"
            f"  <= {goal} {'ok' if ratio <= goal else 'MISSED'}"
        )
    return good


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--rows", type=int, default=300_000)
    options.add_argument("--repeats", type=int, default=3)
    given = options.parse_args()
    running = Running(ROOT / "examples")
    try:
        with launched() as browser:
            if isinstance(browser, str):
                sys.exit(browser)
            runs = []
            for _ in range(given.repeats):
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                runs.append(measured(page, running.site.at("tables", run=EXAMPLE, table="memory_events"), given.rows))
                page.close()
    finally:
        running.stop()
    return 0 if report(runs, print) else 1


if __name__ == "__main__":
    sys.exit(main())
