# What stepscope nsys and ncu both say.

below-missing = there is no { $command } on PATH or where the installer puts it ({ $places }): install { $tool } { $oldest } or newer, or name it with --{ $command } PATH
below-broken = { $path } does not answer as { $tool }: it is missing, or only looks for an installation; install { $tool }, or name it with --{ $command } PATH
below-old = { $tool } { $version } is older than { $oldest }, the oldest version that was tried
below-marking-failed = steps could not be marked in a process: { $reason }
below-no-cuda = CUDA was not in use when step { $step } began, so nothing was recorded
below-too-few-steps = the job ended after { $steps } { $steps ->
    [one] step
   *[other] steps
}: step { $step } was never reached
below-no-steps = no steps were found in the job: say with --step-on what ends one, or record a window of time with --after and --duration
below-foreign = the job uses torch.profiler itself: of two profilers in a process one may miss what the GPU does; switch its own off
below-launcher = { $launcher } starts ranks that a profiler around it does not see: put stepscope behind it, as in { $launcher } stepscope { $command } -- python train.py
