"""What a Python process below ``stepscope record`` runs first: the launcher copies this file as ``sitecustomize.py``.

It waits for torch to be imported; a process that never does so is left as it is. It needs Python 3.6 to be parsed and
3.8 to do anything, runs the ``sitecustomize`` that it hides, and lets no error of its own out.
"""

import importlib.machinery
import importlib.util
import json
import os
import sys
from typing import Any, Dict, Optional  # noqa: UP035 - Python 3.6 has no others

_HERE = os.path.dirname(os.path.abspath(__file__))
_PACKAGE = "stepscope_agent"
_OLDEST = (3, 8)
_MOST_SEEN_BYTES = 1 << 16
SEEN = "seen"
"""Lists the processes that ran this, in the folder of this file: how the launcher knows that any did."""


class _Watch:
    """A finder that finds nothing, and has some modules call back once they were executed."""

    def __init__(self, config: Dict[str, Any]) -> None:  # noqa: UP006
        self._config = config
        self._agent = None  # type: Any
        self._wanted = {"torch"} | set(config.get("watched", ()))

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[Any]:  # noqa: UP045
        if name not in self._wanted:
            return None
        self._wanted.discard(name)
        for finder in sys.meta_path:
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find is not None else None
            if spec is not None:
                self._call_back(spec)
                return spec
        return None

    def _call_back(self, spec: Any) -> None:
        loader = spec.loader
        execute = getattr(loader, "exec_module", None)
        if execute is None:
            return

        def executed(module: Any) -> None:
            try:
                del loader.exec_module
            except AttributeError:
                pass
            execute(module)
            self._executed(module)

        try:
            loader.exec_module = executed
        except AttributeError:  # a loader that is a class: such a module is built in or frozen
            pass

    def _executed(self, module: Any) -> None:
        try:
            if self._agent is None:
                self._agent = _load_agent()
            self._agent.imported(module, self._config)
        except Exception as error:  # noqa: BLE001 - the job goes on without being recorded
            _note("error %s: %s" % (type(error).__name__, error))  # noqa: UP031


def _load_agent() -> Any:
    folder = os.path.join(_HERE, _PACKAGE)
    spec = importlib.util.spec_from_file_location(
        _PACKAGE, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    sys.modules[_PACKAGE] = module
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


def _note(what: str) -> None:
    """Add a line about this process to those that the launcher reads. One write: lines of others stay whole."""
    try:
        place = os.open(os.path.join(_HERE, SEEN), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            if os.fstat(place).st_size < _MOST_SEEN_BYTES:
                line = "%d %s\n" % (os.getpid(), " ".join(what.split())[:200])  # noqa: UP031
                os.write(place, line.encode("utf-8", "replace"))
        finally:
            os.close(place)
    except OSError:
        pass


def _begin() -> None:
    sys.path[:] = [place for place in sys.path if os.path.abspath(place or ".") != _HERE]
    if sys.version_info < _OLDEST:
        _note("old")
        return
    with open(os.path.join(_HERE, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    # What is imported already will not pass by.
    config["imported"] = [sys.modules[name] for name in config.get("watched", ()) if name in sys.modules]
    sys.meta_path.insert(0, _Watch(config))
    _note("python")


def _run_hidden() -> None:
    """Run the ``sitecustomize`` that would have been found without this one; what it raises is the interpreter's."""
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


if __name__ == "sitecustomize":
    try:
        _begin()
    except Exception:  # noqa: BLE001, S110 - nothing of this may be seen in a job
        pass
    _run_hidden()
