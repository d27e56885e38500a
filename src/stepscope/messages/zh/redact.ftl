# stepscope redact 对所写副本的说明。

redact-odd-word = “{ $word }”太短或太长，无法隐藏
redact-word-length = 请给出 { $least } 个字母以上、少于 256 个字母的文本。
redact-not-known = 无法为这样的文件制作副本
redact-known = stepscope 能读取的记录都可制作副本，但 Nsight Compute 的 CSV 页面除外；Nsight Systems 报告（.nsys-rep）须先导出。
redact-several = 它是一个文件夹，其中的文件需逐个复制
redact-one-by-one = 请每次指定其中一个文件，例如一个 rank 的转储。
redact-damaged = 文件已损坏
redact-packets = 略去 stepscope 不读取的 { NUMBER($packets) } 个数据包以及命令行；清空事件的 { NUMBER($arguments) } 个参数
redact-records = 略去 stepscope 不读取的 { NUMBER($records) } 条记录，以及配置与环境
redact-run = 略去该次运行的 { NUMBER($files) } 个文件
redact-read = 略去 stepscope 不读取的内容：主机、命令、环境
redact-asked = 略去 { NUMBER($tables) } 个表，以及 stepscope 不读取的列
redact-trace = 略去事件以外的 { NUMBER($members) } 个成员，清空事件的 { NUMBER($arguments) } 个参数
redact-database = 略去 { NUMBER($tables) } 个表，以及没有任何行引用的文本
redact-log = 略去 { NUMBER($lines) } 行，清空 { NUMBER($cells) } 个单元格
redact-kernels = 复制了 { NUMBER($kernels) } 个内核；去掉 { NUMBER($left_out) } 份代码文件或其他结果
redact-names = 隐藏路径中的用户名：{ NUMBER($homes) } 处；其他词：{ NUMBER($words) } 处
redact-cut = 记录提前结束，副本亦然
redact-copy-differs = 副本除名称外与原文件不同
redact-report = 没有写入任何文件；请反馈此问题。
redact-no-folder = 文件夹的副本也是文件夹，而这是一个文件
