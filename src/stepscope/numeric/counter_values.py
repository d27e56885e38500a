"""The numbers among what a scan kept as text: values of counters, whose keys no plan can list."""

from __future__ import annotations

from stepscope.numeric.compiling import hot
from stepscope.numeric.exact_float import UNSURE, exact_float_bits
from stepscope.numeric.numbers import INVALID

ELSEWHERE, NUMBER, NO_NUMBER, LONG_NUMBER = range(4)
"""What an extra is: no value of a counter, a value that was read, a value that is no number, one that is a number but
was not read because it has too many digits."""

_QUOTE = 34


@hot
def read_counter_values(extras, count, rows, entries, buf, bits, found):
    """Say of each of the first ``count`` extras what it is, and read the numbers.

    Args:
        extras: of a scan, see `plan.Output`.
        count: how many of them there are; in order of their objects.
        rows: indexes of the objects that are counters, ascending.
        entries: of the scan's pool.
        buf: what was scanned.
        bits: [count] receives the float64 of each `NUMBER`, as bits.
        found: [count] receives what each is.
    """
    at = 0
    for i in range(count):
        found[i] = ELSEWHERE
        if extras[1, i] != 1:
            continue
        while at < len(rows) and rows[at] < extras[0, i]:
            at += 1
        if at == len(rows):
            found[i:count] = ELSEWHERE
            return
        if rows[at] != extras[0, i]:
            continue
        start = entries[extras[3, i], 0]
        stop = start + entries[extras[3, i], 1]
        if stop - start >= 2 and buf[start] == _QUOTE:
            start, stop = start + 1, stop - 1
        bits[i], status = exact_float_bits(buf, start, stop)
        found[i] = LONG_NUMBER if status == UNSURE else NO_NUMBER if status == INVALID else NUMBER
