### 问题出现在何处。

evidence-found = { $where ->
    [none] { "" }
   *[other] { $where }{ $times ->
        [none] { "" }
       *[other] ，
    }
}{ $times ->
    [none] { "" }
    [0] 每次迭代不到 1 次
   *[other] 每次迭代 { $times } 次
}{ $ranges ->
    [0] { "" }
   *[other] { $where ->
        [none] { $times ->
            [none] { "" }
           *[other] ，
        }
       *[other] ，
    }{ $ranges ->
        [1] 在
       *[other] 最长一次在
    } { RANGE(MS($start_ns), MS($end_ns)) }
}
evidence-straggler = 原因：{ $cause }；{ $steps } 次迭代中有 { $late_steps } 次偏慢，{ $collectives } 次集合通信中有 { $votes } 次偏慢
evidence-straggler-detail = 原因：{ $cause }，{ $detail }；{ $steps } 次迭代中有 { $late_steps } 次偏慢，{ $collectives } 次集合通信中有 { $votes } 次偏慢
