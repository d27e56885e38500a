### Samples of Python stacks.

samples-most = { PCT($share_pct) } of the samples are in { $function }{ $file ->
    [none] {""}
   *[other] {" "}({ $file })
}.
samples-count = { NUMBER($count) } { $count ->
    [one] sample
   *[other] samples
}; when they were taken the file does not say, so they are on no timeline.
samples-none = { NUMBER($count) } { $count ->
    [one] sample
   *[other] samples
} without a function.
