# 选择要打开和显示的内容。

open-belongs = 它是 { $file } 的一页；已读取的 { $file } 内容更全
open-cannot-open-nothing = 没有可打开的内容
open-no-path = 没有给出路径
open-name-a-trace = 请指定 trace 文件或其所在文件夹。
open-cannot-show-rank = 无法显示 rank { $rank }
open-cannot-open-in-part = 无法只读取 { $path } 的一部分
open-cannot-read-part = 无法读取部分 { $part }
open-choose-steps = 请改用 --step 选择迭代。
open-no-part = 它不是从第一个条目算起、以 ns 为单位的起止范围
open-only-snapshots-in-part = 只有显存快照可以只读取一段时间
open-part-backwards = 它的结束早于开始，或没有长度
open-part-example = 例如：between_ns=(0, 2_000_000_000) 表示前两秒。
open-cannot-show-no-rank = 无法显示空的 rank 列表
open-no-rank-named = 没有指定 rank
open-name-rank = 请指定一个，或不作选择。
open-no-rank-number = 它既不是编号，也不是若干编号
open-rank-example = 例如：0 或 [0, 1]。
open-ranks = 记录中有 { $which }
open-cannot-show-step = 无法显示迭代 { $step }
open-no-step-number = 它既不是一次迭代，也不是首尾两次迭代
open-steps-backwards = 末次迭代在首次迭代之前
open-step-example = 例如：3、(3, 5) 或 "3:5"。
open-steps = 记录中有迭代 { $which }
open-cannot-show-span = 无法显示第 { $span } 个区间
open-one-span = 每个进程只有一个记录
open-leave-span-out = 请去掉 --span。
open-spans = { $worker } 有第 1-{ $spans } 个区间
open-name-span = 请指定其中一个，或去掉 --span。
