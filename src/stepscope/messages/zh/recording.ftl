# 记录：多个之中显示哪一个，其余为何不显示。

recording-span = { $worker } 的第 { $span } 个区间，共 { $spans } 个
recording-span-other = { $worker } 的第 { $span } 个区间，共 { $spans } 个；用 --span { $span } 显示
recording-beside = rank { $rank } 的各表显示由 { $recorder } 写出的记录，此记录在其之外
recording-no-rank = 不属于任何 rank：记录及其文件名均未说明
recording-left = { $count } 个记录中有 { $left } 个不在其他表格中，原因见说明
recording-memory-beside = 显存相关的表来自它；其余的表来自 rank { $rank } 由 { $recorder } 写出的记录
