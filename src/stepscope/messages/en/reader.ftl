# Why a file or folder cannot be read, and what to do. A clause each: others put them into sentences.

## Files and addresses

reader-folder = it is a folder
reader-name-file-in-it = Name a file in it.
reader-no-name = no file can have this name
reader-check-path = Check the path.
reader-check-address = Check the address.
reader-check-pattern = Check the pattern.
reader-check-credentials = Check the credentials.
reader-check-address-and-credentials = Check the address and credentials.
reader-check-owner = Check its owner and mode.
reader-check-readable = Check that the file can be read.
reader-no-permission = no permission to read it
reader-credentials-refused = these credentials may not read it
reader-no-credentials = no credentials were found, or not all of them
reader-no-answer = the server does not answer
reader-server-answered = the server answered { $type }
reader-no-support = no support for { $scheme }:// is installed
reader-install-support = { $packages ->
    [none] Copy the file here.
   *[other] Install it: pip install { $packages }, or copy the file here.
}
reader-connection = the connection failed ({ $type })
reader-try-again = Try again.
reader-inflates = { $size ->
        [one] { $size } byte on disk inflates
       *[other] { $size } bytes on disk inflate
    } to more than { $limit }
reader-longer = it is longer than { $limit } bytes
reader-raise-limit = If the file is what you expect, raise the limit: --max-size 100GB
reader-folder-not-whole = the folder is no recording that is read as a whole
reader-folder-without-trace = the folder holds no recording that stepscope reads
reader-no-trace-there = no trace file is there
reader-pattern-matches-none = the pattern matches no file
reader-name-trace-or-folder = Name a recording, or the folder that a profiler wrote to.
reader-name-folder-below = Name a folder below it ({ $folders }{ $more ->
    [yes] , ...
   *[no] {""}
}), or see all of them: stepscope serve { $folder }

## Readers of other packages

reader-cannot-use = cannot use the reader { $name }
reader-import-failed = importing { $module } failed ({ $type })
reader-repair-package = Repair or remove its package.

## What a file is instead of a trace

