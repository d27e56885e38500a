"""Quantities as people read them: three digits and the unit that fits, in sentences as in tables."""

from __future__ import annotations

_BYTE_STEPS = [(1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
_COUNT_STEPS = [(10**15, "P"), (10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k")]
_TIME_STEPS = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")]


def time_text(ns: int | float | None) -> str:
    """A time with three digits and its unit.

    >>> time_text(31_542_513), time_text(980), time_text(None), time_text(-616_112)
    ('31.5 ms', '980 ns', '-', '-616 us')
    """
    return scaled(ns, _TIME_STEPS, "ns")


def long_time_text(ns: int | float) -> str:
    """As `time_text`, with minutes, hours and days where seconds would be many.

    >>> long_time_text(90 * 10**9), long_time_text(3 * 3600 * 10**9), long_time_text(31_542_513)
    ('90.0 s', '3.0 h', '31.5 ms')
    """
    seconds = ns / 1e9
    if seconds < 600:
        return time_text(ns)
    if seconds < 7200:
        return f"{seconds / 60:.3g} min"
    return f"{seconds / 3600:.1f} h" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} days"


def clock_text(epoch_ns: int | float) -> str:
    """The time of day of ns since 1970, to the second.

    >>> clock_text(1_790_856_271_900_000_000)
    '12:04:31 UTC'
    """
    seconds = int(epoch_ns // 10**9) % 86400
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02} UTC"


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


def whole_percent_text(share: float) -> str:
    """A share without decimal places; what is little is not called nothing.

    >>> whole_percent_text(12.34), whole_percent_text(0.3), whole_percent_text(0.0), whole_percent_text(99.7)
    ('12 %', '<1 %', '0 %', '100 %')
    """
    return "<1 %" if 0 < share < 0.5 else f"{share:.0f} %"


def exact_percent_text(share: float) -> str:
    """A share with two significant places near the ends, so that 99.97 % does not read 100 %.

    >>> exact_percent_text(99.97), exact_percent_text(100.0), exact_percent_text(37.04), exact_percent_text(0.034)
    ('99.97 %', '100 %', '37.0 %', '0.034 %')
    """
    if share in (0.0, 100.0):
        return f"{share:.0f} %"
    if share < 0.1 or share > 99.9:
        return f"{share:.2g} %" if share < 0.1 else f"{min(share, 99.99):.2f} %"
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


def bytes_text(count: int | float | None) -> str:
    """A size with three digits and its binary unit.

    >>> bytes_text(1536), bytes_text(0)
    ('1.50 KiB', '0 B')
    """
    return scaled(count, _BYTE_STEPS, "B")


def flops_text(count: int | float | None) -> str:
    """A large count with three digits and its prefix.

    >>> flops_text(193_350_205_440)
    '193 G'
    """
    return scaled(count, _COUNT_STEPS, "").rstrip()


def rate_text(per_second: int | float | None, unit: str) -> str:
    """A rate with three digits, its prefix and its unit.

    >>> rate_text(43_605_262_855_655.5, "FLOP/s"), rate_text(4.8e12, "B/s"), rate_text(None, "B/s")
    ('43.6 TFLOP/s', '4.80 TB/s', '-')
    """
    return f"{scaled(per_second, _COUNT_STEPS, '')}{unit}" if per_second is not None else "-"


def one_line(text: str) -> str:
    """Text of a trace as it may be printed: no control characters, so that it cannot steer the terminal.

    >>> one_line("a\\x1b[31mb\\n")
    'a?[31mb?'
    """
    return "".join(character if character.isprintable() else "?" for character in text)
