# Errors: what was tried, what was found, what to do.

## The three parts of an error in a line

error-line = { $tried }: { $found }. { $advice }
error-cannot-show = cannot show { $what }
error-cannot-answer = cannot answer
error-name-one = Name one of them.
error-leave-out = Leave it out.
error-shorten = Shorten it.
error-see-docs = See docs/server.md.

## Tables and their rows

error-no-such-table = there is no such table
error-tables = { $close ->
    [none] {""}
   *[other] Did you mean { $close }?{" "}
}Tables: { $tables }.
error-cannot-group = cannot show { $table } by { $by }
error-groupings = it offers { $groupings }
error-no-grouping = it has no other grouping
error-group-otherwise = Name one of them or leave --by out.
error-cannot-show-source = cannot show { $table } with source lines
error-rows-without-source = its rows have none
error-tables-with = Tables with: { $tables }.
error-cannot-draw = cannot draw { $table }
error-cannot-show-eager = cannot show { $table } with an eager trace
error-cannot-show-base = cannot compare { $table } with another recording
error-cannot-show-named = cannot limit { $table } to one name
error-no-picture = there is no picture of its rows
error-no-operators = it has no operators
error-no-instances = its rows are no instances of a name
error-no-comparison = its rows compare nothing
error-cannot-sort = cannot sort by { $column }
error-no-such-column = there is no such column
error-columns = { $close ->
    [none] {""}
   *[other] Did you mean { $close }?{" "}
}Columns: { $columns }.
error-cannot-filter = cannot use --where { $where }
error-columns-example = Columns: { $columns }. Example: --where 'calls > 10'
error-filter-types = it combines values of different types, or holds an invalid regular expression

## Peaks and what-if

error-cannot-use-peak = cannot use the peak { $name }
error-no-such-figure = there is no such figure
error-figures = Figures: { $figures }.
error-peak-not-positive = its value is not a positive number
error-peak-example = For example: bf16=989e12
error-cannot-simulate = cannot simulate the steps
error-nothing-to-simulate = no CPU activity was recorded in complete steps
error-no-whole-step = the recording is cut off and holds no step with all of its GPU work
error-several-launch = several threads launch work at once, so the steps of one cannot be simulated
error-record-one-thread = Record a process in which one thread launches the work.
error-trace-beside = Put a trace of the program beside it.
error-record-cpu = Record with ProfilerActivity.CPU and a schedule.

## Python

error-cannot-open = cannot open { $path }
error-cannot-open-bytes = cannot open a path of bytes
error-paths-are-text = paths are text
error-decode = Decode it with os.fsdecode.
error-cannot-watch = cannot watch process { $pid }
error-no-process = there is no such process
error-name-a-process = Name one that runs on this machine: pgrep -f train.py
error-cannot-take-peaks = cannot take peaks from { $kind }
error-peaks-mapping = a mapping of names to figures is needed
error-peaks-mapping-example = For example: { $example }.
error-cannot-take-eager = cannot take { $kind } as the eager recording
error-not-a-profile = it is not an opened profile
error-eager-example = For example: with_eager(stepscope.open(path)).
error-cannot-take-base = cannot take { $kind } as the recording to compare with
error-base-example = For example: with_base(stepscope.open(path)).
error-no-paths = it is neither a path nor a list of paths
error-name-a-trace = Name a trace file or a folder of them.
error-not-a-text = { $name } has to be a text
error-show-example = For example: show("operators").
error-kind = a value of type { $type }

## Command line

error-cannot-read-option = cannot read { $option } { $text }
error-not-a-size = it is not a valid size
error-option-example = For example: { $option } { $example }
error-not-a-part = it is no range of time, FROM:TO
error-not-a-step = it is neither a step nor FIRST:LAST
error-not-json-object = it is not a JSON object
error-not-json = it is not valid JSON
error-not-a-pair = it is not NAME=VALUE
error-write-example = For example: { $example }
error-interrupted = interrupted; traces that were read are kept, one that was being read is not
error-writing = { $path ->
        [none] cannot write
       *[other] cannot write { $path }
    }: { $reason }. Is there room, and permission?
error-fewer-ranks = out of memory: open fewer ranks at a time
error-no-chinese-letters = the encoding of the terminal ({ $encoding }) has no Chinese letters, so this is in English; PYTHONIOENCODING=utf-8 writes Chinese
error-own-defect = a defect of stepscope, not of your trace: { $type }. STEPSCOPE_DEBUG=1 shows where; please report it
error-cannot-write = cannot write { $path }
error-names-a-folder = it names a folder
error-name-a-file-in-it = Name a file in it: -o { $path }
error-make-folder = Make its folder first, or name a file elsewhere: { $folder }
error-no-such-folder = No such file or directory
error-no-permission = Permission denied
error-name-own-folder = Name a file in a folder of yours.
error-is-input = it is the input
error-name-other-file = Name another file for the report.
error-holds-recording = it holds a recording
error-name-other-or-delete = Name another file, or delete this one first.
error-cannot-write-html = cannot write an HTML report
error-app-damaged = the web app of this installation is damaged
error-install-anew = Install stepscope anew.
error-no-app = this installation has no web app
error-install-with-app = Install stepscope without STEPSCOPE_SKIP_WEB, or choose --format text, markdown or json.
error-make-web = Run make web in { $folder }, or choose --format text, markdown or json.

## Server

