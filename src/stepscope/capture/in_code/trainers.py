"""A profiler for Lightning and a callback for transformers: classes that inherit from theirs, made when asked for."""

from __future__ import annotations

from functools import cache
from typing import Any

from stepscope.capture.in_code.annotations import annotate
from stepscope.capture.in_code.profiles import Profile, profile
from stepscope.capture.in_code.said import sentence

_BATCH = "run_training_batch"
"""Lightning's action of a batch of training."""


class _Actions:
    """What a profiler of Lightning is told, made steps and names of a recording."""

    def __init__(self, out: str, preset: str = "steady", **options: Any) -> None:
        super().__init__()
        self._out, self._given = out, (preset, options)
        self._profile: Profile | None = None
        self._open: dict[str, list[annotate]] = {}
        self._stepped = 0
        self._watch: Any = None

    def start(self, action_name: str) -> None:
        """An action begins."""
        if action_name == _BATCH and self._profile is None:
            preset, options = self._given
            self._profile = profile(self._out, preset, **options)
            self._profile.__enter__()
            self._watch = _watched_optimizers(self._optimizer_stepped)
        if self._profile is not None and self._profile.is_recording:
            one = annotate(f"[pl]{action_name}")
            one.__enter__()
            self._open.setdefault(action_name, []).append(one)

    def stop(self, action_name: str) -> None:
        """An action ends; a step does with the batch in which an optimizer stepped: others accumulate."""
        if self._open.get(action_name):
            self._open[action_name].pop().__exit__()
        if action_name == _BATCH and self._profile is not None and self._stepped:
            self._stepped = 0
            self._profile.step()

    def teardown(self, stage: str | None) -> None:
        """Training ends. Lightning calls it from a destructor, too, even of what was never whole."""
        ended, self._profile = getattr(self, "_profile", None), None
        if ended is not None:
            self._watch.remove()
            ended.__exit__(None, None, None)
        super().teardown(stage)  # type: ignore[misc]

    def _optimizer_stepped(self, *_: Any) -> None:
        self._stepped += 1


@cache
def lightning_profiler() -> type[Any]:
    """The class ``stepscope.LightningProfiler``.

    Raises:
        ImportError: Lightning is not installed.
    """
    try:
        from lightning.pytorch.profilers import Profiler  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        try:
            from pytorch_lightning.profilers import Profiler  # type: ignore[import-not-found, unused-ignore]
        except ImportError as error:
            raise ImportError(sentence("no-module", name="LightningProfiler", module="lightning")) from error

    class LightningProfiler(_Actions, Profiler):  # type: ignore[misc, valid-type, unused-ignore]
        """``Trainer(profiler=stepscope.LightningProfiler("runs/a"))``: steps are those of the optimizer.

        Actions of Lightning stand in the recording as ``[pl]ACTION``. Takes what `stepscope.profile` takes.
        """

    return LightningProfiler


def _watched_optimizers(stepped: Any) -> Any:
    """Have something called whenever an optimizer has stepped; returns a handle with ``remove``."""
    from torch.optim.optimizer import (  # type: ignore[import-not-found, unused-ignore]
        register_optimizer_step_post_hook,
    )

    return register_optimizer_step_post_hook(stepped)


@cache
def trainer_callback() -> type[Any]:
    """The class ``stepscope.TrainerCallback``.

    Raises:
        ImportError: transformers is not installed.
    """
    try:
        from transformers import TrainerCallback as Base  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise ImportError(sentence("no-module", name="TrainerCallback", module="transformers")) from error

    class TrainerCallback(Base):  # type: ignore[misc, valid-type, unused-ignore]
        """``Trainer(callbacks=[stepscope.TrainerCallback("runs/a")])``: steps are those of the optimizer.

        Takes what `stepscope.profile` takes.
        """

        def __init__(self, out: str, preset: str = "steady", **options: Any) -> None:
            self._out, self._given = out, (preset, options)
            self._profile: Profile | None = None

        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            preset, options = self._given
            self._profile = profile(self._out, preset, **options)
            self._profile.__enter__()

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if self._profile is not None:
                self._profile.step()

        def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            ended, self._profile = self._profile, None
            if ended is not None:
                ended.__exit__(None, None, None)

    return TrainerCallback
