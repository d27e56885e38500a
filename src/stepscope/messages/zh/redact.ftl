# stepscope redact 对所写副本的说明。

redact-odd-word = “{ $word }”太短或太长，无法隐藏
redact-word-length = 请给出 { $least } 个字母以上、少于 256 个字母的文本。
redact-not-known = 无法为这样的文件制作副本
redact-known = 可为跟踪（.json、.json.gz）、显存快照（.pickle）与 Nsight Systems 的导出（nsys export --type sqlite）制作副本。
redact-packed = 它是压缩文件，或在另一台机器上
redact-unpack = 请先解压到本机。
redact-trace = 略去事件以外的 { NUMBER($members) } 个成员，清空事件的 { NUMBER($arguments) } 个参数
redact-database = 略去 { NUMBER($tables) } 个表，以及没有任何行引用的文本
redact-names = 隐藏路径中的用户名：{ NUMBER($homes) } 处；其他词：{ NUMBER($words) } 处
redact-cut = 跟踪提前结束，副本亦然
redact-copy-differs = 副本除名称外与原文件不同
redact-report = 没有写入任何文件；请反馈此问题。
