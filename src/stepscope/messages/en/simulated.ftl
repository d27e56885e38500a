### The simulated step on the timeline.

simulated-of-job = The change concerns how long ranks wait for one another: within a rank's step nothing changes, so there is no step to draw
simulated-of-rank = Simulated for rank { LABEL($rank) }; the other ranks are assumed to stay as they were
simulated-of-mean = The times after the change are those of the mean of { $steps } steps; drawn is step { $step }, of median length
simulated-behind = The GPU takes longer than the host and runs behind it: its rows begin where its own work for the step begins
simulated-nothing = This change saves nothing: the work is hidden behind { $behind }.
simulated-main-thread = the main thread
simulated-stream = stream { $stream ->
    [none] (no number)
   *[other] { $stream }
}
simulated-loading = the data loader
