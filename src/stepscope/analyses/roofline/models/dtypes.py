"""Types of tensors as a trace names them: short names, sizes, and what two of them become together."""

from __future__ import annotations

import re

_TYPES: dict[str, tuple[str, int]] = {
    "double": ("fp64", 8),
    "float": ("fp32", 4),
    "half": ("fp16", 2),
    "bfloat16": ("bf16", 2),
    "long": ("int64", 8),
    "long int": ("int64", 8),
    "long long": ("int64", 8),
    "int": ("int32", 4),
    "short": ("int16", 2),
    "short int": ("int16", 2),
    "signed char": ("int8", 1),
    "char": ("int8", 1),
    "qint8": ("int8", 1),
    "unsigned char": ("uint8", 1),
    "byte": ("uint8", 1),
    "quint8": ("uint8", 1),
    "unsigned short": ("uint16", 2),
    "unsigned int": ("uint32", 4),
    "unsigned long": ("uint64", 8),
    "bool": ("bool", 1),
    "complex<double>": ("complex128", 16),
    "complex<float>": ("complex64", 8),
    "complex<half>": ("complex32", 4),
}

_BY_NUMBER = {
    0: "uint8",
    1: "int8",
    2: "int16",
    3: "int32",
    4: "int64",
    5: "fp16",
    6: "fp32",
    7: "fp64",
    8: "complex32",
    9: "complex64",
    10: "complex128",
    11: "bool",
    15: "bf16",
    23: "fp8",
    24: "fp8",
    25: "fp8",
    26: "fp8",
    44: "fp8",
    45: "fp4",
}
"""torch's ``ScalarType``, as it stands among an operator's scalars."""

SIZES: dict[str, int] = dict(_TYPES.values()) | {
    "fp8": 1,
    "fp4": 1,
    "8-bit": 1,
    "16-bit": 2,
    "32-bit": 4,
    "64-bit": 8,
}
"""Bytes of an element. Two fp4 numbers share a byte, and a trace counts the bytes as elements. Of the elements of a
list of tensors often only the size is known."""

_FLOATS = ("fp8", "fp4", "bf16", "fp16", "fp32", "fp64")
_INTEGERS = ("bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64")
_COMPLEX = ("complex32", "complex64", "complex128")


def short_type(recorded: str) -> str:
    """Short name of a recorded type; "" for what is no type of a tensor.

    >>> short_type("c10::BFloat16"), short_type("float"), short_type("c10::Float8_e4m3fn"), short_type("ScalarList")
    ('bf16', 'fp32', 'fp8', '')
    """
    name = recorded.replace("c10::", "").strip().lower()
    if name.startswith("float8"):
        return "fp8"
    if name.startswith("float4"):
        return "fp4"
    return _TYPES.get(name, ("", 0))[0]


def numbered_type(number: str) -> str:
    """Short name of a ``ScalarType`` number; "" where it is none.

    >>> numbered_type("15"), numbered_type("")
    ('bf16', '')
    """
    return _BY_NUMBER.get(int(number), "") if number.isdigit() else ""


def is_float(short: str) -> bool:
    return short in _FLOATS


def is_complex(short: str) -> bool:
    return short in _COMPLEX


def promoted(shorts: list[str]) -> str:
    """Type of a result of several tensors: the widest of the highest class; bf16 and fp16 become fp32.

    >>> promoted(["bf16", "fp32"]), promoted(["bool", "int64"]), promoted(["fp16", "bf16"])
    ('fp32', 'int64', 'fp32')
    """
    for family in (_COMPLEX, _FLOATS, _INTEGERS):
        found = [short for short in shorts if short in family]
        if found:
            if "bf16" in found and "fp16" in found and "fp64" not in found:
                return "fp32"
            return max(found, key=family.index)
    return ""


_TEMPLATE = re.compile(r"OpaqueType<(\d)u?>|\b(c10::BFloat16|c10::Half|float|double|long|int|unsigned char|bool)\b")


def element_type(kernel: str) -> str:
    """Type of the elements that a kernel of ATen moves, by its template arguments; "" where they do not tell.

    >>> element_type("void at::native::CatArrayBatchedCopy<at::native::OpaqueType<4u>, unsigned int, 3, 64, 64>(int)")
    '32-bit'
    >>> element_type("void at::native::multi_tensor_apply_kernel<TensorListMetadata<2>, AddFunctor<float, 2>>(int)")
    'fp32'
    """
    found = _TEMPLATE.search(kernel.partition("(anonymous namespace)")[2] or kernel)
    if found is None:
        return ""
    return f"{8 * int(found[1])}-bit" if found[1] else short_type(found[2])
