"""The lines of a report, kept beside the stored trace: opened again it is shown without computing anything."""

from __future__ import annotations

from dataclasses import astuple

from stepscope.messages.language import language
from stepscope.reporters.sections.text_lines import Line
from stepscope.store.kept_results import is_kept, keep, load, result_path
from stepscope.store.profile import Profile


def load_lines(profile: Profile, width: int) -> list[Line] | None:
    """The lines as they were kept, in the language that is spoken; None where they were not."""
    kept = load(result_path(profile, *_name(profile, width))) if is_kept(profile) else None
    found = kept[0].get("lines") if kept else None
    return [Line(*line) for line in found] if isinstance(found, list) else None


def keep_lines(profile: Profile, width: int, lines: list[Line]) -> None:
    """Keep the lines, unless they follow from more than the files."""
    if is_kept(profile):
        keep(result_path(profile, *_name(profile, width)), {"lines": [astuple(line) for line in lines]})


def _name(profile: Profile, width: int) -> tuple[str, list[str], str, int]:
    """What is kept, and its options: it names what was asked for."""
    return "report", list(profile.paths), language(), width
