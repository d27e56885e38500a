"""C++ kernel names short enough for a table."""

from __future__ import annotations

import re

from stepscope.analyses.gpu.mangled_names import readable

_NOISE = re.compile(
    r"\(anonymous namespace\)::|\{lambda\([^)]*\)#\d+\}(?:::operator\(\)\([^)]*\)(?: const)?)?(?:::)?"
    r"|\bvoid |\bat::native::|\bat::|\bc10::|\bstd::|\bbinary_internal::|\bcudnn::\w*::|\bcutlass::\w*::"
)
_POINTERS = re.compile(r",? *(?:detail::)?[Aa]rray<char\*, *\d+(?:ul)?> *")
_ARGUMENTS = re.compile(r"\([^()<>]*\)(?: const)?")
_RESULT = "::type"
_REPEAT = re.compile(r"\d+ x ")
_ARROW = re.compile(r" -> (?![^()]*\))")
"""Between kernels, not between the sides of a copy: ``Memcpy HtoD (Pageable -> Device)``."""

_LOOSE_ENDS = re.compile(r" +(?=>)|:+(?=[>,]|$)")


def short_kernel(name: str) -> str:
    """A kernel's name without return type, parameters, pointer arrays and the namespaces everybody knows.

    >>> short_kernel("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
    ...              "std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)")
    'vectorized_elementwise_kernel<4, FillFunctor<float>>'
    """
    if name.startswith("_Z"):
        return readable(name) or name
    text = _NOISE.sub("", _without_parameters(name))
    text = _ARGUMENTS.sub("", _POINTERS.sub("", text))
    return _LOOSE_ENDS.sub("", text).strip() or name


def short_kernels(names: str) -> str:
    """Kernels in order, ``a -> 3 x b``, by their bare names; one name alone as `short_kernel` has it.

    >>> short_kernels("2 x void at::native::add<float>(int) -> gemm")
    '2 x add -> gemm'
    >>> short_kernels("Memcpy HtoD (Pageable -> Device)")
    'Memcpy HtoD'
    """
    parts = _ARROW.split(names)
    if len(parts) == 1 and not _REPEAT.match(names):
        return short_kernel(names)
    return " -> ".join(_bare(part) for part in parts)


def bare_kernel(name: str) -> str:
    """A kernel's name without namespaces and template arguments.

    >>> bare_kernel("void at::native::add<float>(int)")
    'add'
    """
    return _bare(name)


def _bare(part: str) -> str:
    """A name without template arguments, the count before it kept."""
    match = _REPEAT.match(part)
    count = match.group() if match else ""
    return count + (short_kernel(part[len(count) :]).partition("<")[0].rpartition("::")[2] or part)


def _without_parameters(name: str) -> str:
    """Cut the parameter list: the first parenthesis outside template brackets that does not open a namespace.

    Cuts a result type ``std::enable_if<...>::type`` off the front, too: it says nothing about the kernel. Brackets
    within parentheses are comparisons (``enable_if<((8)>(0))>``) or belong to parameters.
    """
    depth = parentheses = begin = 0
    for i, character in enumerate(name):
        if character == "(":
            if depth == 0 and parentheses == 0 and i and not name.startswith("(anonymous", i):
                return name[begin:i]
            parentheses += 1
        elif character == ")":
            parentheses -= 1
        elif character == "<" and parentheses == 0:
            depth += 1
        elif character == ">" and parentheses == 0:
            depth -= 1
        elif character == " " and depth == 0 and parentheses == 0 and name.endswith(_RESULT, begin, i):
            begin = i + 1
    return name[begin:]