error-no-such-address = the API has no such address
error-no-token = the token is missing or wrong
error-open-with-token = Open the address that stepscope serve printed, token included.
error-token-needed = other machines reach it there, so it has to ask for a token
error-leave-no-token = Leave out --no-token, or --host.
error-foreign-site = the request comes from a page of another site
error-open-app = Open the app itself.
error-unknown-method = { $method } is not known here
error-use-get = Use GET.
error-address-too-long = the address is too long
error-other-machine = the request names another machine
error-open-printed = Open the address that stepscope serve printed.
error-client-gone = the client has gone
error-ask-again = Ask again.
error-parameter-missing = the parameter { $name } is missing
error-add-parameter = Add { $name }=... to the address.
error-parameter-nul = the parameter { $name } holds a NUL character (%00)
error-parameter-long = the parameter { $name } is longer than { $most } characters
error-cannot-read-address = cannot read the address
error-parameter-twice = a parameter is given twice
error-give-once = Give each once.
error-parameter-number = the parameter { $name } is not a whole number from { LABEL($least) } to { LABEL($most) }
error-parameter-example = For example: { $name }={ $example }
error-parameter-part = the parameter { $name } is not two whole numbers of ns, FROM:TO, the smaller one first
error-cannot-take-part = cannot show a part of the history of memory
error-part-of-one-rank = a part is of one rank's history, and several ranks are chosen
error-part-name-rank = Choose one rank: rank=0.
error-part-no-times = there is no memory snapshot that says when things happened
error-part-whole = Ask for the whole history.
error-part-not-of-table = { $table } does not show a part of the history
error-part-tables = Tables that do: { $tables }.
error-base-of-files = { $name } is several files among others, which no one path names
error-base-own-folder = Put them into a folder of their own.
error-cannot-show-entry = cannot show segments behind entry { LABEL($event) } of the history
error-no-entry = the history has no such entry
error-entry-of-timeline = Take one of the column event of memory_timeline.
error-segments-then = the segments of then are not known: none are listed, or expandable ones grew or shrank since
error-segments-end = Look at the segments in the end.
error-entry-not-of-table = { $table } is not of an entry of the history
error-entry-table = The table that is: memory_blocks.
error-parameter-flag = the parameter { $name } is neither 0 nor 1
error-condition-long = the condition is longer than { $most } characters
error-use-show = Use stepscope show.
error-parameters-encoding = its parameters are not UTF-8, or too many
error-cannot-open-run = cannot open the run
error-no-such-run = there is no run of this name
error-file-no-recording = the file { $name } holds no recording
error-choose-listed = Choose one of the list.
error-cannot-serve = cannot serve { $path }
error-neither-file-nor-folder = it is neither a file nor a folder
error-no-such-file = there is no such file or folder
error-name-folder-of-traces = Name a folder of traces, or a trace.
error-cannot-listen = cannot listen on { $host }:{ LABEL($port) }
error-port-taken = the port is taken
error-other-port = Name another one, or any free one: --port 0
error-port-forbidden = no permission for this port
error-port-above = Name one above 1023: --port 8080
error-not-own-address = it is not an address of this machine
error-host-example = For example: --host 127.0.0.1
error-is-address = it is an address
error-copy-traces = Copy the traces here, or use stepscope report.
error-name-not-plain = its name holds characters that cannot be printed
error-rename = Rename it.
error-no-app-file = the app has no such file
error-open-root = Open / instead.
error-out-of-memory = out of memory
error-serve-fewer = Serve fewer ranks, or close other programs.
error-system-says = the system says: { $error }
error-room-in-cache = Is there room in the cache folder?
error-defect = a defect of stepscope, not of your trace: { $type }
error-defect-advice = STEPSCOPE_DEBUG=1 stepscope serve shows where; please report it.
error-run-pending = it is still being read
error-ask-soon = Ask again in a moment.
error-outside-folder = it leads out of the folder served
error-serve-its-folder = Serve its folder.
error-choose-other = Choose another run.
error-server-ending = the server is shutting down
error-start-again = Start it again.
error-source-unnamed = no stack frame of this run names it
error-record-stacks = Record with with_stack=True.
error-source-shorter = it has only { $lines ->
        [one] 1 line
       *[other] { $lines } lines
    }: it is another version
error-show-recorded = Show the one that was recorded.
error-source-missing = it is no source file below the current folder or the folder served
error-serve-at-script = Start stepscope serve where the training script lies.

## Timeline

error-cannot-show-lane = cannot show that lane
error-lanes = the timeline has { $lanes ->
    [0] no lanes
    [one] lane 0 only
   *[other] lanes 0 to { LABEL($last) }
}
error-cannot-show-path = cannot show the critical path
error-timeline-rank = there is no rank { LABEL($rank) } on the timeline, only { $ranks }
error-cannot-show-event = cannot show that event
error-rows-of-lane = lane { LABEL($lane) } has { $rows ->
    [0] no rows
    [one] row 0 only
   *[other] rows 0 to { LABEL($last) }
}
error-cannot-search = cannot search for that pattern
error-not-a-pattern = it is not a valid regular expression
error-pattern-example = For example: /gemm|conv/.
error-cannot-read-question = cannot read the question
error-missing = { $name } is missing
error-not-a-number = { $name } is not a number
error-assign-example = For example: { $name }={ $example }.
error-not-numbers = { $name } is not a list of numbers
error-no-changes = changes is not a JSON list of changes
error-cannot-show-window = cannot show that window
error-ends-before = it ends before it begins
error-window-order = t0 has to be at most t1.
error-cannot-find-places = cannot find such places
error-unknown-kind = the kind is unknown
error-kinds = Name one of { $kinds }.
error-none-is-a-trace = { $files ->
    [one] its only file that may be a recording cannot be read
   *[other] none of { $files } files is a trace
} ({ $file }: { $reason })
error-cannot-redact = cannot redact { $path }
error-cannot-read = cannot read { $path }
error-no-such-format = nothing is written as { $suffix }
error-formats = Name a file that ends in one of: { $endings }.
error-nothing-in-pipe = no trace is sent to it
error-pipe-example = For example: cat trace.json.gz | stepscope report -
