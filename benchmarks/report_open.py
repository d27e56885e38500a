"""How long a one-file report takes until it shows its verdict, in headless Chromium: ``python report_open.py TRACE``.

Prints JSON, ``{"name": [seconds, 0]}``. ``ours`` is the time from going to the file on disk until the verdict is read,
``baseline`` what the same browser takes to unpack and parse the trace itself, as viewers do that have no report. The
others say the size of the file, and the time until the timeline is drawn.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from frames import DRAWN, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MOST_SECONDS, MOST_BYTES = 2.0, 8_000_000
"""Goals."""

_PARSE = """async (input) => {
  const stream = input.files[0].stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text()).traceEvents.length
}"""

_SAID = """() => (document.querySelector('main [aria-level="1"]')?.textContent ?? '').length > 10"""


def shown(browser: Browser, report: Path, page: str, expression: str) -> float:
    """Seconds until an expression holds on a page of the report."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
    opened = context.new_page()
    begin = time.perf_counter()
    opened.goto(f"{report.as_uri()}#/{page}", wait_until="commit")
    opened.wait_for_function(expression, polling=20)
    spent = time.perf_counter() - begin
    context.close()
    return spent


def parsed(browser: Browser, trace: Path) -> float:
    """Seconds to unpack and parse the trace."""
    page = browser.new_page()
    page.set_content("<input type=file>")
    page.set_input_files("input", trace)
    begin = time.perf_counter()
    page.eval_on_selector("input", _PARSE)
    spent = time.perf_counter() - begin
    page.close()
    return spent


def main() -> None:
    trace = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        report = Path(folder) / "report.html"
        command = [sys.executable, "-m", "stepscope", "report", str(trace), "-o", str(report)]
        subprocess.run(command, check=True, capture_output=True)
        size = report.stat().st_size
        ours = shown(browser, report, "verdict", _SAID)
        drawn = shown(browser, report, "timeline", DRAWN)
        held = f"a report of {size / 1e6:.1f} MB (goal {MOST_BYTES / 1e6:g} MB, {judged(size, MOST_BYTES)})"
        found = {
            f"{held} says its verdict (goal {MOST_SECONDS:g} s, {judged(ours, MOST_SECONDS)})": ours,
            f"its timeline is drawn (goal {MOST_SECONDS:g} s, {judged(drawn, MOST_SECONDS)})": drawn,
            "ours": ours,
            "baseline": parsed(browser, trace),
        }
    print(json.dumps({name: [seconds, 0.0] for name, seconds in found.items()}))


def judged(value: float, most: float) -> str:
    return "ok" if value <= most else "miss"


if __name__ == "__main__":
    main()
