# Input pipelines that their engine recorded.

input-processing = Training waits for its input: { $by ->
        [samples] in { $empty } of { $batches } samples the input pipeline had no batch ready
       *[other] { $empty } of { $batches } batches after the first { $empty ->
            [one] was not ready when it was asked for
           *[other] were not ready when they were asked for
        }
    }.
input-few = { $by ->
        [samples] { $batches ->
            [one] 1 sample of the queue was
           *[other] { $batches } samples of the queue were
        } recorded
       *[other] { $batches ->
            [0] No batch was recorded after the first, which always waits
            [one] 1 batch was recorded after the first, which always waits
           *[other] { $batches } batches were recorded after the first, which always waits
        }
    }: too few to say whether training waits for its input.
input-transfer = Training waits for batches that are on the host: of those after the first { $device_empty } of { $device_batches } were not on the device yet, while the input pipeline was late for { $empty } of { $batches }. Their transfer is the bottleneck.
input-fine = The input pipeline keeps up: { $by ->
        [samples] it had a batch ready in { $ready } of { $batches } samples
       *[other] { $ready } of { $batches } batches after the first { $ready ->
            [one] was ready when it was asked for
           *[other] were ready when they were asked for
        }
    }.
input-no-queues = { $file ->
        [none] Which operator of the input pipeline is slow was not recorded.
       *[other] Which operator of the input pipeline is slow is unknown: { $file } could not be read.
    }
input-slow = The slow operator of the input pipeline is { $operator }{ $workers ->
        [none] {""}
        [one] { " (1 worker)" }
       *[other] { " " }({ NUMBER($workers) } workers)
    }: { $input_pct ->
        [none] it reads the data, and
       *[other] the queue before it is { PCT($input_pct) } full,
    } the queue behind it { $input_pct ->
        [none] is { PCT($output_pct) } full
       *[other] { PCT($output_pct) }
    }{ $cpu_pct ->
        [none] {""}
       *[other] ; each worker uses { PCT($cpu_pct) } of a core
    }.
input-advice-computes = Its workers compute all the time: make { $operator } cheaper, or give it more workers (num_parallel_workers) as long as cores are free; Python code needs processes (python_multiprocessing=True) to use more than one core.
input-advice-waits = Its workers mostly wait, for storage, a lock or a sleep: give { $operator } more workers (num_parallel_workers), or make what they wait for faster (local disk, MindRecord).
input-advice-between = Its workers neither compute nor wait all the time: if { $operator } runs Python code in threads, these wait for each other (the GIL); use processes (python_multiprocessing=True), else more workers (num_parallel_workers).
input-advice-unknown = Give { $operator } more workers (num_parallel_workers), or make it cheaper; record CPU use to see which of these helps.
input-advice-transfer = Look at what moves batches to the device: their size and type (uint8, converted on the device), and how far ahead they are pushed (the queue of the device).
input-advice-unnamed = Record the queues between its operators, too: mindspore.Profiler(data_process=True) writes pipeline_profiling_0.json.
input-nothing = The recording holds parts of an input pipeline, and none that says whether training waits for it: neither its queues nor its batches.
input-cpu-scales = 100 % of the machine are all its cores{ $cores ->
        [none] {""}
       *[other] { " " }({ $cores })
    }; 100 % of the process or an operator are one core
input-interval = wait assumes { TIME($interval_ns) } per sample, the interval set in the file: on a busy machine MindData samples less often, so actual waits were longer; minddata_cpu_utilization beside the file has the times of the samples
input-cpu-doubled = the file stores each sample of the machine twice, as MindSpore 2.10 does: every second one is left out, and user and system of the machine are known of the first half of the recording only
input-cpu-busy = the machine is { PCT($busy_pct) } busy on average: its cores may limit the input pipeline
input-method = Queues between the operators, looked at from the consumer to the source; what a fix would save is not known.
