"""Accessibility as axe-core sees it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCRIPT = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
"""What npm installed for checking; ``make check`` does so."""

_VIOLATIONS = """async (rules) => {
  // Targets of 24 px are a rule of WCAG 2.2, which axe leaves out unless it is named.
  const only = rules.length > 0 ? { runOnly: rules } : { rules: { 'target-size': { enabled: true } } }
  const { violations } = await axe.run(document, { ...only, resultTypes: ['violations'] })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any, all, none }) => {
      const said = [...any, ...all, ...none].map((one) => one.message).join('; ')
      return `${id}: ${html.slice(0, 160)} ${said.slice(0, 200)}`
    }))
}"""

_THEME = "document.documentElement.dataset.theme"


def violations(page: Page, *rules: str) -> list[str]:
    """What breaks one of these rules of axe-core; of all that it checks by itself, if none are named."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(_VIOLATIONS, list(rules))
    return found


def violations_in_both_themes(page: Page) -> list[str]:
    """As `violations`, of the theme shown and of the other one, which differs in nothing but its colours."""
    found = violations(page)
    dark = page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.emulate_media(color_scheme="light" if dark else "dark")
    page.wait_for_function(
        "before => document.documentElement.dataset.theme !== before", arg="dark" if dark else "light"
    )
    found += [f"in the other theme: {one}" for one in violations(page, "color-contrast")]
    page.emulate_media(color_scheme="dark" if dark else "light")
    return found