reader-empty = the file is empty
reader-blank = it holds nothing but blanks
reader-is-sqlite = it is an SQLite database
reader-is-pickle-cut = it is a Python pickle whose end is missing
reader-is-pickle = it is a Python pickle
reader-is-zip = it is a zip archive
reader-is-zstd = it is zstd-compressed data
reader-is-xz = it is xz-compressed data
reader-is-bzip2 = it is bzip2-compressed data
reader-is-parquet = it is a Parquet file
reader-is-program = it is a program
reader-is-utf16 = it is UTF-16 text
reader-is-text = it is text, not JSON
reader-is-binary = it is binary data of an unknown kind, not JSON
reader-is-xplane = it is an XPlane profile of JAX or TensorFlow, not a trace of torch.profiler
reader-is-execution-trace = it is a PyTorch execution trace (ExecutionTraceObserver), not a trace
reader-is-rocprof = it is a rocprofv3 result, not a trace
reader-is-notebook = it is a Jupyter notebook, not a trace
reader-list-of-lists = it is a JSON list of lists, not of events
reader-advice-sqlite = Of databases, exports of Nsight Systems are read: nsys export --type sqlite FILE.nsys-rep
reader-advice-pickle = Of pickles, memory snapshots (torch.cuda.memory._dump_snapshot) and dumps of the flight recorder are read.
reader-advice-zip = Unpack it and name the trace inside.
reader-advice-zstd = Unpack it first: zstd -d FILE
reader-advice-xz = Unpack it first: xz -d FILE
reader-advice-bzip2 = Unpack it first: bunzip2 FILE
reader-advice-parquet = Name the trace it was made from.
reader-advice-program = Name a trace file.
reader-advice-utf16 = Convert it to UTF-8 first: iconv -f UTF-16 -t UTF-8 FILE
reader-advice-execution-trace = Record with torch.profiler and export_chrome_trace.
reader-advice-rocprof = Record with torch.profiler and export_chrome_trace.
reader-advice-notebook = Name a trace file.
reader-is-it-memory-timeline = A torch memory timeline? Name a trace of torch.profiler.
reader-name-trace = Name a trace of torch.profiler (.json or .json.gz).
reader-name-exported-trace = Name a trace of torch.profiler (export_chrome_trace).
reader-nsys-report = only Nsight Systems { $version } or newer can read this report, and there is no nsys on PATH
reader-nsys-report-any = only Nsight Systems can read its reports, and there is no nsys on PATH
reader-nsys-failed = nsys could not export it: it needs Nsight Systems { $version } or newer
reader-nsys-failed-any = nsys could not export it
reader-database-damaged = the table { $table } is damaged: rows are missing
reader-database-odd = a part of the database is damaged: rows may be missing
reader-nsys-export = Where there is one: nsys export --type sqlite FILE, then open the .sqlite file here.
reader-nsys-no-event = it holds no event of CUDA or NVTX
reader-nsys-no-table = no file in the folder is a table of Nsight Systems
reader-nsys-record = Record with nsys profile --trace cuda,nvtx, then export again.
reader-no-database = it is no SQLite database, or its list of tables is damaged
reader-export-again = Export it again: nsys export --type sqlite --force-overwrite true FILE.nsys-rep
reader-database-cut = the file is shorter than it says: rows are missing
reader-database-unfinished = the export was not finished: changes wait in a file beside it
reader-telemetry-no-sample = it holds no sample of a counter
reader-telemetry-no-time = its samples have no time
reader-telemetry-record = Record with nvidia-smi --query-gpu=timestamp,index,power.draw,... --format=csv -l 1, or nvidia-smi dmon -o DT
reader-mindspore-damaged = none of its files can be read, among them { $files }
reader-mindspore-empty = it holds nothing that is read of MindSpore: no timeline, no operator, kernel, step or queue
reader-mindspore-record = Record with mindspore.profiler.profile or Profiler, and name the folder that it wrote
reader-ascend-damaged = none of its files can be read, among them { $files }
reader-ascend-raw = it holds nothing that is read: the recording was not analysed, or its analysis wrote no file
reader-ascend-analyse = Analyse it where torch_npu or MindSpore is installed, with analyse(PATH) of its profiler.profiler, then open it again
reader-unread-rocprof = it holds sums or counters of rocprofv3, which are not read: kernels, copies and calls are in files that end in _trace.csv
reader-unread-mindspore = it holds no file of MindSpore's profiler that is read: files that MindSpore derived on Ascend are not

## Damage

reader-gzip-damaged = the gzip data is damaged ({ $error })
reader-gzip-cut-off = the gzip data ends before its end mark
reader-end-missing = the end of the JSON object is missing
reader-list-not-closed = the list of events is not closed
reader-damaged-behind-events = the JSON behind the events is damaged
reader-something-follows = something follows the end of the JSON and was not read
reader-stray-bytes = { $problem }; { $stray ->
        [one] { $stray } stray byte follows
       *[other] { $stray } stray bytes follow
    } the gzip data
reader-durations-impossible = the durations of its events add up to more than { $years } years
reader-store-lost = what was kept of it is gone or damaged, and the file has changed since
reader-open-again = Open it again.
reader-copy-again = Copy or record it again.
reader-record-again = Record or copy it again.
reader-was-it-stopped = Was the profiler stopped, and the disk not full?
reader-was-a-step-recorded = Was the profiler stopped before a step was recorded, or the file cut off?
reader-events-no-list = its traceEvents is no list
reader-keys = its keys are { $names }
reader-no-keys = it has no readable keys
reader-head-damaged = the JSON is damaged before any event ({ $keys })
reader-head-cut-off = it ends before any event ({ $keys })
reader-other-json = it is JSON without traceEvents ({ $keys })
reader-no-event = its beginning holds no event of a trace
reader-no-events = the trace holds no events{ $reason ->
    [none] {""}
   *[other] {" "}({ $reason })
}
reader-no-entry-is-event = none of the { $entries } entries is an event of a trace ({ $damaged } damaged, { $not_objects } no objects, { $without_phase } without a phase)

## Tasks

reader-connection-lost = the connection to the worker that was to read it is lost
reader-process-died = the process that read it died, several times; was there enough memory?
reader-no-memory = there was not enough memory to read it
reader-defect = a defect of stepscope, not of the trace: { $type }
reader-cannot = it cannot be read
reader-no-recording = it is no recording

