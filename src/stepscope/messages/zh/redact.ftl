# stepscope redact 对所写副本的说明。

redact-odd-word = “{ $word }”太短或太长，无法隐藏
redact-word-length = 请给出 { $least } 个字母以上、少于 256 个字母的文本。
redact-not-known = 无法为这样的文件制作副本
redact-known = 可为跟踪（.json、.json.gz）、显存快照（.pickle）、Nsight Compute 报告（.ncu-rep、.ncu-rep.gz）、硬件监控日志（.csv、.log、.prom、.jsonl）与 Nsight Systems 的导出（.sqlite、.sqlite.gz、表文件夹）制作副本。
redact-trace = 略去事件以外的 { NUMBER($members) } 个成员，清空事件的 { NUMBER($arguments) } 个参数
redact-database = 略去 { NUMBER($tables) } 个表，以及没有任何行引用的文本
redact-log = 略去 { NUMBER($lines) } 行，清空 { NUMBER($cells) } 个单元格
redact-kernels = 复制了 { NUMBER($kernels) } 个内核；去掉 { NUMBER($left_out) } 份代码文件或其他结果
redact-names = 隐藏路径中的用户名：{ NUMBER($homes) } 处；其他词：{ NUMBER($words) } 处
redact-cut = 记录提前结束，副本亦然
redact-copy-differs = 副本除名称外与原文件不同
redact-report = 没有写入任何文件；请反馈此问题。
redact-no-folder = 文件夹的副本也是文件夹，而这是一个文件
