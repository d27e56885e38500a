"""C++ kernel names short enough for a table."""

from __future__ import annotations

import re

_NOISE = re.compile(
    r"\(anonymous namespace\)::|\bvoid |\bat::native::|\bat::|\bc10::|\bstd::|\bcudnn::\w*::|\bcutlass::\w*::"
)


def short_kernel(name: str) -> str:
    """A kernel's name without return type, parameters and the namespaces everybody knows.

    >>> short_kernel("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int, float*)")
    'vectorized_elementwise_kernel<4, FillFunctor<float>>'
    """
    return _NOISE.sub("", _without_parameters(name)).strip() or name


def _without_parameters(name: str) -> str:
    """Cut the parameter list: from the first parenthesis outside template brackets that opens one."""
    depth = 0
    for i, character in enumerate(name):
        if character == "<":
            depth += 1
        elif character == ">":
            depth -= 1
        elif character == "(" and depth == 0 and i and not name.startswith("(anonymous", i):
            return name[:i]
    return name