## One of several files of a rank

reader-superseded = rank { $rank } is also in { $file }, { $why }
reader-superseded-together = which was recorded together with more of the other ranks
reader-superseded-among = which lies among more of the other ranks
reader-superseded-later = which was recorded later
reader-superseded-events = which holds more events
reader-superseded-name = which comes first by name
reader-first-run = first run on this machine: compiling, about half a minute, once

## Kernel reports

reader-ncu-cut = the report ends within a block
reader-ncu-malformed = the report is damaged: what follows could not be read
reader-ncu-other = it is named like a report of Nsight Compute and begins otherwise
reader-ncu-page-cut = its last row is incomplete
reader-ncu-source-page = it is the source page of Nsight Compute (--page source), which is not read
reader-ncu-open-report = Open the report (.ncu-rep) itself: kernel_lines and kernel_instructions show what is on that page.
reader-ncu-no-kernel = it holds no profiled kernel
reader-ncu-no-units = it is a raw page of Nsight Compute without its second row, which says the units
reader-ncu-export-again = Export it again, with all rows: ncu --import REPORT --csv --page raw
reader-ncu-profile-again = Profile again: ncu --set full -o kernels PROGRAM

## Memory snapshots

reader-snapshot-instruction = it is a pickle with the instruction { $instruction }, which no memory snapshot has; nothing of it was executed
reader-snapshot-malformed = it is a pickle that is damaged or no memory snapshot
reader-packets-broken = behind { NUMBER($packets) } { $packets ->
    [one] packet
   *[other] packets
} follows what is no packet
reader-packets-cut = the last packet is cut off
reader-rocm-no-event = it holds no kernel, copy, call or range
reader-rocm-record = Record with rocprofv3 --hip-trace --kernel-trace --memory-copy-trace --marker-trace.
reader-rocm-old = it is a recording of an older ROCm tool (rocmProfileData), whose tables are not read
reader-rocm-no-records = it holds no list of records that can be read
reader-rocm-cut = its end is missing, so none of this JSON can be read
reader-snapshot-cut = its end is missing{ $reason ->
    [none] {""}
   *[other] : { $reason }
}
reader-snapshot-memory = it takes more than { BYTES($most_bytes) } of memory
reader-snapshot-other = it is a pickle, but of no memory snapshot
reader-snapshot-empty = it is a memory snapshot without segments and without history: nothing was allocated on a GPU
reader-snapshot-repeated = it is a pickle that holds one list several times, as no memory snapshot does
reader-snapshot-no-times = its entries have no times, so that no part of its time can be read
reader-snapshot-advice = Name a file that torch.cuda.memory._dump_snapshot wrote.

## Dumps of the flight recorder

reader-flight-instruction = it is a pickle with the instruction { $instruction }, which no flight recorder dump has; nothing of it was executed
reader-flight-other = it is a pickle or JSON that is damaged or no flight recorder dump
reader-flight-damaged = its JSON is damaged
reader-flight-cut = its end is missing{ $reason ->
    [none] {""}
   *[other] : { $reason }
}: nothing of a dump can be read then
reader-flight-large = it is larger than any flight recorder dump{ $most_bytes ->
    [none] {""}
   *[other] , or takes more than { BYTES($most_bytes) } of memory
}
reader-flight-empty = it is a flight recorder dump without collectives and groups: the process had not communicated yet
reader-flight-advice = Name a file that the flight recorder of torch.distributed wrote (TORCH_FR_DUMP_TEMP_FILE and the rank).

## Logs of NCCL Inspector

reader-inspector-empty = no line of it says how long a collective took
reader-inspector-advice = Name a log that NCCL Inspector wrote (NCCL_INSPECTOR_DUMP_DIR).

## Logs of torch.compile

reader-compile-empty = no line of it is a record of torch.compile
reader-compile-advice = Name a log that torch.compile wrote (TORCH_TRACE=FOLDER).

## Samples of Python stacks

reader-samples-damaged = it is damaged, or no file of stacks
reader-samples-empty = it holds no sample
reader-samples-advice = Name a file that py-spy record wrote (-f speedscope, -f raw).
