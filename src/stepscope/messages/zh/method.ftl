### 节省量的估计方法。

method-simulated = 去掉该问题后模拟迭代
method-larger-batch = 以 { $times } 倍批次大小模拟迭代，按每个样本计
method-straggler = 该 rank 扣除等待后的迭代，与其他 rank 比较
