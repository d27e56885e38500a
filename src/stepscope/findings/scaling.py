"""Numbers with three digits and the unit that fits them, in sentences as in tables."""

from __future__ import annotations

_TIME_STEPS = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")]


def time_text(ns: int | float | None) -> str:
    """A time with three digits and its unit.

    >>> time_text(31_542_513), time_text(980), time_text(None), time_text(-616_112)
    ('31.5 ms', '980 ns', '-', '-616 us')
    """
    return scaled(ns, _TIME_STEPS, "ns")


def percent_text(share: float | None) -> str:
    """A share with one decimal place; one that is not quite nothing or everything does not read so.

    >>> percent_text(12.34), percent_text(0.01), percent_text(99.99), percent_text(100.0), percent_text(None)
    ('12.3 %', '<0.1 %', '>99.9 %', '100 %', '-')
    """
    if share is None:
        return "-"
    if share == 0 or share == 100:
        return f"{share:.0f} %"
    if 0 < share < 0.05:
        return "<0.1 %"
    if 99.95 <= share < 100:
        return ">99.9 %"
    return f"{share:.1f} %"


def scaled(value: int | float | None, steps: list[tuple[int, str]], smallest: str) -> str:
    """A number in the largest of some units that leaves at least one digit before the point."""
    if value is None:
        return "-"
    for factor, unit in steps:
        # 999.5 of the smaller unit would be shown as 1000
        if abs(value) >= factor * 0.9995:
            scaled = value / factor
            digits = 2 if abs(scaled) < 9.995 else 1 if abs(scaled) < 99.95 else 0
            return f"{scaled:.{digits}f} {unit}"
    return f"{value:.0f} {smallest}"
