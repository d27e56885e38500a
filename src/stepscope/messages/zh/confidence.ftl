### 置信度为何如此。

confidence-may-save-nothing = 区间包含零
confidence-may-not-apply = 在该程序中未必可行
confidence-wide-range = 区间宽于 { $points } 个百分点
confidence-narrow-range = 区间不超过 { $points } 个百分点
confidence-single-step = 只分析了一次迭代
confidence-fix-unknown = 不确定该修改方案是否适用
confidence-other-straggler = 前提是另一个慢 rank（rank { LABEL($rank) }）也已修复
confidence-other-stages = 前提是届时作业不再等待其他流水线阶段
confidence-uneven-steps = 记录的各次迭代相差很大
confidence-tested = { $reason }；区间宽度由此前 { $count } 次同类修复的实际结果决定
confidence-fix-varies = 修改后的耗时因程序而异
