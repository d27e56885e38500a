"""Frame times of the timeline with keys held, in headless Chromium without a GPU: ``python frames.py TRACE``.

Prints JSON, ``{"name": [seconds, 0]}``. ``ours`` is the 95th percentile of the frames while one pans at full zoom-out,
``baseline`` that of the same cells drawn as one rectangle each; the others say all ways to move, and the goal of each.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
MOST = {"median": 20.0, "p95": 60.0}
"""Goals of every way, ms."""
MOST_FIRST = 1000.0
"""Goal of the first useful pixel, ms."""
_TURNS = 3
"""Panning and the baseline take turns, so that both meet the same noise."""

_RECORD = """
window.frames_ = []; window.recording = false;
(() => {
  let last = 0
  const frame = (now) => {
    if (window.recording && last) window.frames_.push(now - last)
    last = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
})()
"""

DRAWN = """() => {
  const canvas = document.querySelector('.plot canvas')
  if (!canvas || canvas.width < 10) return false
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, Math.min(300, canvas.height))
  let coloured = 0
  for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] - data[i + 2]) > 30) coloured++
  return coloured > 2000
}"""
"""Whether a good number of pixels have a colour, as events have and letters have not."""

_RECTANGLES = """async ({ run, seconds }) => {
  const get = async (path) => fetch(`api/timeline/${path}&run=${encodeURIComponent(run)}`)
  const { end, tracks } = await (await get('tracks?')).json()
  const lanes = tracks.flatMap((t) => Array.from({ length: t.depths }, (_, depth) => t.first_lane + depth)).slice(0, 40)
  const width = document.querySelector('.plot canvas').width
  const px = Math.ceil(end / 2 ** Math.floor(Math.log2(end / width)))
  const answer = await (await get(`window?t0=0&t1=${end}&px=${px}&lanes=${lanes.join(',')}`)).arrayBuffer()
  const bytes = new DataView(answer).getUint32(4, true)
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(answer, 8, bytes)))
  const types = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array }
  const column = {}
  let at = 8 + bytes
  for (const { name, type, length } of header.columns) {
    column[name] = new types[type](answer, at, length)
    at += Math.ceil((length * types[type].BYTES_PER_ELEMENT) / 8) * 8
  }
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height: 800 })
  canvas.style.cssText = 'position:fixed;inset:0;z-index:99'
  document.body.append(canvas)
  const context = canvas.getContext('2d')
  const colours = Array.from({ length: 256 }, (_, i) => `hsl(${(i * 47) % 360} 60% 50%)`)
  const spent = []
  const until = performance.now() + 1000 * seconds
  await new Promise((done) => {
    let last = 0
    const frame = (now) => {
      if (last) spent.push(now - last)
      last = now
      const shift = 200 * Math.sin(now / 500)
      context.clearRect(0, 0, width, 800)
      header.lanes.forEach(({ offset, count }, row) => {
        for (let i = offset; i < offset + count; i++) {
          context.fillStyle = colours[column.shade[i]]
          const x = (column.start[i] / end) * width + shift
          context.fillRect(x, row * 19, Math.max(1, ((column.end[i] - column.start[i]) / end) * width), 17)
        }
      })
      if (now < until) requestAnimationFrame(frame)
      else done()
    }
    requestAnimationFrame(frame)
  })
  canvas.remove()
  return { frames: spent, cells: column.start.length }
}"""
"""The same cells without row images: a rectangle for each, moved as fast as it goes."""


@contextmanager
def served(trace: Path) -> Iterator[str]:
    """The address of a server over the folder of a trace."""
    command = [sys.executable, "-m", "stepscope", "serve", str(trace.parent), "--port", "0", "--no-token"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            found = re.search(r"http://[\w.:]+/", line)
            if found:
                yield found.group()
                break
        else:
            raise SystemExit("the server said no address")
    finally:
        process.terminate()
        process.wait()


@contextmanager
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    path = os.environ.get("STEPSCOPE_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


def opened(address: str, run: str) -> None:
    """Wait until a run is read and its timeline laid out, so that both are in the cache."""
    for path in ("api/run", "api/timeline/tracks"):
        while True:
            with urllib.request.urlopen(f"{address}{path}?{urllib.parse.urlencode({'run': run})}") as response:
                answer: dict[str, Any] = json.load(response)
            if answer.get("state", "ready") != "reading":
                break
            time.sleep(0.2)


def held(page: Page, ways: list[tuple[str, int]]) -> list[float]:
    """Frame times in ms while keys are held one after the other, each for so many ms."""
    page.evaluate("window.frames_ = []; window.recording = true")
    for key, ms in ways:
        page.keyboard.down(key)
        page.wait_for_timeout(ms)
        page.keyboard.up(key)
    times: list[float] = page.evaluate("window.recording = false, window.frames_")
    return sorted(times)


def figures(name: str, frames: list[float]) -> dict[str, float]:
    """Median, 95th percentile and maximum in seconds; the names say whether they meet their goals."""
    frames = sorted(frames)
    found = {"median": median(frames), "p95": _late(frames), "max": frames[-1]}
    return {f"{name}, {key}{_judged(value, MOST.get(key))}": value / 1000 for key, value in found.items()}


def _judged(value: float, most: float | None) -> str:
    return "" if most is None else f" (goal {most:g} ms, {'ok' if value <= most else 'miss'})"


def measured(browser: Browser, address: str, run: str) -> dict[str, float]:
    """Seconds by what they are of."""
    page = browser.new_page(viewport={"width": 1600, "height": 1000})
    page.add_init_script(_RECORD)
    begin = time.perf_counter()
    page.goto(f"{address}#/timeline?{urllib.parse.urlencode({'run': run})}")
    page.wait_for_function(DRAWN, polling=20)
    first = time.perf_counter() - begin
    found = {f"first useful pixel{_judged(1000 * first, MOST_FIRST)}": first}
    page.wait_for_timeout(2000)
    page.mouse.move(900, 500)
    ours: list[float] = []
    rectangles: list[float] = []
    for _ in range(_TURNS):
        ours += held(page, [("d", 900), ("a", 900)])
        drawn = page.evaluate(_RECTANGLES, {"run": run, "seconds": 1.8})
        rectangles += drawn["frames"]
    found |= figures("pan at full zoom-out", ours)
    found |= figures(f"a rectangle for each of {drawn['cells']:,} cells", rectangles)
    found |= figures("zoom in", held(page, [("w", 5000)]))
    found |= figures("zoom out", held(page, [("s", 5000)]))
    held(page, [("w", 900)])
    found |= figures("pan zoomed in", held(page, [("d", 2500), ("a", 2500)]))
    found["ours"], found["baseline"] = _late(ours) / 1000, _late(rectangles) / 1000
    return found


def _late(frames: list[float]) -> float:
    return sorted(frames)[int(len(frames) * 0.95)]


def main() -> None:
    trace = Path(sys.argv[1])
    with served(trace) as address:
        opened(address, trace.name)
    # Once more: the first useful pixel is that of a profile in the cache.
    with served(trace) as address, chromium() as browser:
        opened(address, trace.name)
        found = measured(browser, address, trace.name)
    print(json.dumps({name: [seconds, 0.0] for name, seconds in found.items()}))


if __name__ == "__main__":
    main()
