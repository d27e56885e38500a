### What torch.compile did, from its logs.

compile-none = { $aot_ns ->
    [none] The log holds no compilation.
   *[other] The log holds no compilation by Dynamo; AOTInductor compiled for { TIME($aot_ns) }.
}
compile-total = { NUMBER($count) } { $count ->
    [one] compilation
   *[other] compilations
}{ $total_ns ->
    [none] { $count ->
        [one] {": the log does not say how long it took"}
       *[other] {": the log does not say how long they took"}
    }
   *[other] {" "}took { TIME($total_ns) }{ $untimed ->
        [0] {""}
       *[other] {" "}(of { NUMBER($untimed) } the log does not say how long)
    }{ $count ->
        [one] {": "}
       *[other] {"; "}the longest, { TIME($longest_ns) }, was of{" "}
    }{ $function ->
        [none] a function without a name
       *[other] { $function }
    }{ $source ->
        [none] {""}
       *[other] {" "}({ $source })
    }
}.
compile-failed = { NUMBER($count) } { $count ->
    [one] compilation failed: its function runs
   *[other] compilations failed: their functions run
} eagerly, or the program ended there. { $count ->
    [one] It was of{" "}
   *[other] The first was of{" "}
}{ $function ->
    [none] a function without a name
   *[other] { $function }
}{ $source ->
    [none] {""}
   *[other] {" "}({ $source })
}{ $reason ->
    [none] {""}
   *[other] : { $reason }
}.
compile-unfinished = { NUMBER($count) } { $count ->
    [one] compilation
   *[other] compilations
} began and did not end in the log.
compile-recompiled = { $count ->
    [one] Recompiled
   *[other] Recompiled { NUMBER($count) } times
}{ $steps ->
    [none] {""}
   *[other] {" "}in { $several ->
        [yes] steps
       *[no] step
    } { $steps }
}: { $function ->
    [none] a function
   *[other] { $function }
}{ $source ->
    [none] {""}
   *[other] {" "}({ $source })
}, { TIME($total_ns) }, { $reasons ->
    [one] because
   *[other] for { NUMBER($reasons) } reasons, the longest because
} { $reason ->
    [none] a guard failed that the log does not name
   *[other] this guard failed: { $reason }
}{ $limited ->
    [yes] {". "}It reached the recompile limit and runs eagerly from then on
   *[no] {""}
}
compile-breaks = Graphs break at { NUMBER($lines) } { $lines ->
    [one] line: { $source }
   *[other] lines, most often at { $source }
} ({ $reason }).
compile-break = Graph break at { $source ->
    [none] a line that the log does not name
   *[other] { $source }
}: { $explanation ->
    [none] { $reason }
   *[other] { $explanation }
}
compile-break-advice = { $hint ->
    [none] Move what cannot be compiled out of the compiled function, or look the reason up with TORCH_LOGS=graph_breaks.
   *[other] { $hint }
}
compile-break-evidence = met in { NUMBER($count) } { $count ->
    [one] compilation
   *[other] compilations
}{ $first_ns ->
    [none] {""}
   *[other] ; compiling what continues behind it took { TIME($first_ns) }
}
compile-recompile-evidence = the longest took { $longest_ns ->
    [none] a time that is not known
   *[other] { TIME($longest_ns) }
}{ $guard_source ->
    [none] {""}
   *[other] ; the guard is from { $guard_source }
}
compile-method = compile time as torch.compile logged it: it is paid once for each compilation, so no saving per step is given
compile-unknown-again = Whether it goes on after the recording: each new value that a guard rejects costs a compilation.
compile-advice = { $kind ->
    [size] Mark the dimension that varies with torch._dynamo.mark_dynamic(tensor, dim) before the first call, compile with dynamic=True, or pad to few sizes.
    [dynamic] A condition on a dynamic size fails: avoid branches on sizes, or keep sizes apart that need other code (torch._dynamo.mark_dynamic with min and max).
    [value] A Python number is compiled in as a constant: pass it as a tensor, or mark it dynamic (torch.compile(dynamic=True)); keep counters and learning rates out of the compiled function.
    [dtype] The same function is called with several dtypes or types: cast before the call, or give each its own compiled function.
    [object] Another object, function or None arrives: pass the same object on each call, not a new lambda, or compile an outer function.
    [requires_grad] Tensors with and without requires_grad arrive: keep training and evaluation apart, each with its own compiled function.
    [layout] Stride or device of an input changes: make it contiguous, or move it, before the call.
    [mode] A global mode changes (grad mode, autocast, deterministic): call the compiled function in the same mode each time.
    [limit] The function was compiled too often and runs eagerly: remove the cause of the recompiles first; raising torch._dynamo.config.recompile_limit only pays more of them.
   *[other] Look at the guard that failed: TORCH_LOGS=recompiles says it with each recompilation.
}
