"""A kernel of vLLM was printed as ``enable_if<((>``.

Seen in public/tracelens/b200__eager_trace: its result type is an ``enable_if`` over a comparison, whose ``>`` was taken
for a closing bracket, so that the next parenthesis looked like the parameter list.
"""

from __future__ import annotations

import pytest

from stepscope.reporters.kernel_text import short_kernel


@pytest.mark.parametrize(
    ("name", "short"),
    [
        (
            "std::enable_if<(((8)>(0)))&&vllm::_typeConvert<c10::BFloat16>::exists, void>::type vllm::norm<8>(int)",
            "vllm::norm<8>",
        ),
        (
            "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*, unsigned long)",
            "multimem_all_reduce_kernel<BFloat16, 16>",
        ),
        ("Memcpy HtoD (Pinned -> Device)", "Memcpy HtoD"),
        ("unbalanced)<(kernel", "unbalanced)<(kernel"),
    ],
)
def test_a_kernel_is_called_by_its_own_name(name: str, short: str) -> None:
    assert short_kernel(name) == short
