# What stepscope redact says of the copy that it wrote.

redact-odd-word = "{ $word }" is too short or too long to be hidden
redact-word-length = Name a text of { $least } letters or more, and less than 256.
redact-not-known = of such a file no copy can be made
redact-known = Copies are made of every recording that stepscope reads but pages of Nsight Compute in CSV and reports of Nsight Systems (.nsys-rep), which are exported first.
redact-several = it is a folder of files that are copied one by one
redact-one-by-one = Name one of its files, as a dump of one rank, then the next.
redact-damaged = it is damaged
redact-packets = { NUMBER($packets) } { $packets ->
    [one] packet
   *[other] packets
} that stepscope does not read left out, and command lines; { NUMBER($arguments) } { $arguments ->
    [one] argument
   *[other] arguments
} of events emptied
redact-records = { NUMBER($records) } { $records ->
    [one] record
   *[other] records
} that stepscope does not read left out, and configuration and environment
redact-run = { NUMBER($files) } { $files ->
    [one] file
   *[other] files
} of the run left out
redact-read = what stepscope does not read left out: hosts, commands, environment
redact-trace = { NUMBER($members) } { $members ->
    [one] member
   *[other] members
} around the events left out, { NUMBER($arguments) } { $arguments ->
    [one] argument
   *[other] arguments
} of events emptied
redact-asked = { NUMBER($tables) } { $tables ->
    [one] table
   *[other] tables
} left out, and columns that stepscope does not read
redact-database = { NUMBER($tables) } { $tables ->
    [one] table
   *[other] tables
} left out, and the texts that no other row names
redact-log = { NUMBER($lines) } { $lines ->
    [one] line
   *[other] lines
} left out, { NUMBER($cells) } { $cells ->
    [one] cell
   *[other] cells
} emptied
redact-kernels = { NUMBER($kernels) } { $kernels ->
    [one] kernel
   *[other] kernels
} copied; { NUMBER($left_out) } { $left_out ->
    [one] file of code or other result
   *[other] files of code or other results
} left out
redact-names = names of users in paths hidden: { NUMBER($homes) }; other words: { NUMBER($words) }
redact-cut = the recording ends early: so does the copy
redact-copy-differs = its copy is not the same but for its names
redact-report = Nothing was written; please report it.
redact-no-folder = a copy of a folder is a folder, and this is a file
