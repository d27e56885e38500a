"""What is said inside a job. The catalogues of `stepscope.messages` need libraries that a job need not have."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

_ENGLISH = {
    "recorded": "recorded steps {first} to {last} into {folder}; next: stepscope report {folder}",
    "partial": "recorded steps {first} to {last} of {wanted}, then the program ended; next: stepscope report {folder}",
    "cut-foreign": "recorded steps {first} to {last} of {wanted}, then the program started a profiler of its own; "
    "next: stepscope report {folder}",
    "too-short": "nothing was recorded: the program took {steps} steps, and {wanted} would be recorded; "
    'preset="early" needs 6 steps',
    "foreign": "the program started a profiler of its own, which is the one that records",
    "nested": "this profile records nothing: another one is at work in this process",
    "failed": "nothing was recorded: {reason}",
    "no-preset": "there is no preset {name}; there are {known}",
    "no-record": "{name} cannot be recorded; {known} can",
    "no-steps": "steps are first to last, counted from 0, as in steps=(10, 12)",
    "stop-at-step": "StopAtStep takes the first and the last step, counted from 1",
    "no-module": "{name} needs {module}, which is not installed here",
    "no-batches": "sweep needs batch sizes of 1 or more",
    "oom": "out of memory on GPU {device}: {requested} were asked for; {reason}; snapshot: {path}",
    "oom-limit": "the limit of the process, {limit}, is reached, {free} of the GPU are free",
    "oom-fragmented": "{holes} are reserved and free, in blocks of {largest} at most: memory is fragmented",
    "oom-others": "other processes, NCCL and CUDA itself take {others}, this allocator {reserved}",
    "oom-full": "the tensors of the program take {allocated} of {total}",
}
_CHINESE = {
    "recorded": "已采集第 {first} 到 {last} 个迭代，保存在 {folder}；下一步：stepscope report {folder}",
    "partial": "已采集第 {first} 到 {last} 个迭代（计划为 {wanted}），之后程序结束；下一步：stepscope report {folder}",
    "cut-foreign": "已采集第 {first} 到 {last} 个迭代（计划为 {wanted}），之后程序启动了自己的 profiler；"
    "下一步：stepscope report {folder}",
    "too-short": '没有采集任何内容：程序只运行了 {steps} 个迭代，而计划采集 {wanted}；preset="early" 只需 6 个迭代',
    "foreign": "程序启动了自己的 profiler，由它采集",
    "nested": "该 profile 不采集：本进程中已有另一个正在工作",
    "failed": "没有采集任何内容：{reason}",
    "no-preset": "没有预设 {name}；可用的有 {known}",
    "no-record": "无法采集 {name}；可采集的有 {known}",
    "no-steps": "steps 为从 0 起计的首尾迭代，例如 steps=(10, 12)",
    "stop-at-step": "StopAtStep 的参数为从 1 起计的首尾迭代",
    "no-module": "{name} 需要 {module}，此处未安装",
    "no-batches": "sweep 需要不小于 1 的 batch 大小",
    "oom": "GPU {device} 显存不足：申请 {requested}；{reason}；快照：{path}",
    "oom-limit": "已达到进程的上限 {limit}，GPU 还有 {free} 空闲",
    "oom-fragmented": "已保留而空闲的有 {holes}，但最大的块只有 {largest}：显存碎片化",
    "oom-others": "其他进程、NCCL 和 CUDA 自身占用 {others}，本分配器占用 {reserved}",
    "oom-full": "程序的张量占用 {total} 中的 {allocated}",
}
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def sentence(key: str, **given: object) -> str:
    """A sentence in the language of the locale, English where it cannot be shown."""
    chosen = _CHINESE if _speaks_chinese() else _ENGLISH
    return chosen[key].format(**given)


def size(count: int) -> str:
    """Bytes in the unit that fits.

    >>> size(512), size(3 << 29)
    ('512 B', '1.50 GiB')
    """
    value, unit = float(count), 0
    while abs(value) >= 1024 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    return f"{value:.2f} {_UNITS[unit]}" if unit else f"{count} B"


def say(text: str, write: Callable[[str], object] | None = None) -> None:
    """One line on stderr, where the job's output is not."""
    try:
        (write or sys.stderr.write)(f"stepscope: {text}\n")
    except (OSError, ValueError, AttributeError):
        return  # closed, or none: the job goes on


def _speaks_chinese() -> bool:
    wanted = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    if not wanted.lower().startswith("zh"):
        return False
    try:
        "\u4e2d".encode(getattr(sys.stderr, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
