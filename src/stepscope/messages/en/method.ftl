### How a saving was estimated.

method-simulated = steps simulated without it
method-larger-batch = steps simulated at { $times } times the batch size, per sample
method-straggler = its steps without waiting, compared with those of the other ranks
