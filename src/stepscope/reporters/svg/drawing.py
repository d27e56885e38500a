"""Rectangles and texts of a picture, as SVG. Every text of a recording is escaped here."""

from __future__ import annotations

import re
from html import escape

from stepscope.messages import readable
from stepscope.messages.quantities import one_line
from stepscope.reporters.display_width import middle_cut, width_of

WIDTH = 1280
MARGIN = 20
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans CJK SC', sans-serif"
TEXT, QUIET, LINE, FREE = "#1b2026", "#525c67", "#dfe3e8", "#ffffff"
HATCH = "url(#hatch)"
_LETTER = 0.62
"""Width of a letter, of its height; about that of the widest usual fonts."""

_LONGEST_TITLE = 400
_NOT_XML = re.compile("[^\\t\\n\\r\\u0020-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")

CATEGORY_COLOURS = {
    "parameters": "#1f45a8",
    "optimizer state": "#7cb5f0",
    "gradients": "#c9971c",
    "activations": "#6b1f58",
    "temporaries": "#9a4a1a",
    "unknown": "#b4b8bd",
}
"""The colours that the web app has for them on white."""

_DARK = ("#1f45a8", "#6b1f58", "#9a4a1a")


class Drawing:
    """A picture that grows downwards.

    Attributes:
        y: where the next part begins.
        count: how many elements there are.
    """

    def __init__(self, title: str) -> None:
        self.y = float(MARGIN)
        self.count = 0
        self._parts: list[str] = []
        self._title = title
        self.line(title, size=16, colour=TEXT, gap=12)

    def line(self, text: str, size: int = 12, colour: str = QUIET, gap: int = 6) -> None:
        """A line of text below what is there."""
        self.y += size
        self.text(MARGIN, self.y, text, size=size, colour=colour, room=WIDTH - 2 * MARGIN)
        self.y += gap

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: int = 11,
        colour: str = TEXT,
        room: float = WIDTH,
        end: bool = False,
    ) -> None:
        """A text whose base line is at ``y``, cut to its room; nothing where not even three letters have room."""
        letters = int(room / (size * _LETTER))
        if letters < 3:
            return
        shown = middle_cut(_clean(text), letters)
        anchor = ' text-anchor="end"' if end else ""
        self._add(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}"{anchor}>{escape(shown)}</text>')

    def box(
        self, x: float, y: float, width: float, height: float, colour: str, title: str = "", *, edge: str = ""
    ) -> None:
        """A rectangle; its title shows where the pointer rests on it."""
        stroke = f' stroke="{edge}" stroke-width="0.5"' if edge else ""
        inside = f"<title>{escape(_clean(title)[:_LONGEST_TITLE])}</title>" if title else ""
        self._add(
            f'<rect x="{x:.2f}" y="{y:.2f}" width="{max(width, 0.3):.2f}" height="{height:.2f}" fill="{colour}"'
            f"{stroke}>{inside}</rect>"
        )

    def area(self, points: list[tuple[float, float]], colour: str, title: str) -> None:
        """A filled outline."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._add(f'<polygon points="{path}" fill="{colour}"><title>{escape(_clean(title))}</title></polygon>')

    def stroke(self, points: list[tuple[float, float]], colour: str) -> None:
        """A line through points."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._add(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')

    def dot(self, x: float, y: float, colour: str, title: str) -> None:
        """A point; its title shows where the pointer rests on it."""
        self._add(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}" pointer-events="all">'
            f"<title>{escape(_clean(title))}</title></circle>"
        )

    def legend(self, entries: list[tuple[str, str]]) -> None:
        """Colours with what they mean, in one line or several."""
        x = float(MARGIN)
        self.y += 14
        for colour, text in entries:
            width = 20 + 11 * _LETTER * width_of(text) + 14
            if x + width > WIDTH - MARGIN:
                x, self.y = float(MARGIN), self.y + 18
            self.box(x, self.y - 10, 12, 12, QUIET if colour == HATCH else colour, edge=QUIET)
            if colour == HATCH:
                self.box(x, self.y - 10, 12, 12, HATCH)
            self.text(x + 18, self.y, text, colour=QUIET)
            x += width
        self.y += 14

    def document(self) -> str:
        """The whole picture."""
        height = self.y + MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" '
            f'viewBox="0 0 {WIDTH} {height:.0f}" font-family="{FONT}" role="img">\n'
            f"<title>{escape(_clean(self._title))}</title>\n"
            '<defs><pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse">'
            '<path d="M0 4L4 0" stroke="#ffffff" stroke-width="1.2"/></pattern></defs>\n'
            f'<rect width="{WIDTH}" height="{height:.0f}" fill="#ffffff"/>\n' + "\n".join(self._parts) + "\n</svg>\n"
        )

    def _add(self, part: str) -> None:
        self._parts.append(part)
        self.count += 1


def on_colour(colour: str) -> str:
    """The colour of text on a colour."""
    return "#ffffff" if colour in _DARK else TEXT


def _clean(text: str) -> str:
    """A text on one line without what XML cannot hold."""
    return _NOT_XML.sub("\ufffd", readable(one_line(text)))
