# Words of lists and of what is missing.

list-none = none

## Notes of the list of runs

list-gone = { $name } is gone.
list-no-recording = { $files ->
    [one] 1 file holds
   *[other] { $files } files hold
} no recording: { $names }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}.
list-large = Larger than { BYTES($most) }: it is read when it is opened.
list-process-died = No figures: the process that read it in the background died. Was there enough memory? Opening the run tries again.
list-no-figures = No figures: { $reason }.
list-changed = No figures: it changed while it was read in the background.
list-stopped = Stopped after { $folders ->
    [one] 1 folder
   *[other] { $folders } folders
} and { $files ->
    [one] 1 file
   *[other] { $files } files
}: serve a folder below.
list-skipped = Not looked at, because they { $reason }: { $names }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}.
list-no-files = are not regular files, or are broken links
list-may-not-read = may not be read
list-names-not-utf8 = have names that are not UTF-8
list-lead-out = lead out of the folder
list-too-deep = lie deeper than { $most ->
    [one] 1 folder
   *[other] { $most } folders
}
