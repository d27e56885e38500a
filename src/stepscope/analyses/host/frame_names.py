"""What the names of Python frames mean: where a function stands, and whether it is the user's.

The profiler cuts paths at the folders that Python searches, so a package of the user's, an installed one and a module
of Python's own library all look like ``name/file.py``; which is which is known by name alone. Libraries that define
models count as the user's: their lines say what the model was doing.
"""

from __future__ import annotations

import polars as pl

_FRAME = r"^(.+\.py|<ipython-input[^>]*>|<stdin>)\((\d+)\)"
_FUNCTION = r"\(\d+\): (.+)$"
_PACKAGES = r"^.*(?:site-packages|dist-packages|lib/python3(?:\.\d+)?|(?:^|/)\.stepscope-\w+)/"
_GENERATED = r"torchinductor_|torch_compile_debug|<eval_with_key>|fx_generated_|triton_cache"
_DRIVERS = r"^(transformers/(utils/|trainer)|(diffusers|peft|trl|timm)/utils/|trl/trainer/)"

_FRAMEWORKS = """
torch torchgen functorch torch_xla torch_npu torch_musa triton numpy cupy apex amp_C transformer_engine_torch
accelerate lightning lightning_fabric pytorch_lightning deepspeed fairscale ignite horovod ray tqdm wandb
stepscope stepscope_agent
tensorboard IPython ipykernel traitlets debugpy pydevd pytest _pytest pluggy click
"""
"""PyTorch, what it computes with, and what drives a training loop that somebody else wrote."""

_WORKS_FOR_CALLERS = ("numpy", "cupy")
"""What they do is what the program asked for, as with Python's own library."""

_STANDARD_LIBRARY = """
__future__ _bootsubprocess _collections_abc _compat_pickle _compression _pydatetime _py_abc _sitebuiltins
_weakrefset abc argparse ast asyncio base64 bdb bisect codecs collections concurrent contextlib contextvars copy
copyreg csv ctypes dataclasses datetime decimal dis email encodings enum fractions functools genericpath getpass
gettext glob gzip hashlib heapq hmac html http importlib inspect io ipaddress json keyword linecache locale logging
mimetypes multiprocessing ntpath numbers opcode operator os pathlib pickle pkgutil platform posixpath pprint pstats
pydoc queue random re reprlib runpy sched secrets selectors shutil signal site socket socketserver sre_compile
sre_parse ssl stat statistics string struct subprocess sysconfig tarfile tempfile textwrap threading timeit tokenize
traceback types typing typing_extensions unittest urllib uuid warnings weakref xml zipfile zipimport zoneinfo
"""

_MACHINERY = [*_FRAMEWORKS.split(), *_STANDARD_LIBRARY.split()]


def frame_names(text: pl.Series, codes: pl.Series | None = None) -> pl.DataFrame:
    """What names of frames mean: columns name (the codes), source, is_user, is_framework, place (the source without its
    line).

    >>> import polars as pl
    >>> frame_names(pl.Series(["train.py(3): step", "torch/_ops.py(9): __call__", "<built-in len>"])).rows()
    [(0, 'train.py:3', True, False, 'train.py in step()'), (1, 'torch/_ops.py:9', False, True, \
'torch/_ops.py in __call__()'), (2, None, False, False, None)]
    """
    codes = pl.int_range(len(text), dtype=pl.UInt32, eager=True) if codes is None else codes
    frame = pl.DataFrame({"name": codes, "text": text.str.replace_all("\\", "/", literal=True)})
    path, line = pl.col("text").str.extract(_FRAME, 1), pl.col("text").str.extract(_FRAME, 2)
    function = pl.col("text").str.extract(_FUNCTION, 1).str.replace(r"^([^<].*)$", "${1}()")
    module = path.str.replace(_PACKAGES, "")
    package = module.str.replace(r"[/.].*$", "")
    installed = path.str.contains(_PACKAGES)
    relative = ~path.str.contains(r"^(/|[A-Za-z]:/)")
    driver = (installed | relative) & (package.is_in(_MACHINERY) | module.str.contains(_DRIVERS))
    framework = package.is_in([one for one in _FRAMEWORKS.split() if one not in _WORKS_FOR_CALLERS])
    return frame.select(
        "name",
        pl.concat_str(path, line, separator=":").alias("source"),
        (path.is_not_null() & ~driver & ~path.str.contains(_GENERATED)).fill_null(False).alias("is_user"),
        (driver & (framework | module.str.contains(_DRIVERS))).fill_null(False).alias("is_framework"),
        pl.concat_str(path, pl.lit(" in "), function).alias("place"),
    )
