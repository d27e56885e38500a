# Jobs that run: why one cannot be asked for a window.

live-cannot-ask = cannot ask the job for a window
live-busy = it is recording one, or timing the steps after it
live-wait = Wait until its recording is written.
live-not-on-demand = none of its processes on this machine was started for it
live-start-on-demand = Start the job with stepscope record --on-demand. Where it runs on another machine, run stepscope attach PID there.
live-no-token = this server was started with --no-token, so any user of this machine could ask
live-serve-with-token = Start stepscope serve without --no-token, or run stepscope attach PID.
live-no-such-job = no such job is running below the folder served
live-it-ended = It may have ended: look for its recordings in the list of runs.
