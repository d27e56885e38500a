# 错误：尝试了什么，发现了什么，该怎么做。

## 错误的三部分合为一行

error-line = { $tried }：{ $found }。{ $advice }
error-cannot-show = 无法显示 { $what }
error-cannot-answer = 无法回答
error-name-one = 请选择其中之一。
error-leave-out = 请去掉它。
error-shorten = 请缩短。
error-see-docs = 参见 docs/server.md。

## 表格及其行

error-no-such-table = 没有这张表
error-tables = { $close ->
    [none] {""}
   *[other] 是否指 { $close }？
}可用的表：{ $tables }。
error-cannot-group = 无法按 { $by } 显示 { $table }
error-groupings = 可选的分组为 { $groupings }
error-no-grouping = 它没有其他分组
error-group-otherwise = 请选择其中之一，或去掉 --by。
error-cannot-show-source = 无法显示带源代码行的 { $table }
error-rows-without-source = 它的行没有源代码行
error-tables-with = 支持的表：{ $tables }。
error-cannot-draw = 无法绘制 { $table }
error-cannot-show-eager = 无法配合 eager 跟踪文件显示 { $table }
error-cannot-show-base = 无法把 { $table } 与另一份记录比较
error-cannot-show-named = 无法把 { $table } 限定为一个名称
error-no-picture = 它没有对应的图
error-no-operators = 它没有算子
error-no-instances = 它的行不是某个名称的实例
error-no-comparison = 该表不做比较
error-cannot-sort = 无法按 { $column } 排序
error-no-such-column = 没有这一列
error-columns = { $close ->
    [none] {""}
   *[other] 是否指 { $close }？
}可用的列：{ $columns }。
error-cannot-filter = 无法使用 --where { $where }
error-columns-example = 可用的列：{ $columns }。示例：--where 'calls > 10'
error-filter-types = 它混用了不同类型的值，或含有无效的正则表达式

## 峰值与假设分析

error-cannot-use-peak = 无法使用峰值 { $name }
error-no-such-figure = 没有这个指标
error-figures = 可用的指标：{ $figures }。
error-peak-not-positive = 它的值不是正数
error-peak-example = 例如：bf16=989e12
error-cannot-simulate = 无法模拟迭代
error-nothing-to-simulate = 完整的迭代中没有记录主机活动
error-no-whole-step = 记录被截断，没有任何迭代的 GPU 任务是完整的
error-several-launch = 多个线程同时启动工作，无法模拟其中一个线程的迭代
error-record-one-thread = 请采集只由一个线程启动工作的进程。
error-trace-beside = 请将程序的跟踪文件放在一起。
error-record-cpu = 请用 ProfilerActivity.CPU 和 schedule 采集。

## Python

error-cannot-open = 无法打开 { $path }
error-cannot-open-bytes = 无法打开字节类型的路径
error-paths-are-text = 路径须为文本
error-decode = 请用 os.fsdecode 解码。
error-cannot-watch = 无法监控进程 { $pid }
error-no-process = 没有该进程
error-name-a-process = 请指定本机上正在运行的进程：pgrep -f train.py
error-cannot-take-peaks = 无法从 { $kind } 取得峰值
error-peaks-mapping = 需要名称到数值的映射
error-peaks-mapping-example = 例如：{ $example }。
error-cannot-take-eager = 无法把 { $kind } 作为 eager 记录
error-not-a-profile = 它不是已打开的记录
error-eager-example = 例如：with_eager(stepscope.open(path))。
error-cannot-take-base = 无法把 { $kind } 作为对比的记录
error-base-example = 例如：with_base(stepscope.open(path))。
error-no-paths = 它既不是路径也不是路径列表
error-name-a-trace = 请指定跟踪文件或其所在文件夹。
error-not-a-text = { $name } 须为文本
error-show-example = 例如：show("operators")。
error-kind = 类型为 { $type } 的值

## 命令行

error-cannot-read-option = 无法识别 { $option } { $text }
error-not-a-size = 它不是有效的大小
error-option-example = 例如：{ $option } { $example }
error-not-a-part = 它不是时间范围 FROM:TO
error-not-a-step = 它既不是迭代号也不是 FIRST:LAST
error-not-json-object = 它不是 JSON 对象
error-not-json = 它不是有效的 JSON
error-not-a-pair = 它不是 NAME=VALUE
error-write-example = 例如：{ $example }
error-interrupted = 已中断；读取完成的跟踪文件已保留，正在读取的未保留
error-writing = { $path ->
        [none] 无法写入
       *[other] 无法写入 { $path }
    }：{ $reason }。空间和权限是否足够？
error-fewer-ranks = 内存不足：请一次打开较少的 rank
error-no-chinese-letters = 终端的编码（{ $encoding }）没有汉字，因此以英文输出；设置 PYTHONIOENCODING=utf-8 可输出中文
error-own-defect = stepscope 的缺陷，与跟踪文件无关：{ $type }。设置 STEPSCOPE_DEBUG=1 可显示位置；请反馈此问题
error-cannot-write = 无法写入 { $path }
error-names-a-folder = 它是文件夹
error-name-a-file-in-it = 请指定其中的文件：-o { $path }
error-make-folder = 请先创建其文件夹，或指定其他位置的文件：{ $folder }
error-no-such-folder = 没有该文件或目录
error-no-permission = 权限不足
error-name-own-folder = 请指定自己文件夹中的文件。
error-is-input = 它是输入文件
error-name-other-file = 请为报告指定其他文件。
error-holds-recording = 它是一份记录
error-name-other-or-delete = 请指定其他文件，或先删除此文件。
error-cannot-write-html = 无法写出 HTML 报告
error-app-damaged = 此安装的 Web 应用已损坏
error-install-anew = 请重新安装 stepscope。
error-no-app = 此安装没有 Web 应用
error-install-with-app = 请在不设置 STEPSCOPE_SKIP_WEB 的情况下安装 stepscope，或选择 --format text、markdown 或 json。
error-make-web = 请在 { $folder } 中运行 make web，或选择 --format text、markdown 或 json。

## 服务器

error-no-such-address = API 没有这个地址
error-no-token = 令牌缺失或错误
error-open-with-token = 请打开 stepscope serve 输出的地址（含令牌）。
error-token-needed = 其他机器可以访问该地址，必须要求令牌
error-leave-no-token = 请去掉 --no-token 或 --host。
error-foreign-site = 请求来自其他网站的页面
error-open-app = 请直接打开应用。
error-unknown-method = 此处不支持 { $method }
error-use-get = 请使用 GET。
error-address-too-long = 地址过长
error-other-machine = 请求指向另一台机器
error-open-printed = 请打开 stepscope serve 输出的地址。
error-client-gone = 客户端已断开
error-ask-again = 请重试。
error-parameter-missing = 缺少参数 { $name }
error-add-parameter = 请在地址中加入 { $name }=...。
error-parameter-nul = 参数 { $name } 含有 NUL 字符（%00）
error-parameter-long = 参数 { $name } 超过 { $most } 个字符
error-cannot-read-address = 无法解析地址
error-parameter-twice = 有参数重复给出
error-give-once = 每个参数请只给一次。
error-parameter-number = 参数 { $name } 不是 { LABEL($least) } 到 { LABEL($most) } 的整数
error-parameter-example = 例如：{ $name }={ $example }
error-parameter-part = 参数 { $name } 应为两个整数（纳秒），FROM:TO，较小者在前
error-cannot-take-part = 无法只显示显存历史的一部分
error-part-of-one-rank = 区间属于单个 rank 的历史，而现在选择了多个 rank
error-part-name-rank = 请选择一个 rank：rank=0。
error-part-no-times = 没有带时间的显存快照
error-part-whole = 请查看完整历史。
error-part-not-of-table = { $table } 不能只显示历史的一部分
error-part-tables = 可以的表：{ $tables }。
error-base-of-files = { $name } 由混在其他文件中的多个文件组成，没有单一路径可以指定
error-base-own-folder = 请把它们放进单独的文件夹。
error-cannot-show-entry = 无法显示历史第 { LABEL($event) } 个条目之后的段
error-no-entry = 历史中没有这个条目
error-entry-of-timeline = 请取 memory_timeline 的 event 列中的一个。
error-segments-then = 无法还原当时的段：文件没有列出段，或可扩展段此后有伸缩
error-segments-end = 请查看结束时的段。
error-entry-not-of-table = { $table } 不按历史条目显示
error-entry-table = 可以的表：memory_blocks。
error-parameter-flag = 参数 { $name } 既不是 0 也不是 1
error-condition-long = 条件超过 { $most } 个字符
error-use-show = 请使用 stepscope show。
error-parameters-encoding = 其参数不是 UTF-8，或过多
error-cannot-open-run = 无法打开这次运行
error-no-such-run = 没有这个名称的运行
error-file-no-recording = 文件 { $name } 不含记录
error-choose-listed = 请从列表中选择。
error-cannot-serve = 无法提供 { $path }
error-neither-file-nor-folder = 它既不是文件也不是文件夹
error-no-such-file = 没有该文件或文件夹
error-name-folder-of-traces = 请指定跟踪文件所在的文件夹，或跟踪文件。
error-cannot-listen = 无法监听 { $host }:{ LABEL($port) }
error-port-taken = 端口已被占用
error-other-port = 请指定其他端口，或任一空闲端口：--port 0
error-port-forbidden = 没有使用此端口的权限
error-port-above = 请指定 1023 以上的端口：--port 8080
error-not-own-address = 它不是本机的地址
error-host-example = 例如：--host 127.0.0.1
error-is-address = 它是网络地址
error-copy-traces = 请把跟踪文件复制到本机，或使用 stepscope report。
error-name-not-plain = 其名称含有不可打印的字符
error-rename = 请重命名。
error-no-app-file = 应用没有这个文件
error-open-root = 请打开 /。
error-out-of-memory = 内存不足
error-serve-fewer = 请减少打开的 rank，或关闭其他程序。
error-system-says = 系统提示：{ $error }
error-room-in-cache = 缓存文件夹是否还有空间？
error-defect = stepscope 的缺陷，与跟踪文件无关：{ $type }
error-defect-advice = 运行 STEPSCOPE_DEBUG=1 stepscope serve 可显示位置；请反馈此问题。
error-run-pending = 它仍在读取中
error-ask-soon = 请稍后重试。
error-outside-folder = 它指向所提供文件夹之外
error-serve-its-folder = 请提供它所在的文件夹。
error-choose-other = 请选择其他运行。
error-server-ending = 服务器正在关闭
error-start-again = 请重新启动。
error-source-unnamed = 这次运行没有调用帧指向它
error-record-stacks = 请用 with_stack=True 采集。
error-source-shorter = 它只有 { $lines } 行：是另一个版本
error-show-recorded = 请提供采集时的版本。
error-source-missing = 当前目录和所服务的目录下没有这个源文件
error-serve-at-script = 请在训练脚本所在处运行 stepscope serve。

## 时间线

error-cannot-show-lane = 无法显示该泳道
error-lanes = { $lanes ->
    [0] 时间线没有泳道
   *[other] 时间线有泳道 0 至 { LABEL($last) }
}
error-cannot-show-path = 无法显示关键路径
error-timeline-rank = 时间线上没有 rank { LABEL($rank) }，只有 { $ranks }
error-cannot-show-event = 无法显示该事件
error-rows-of-lane = { $rows ->
    [0] 泳道 { LABEL($lane) } 没有行
   *[other] 泳道 { LABEL($lane) } 有行 0 至 { LABEL($last) }
}
error-cannot-search = 无法按该模式搜索
error-not-a-pattern = 它不是有效的正则表达式
error-pattern-example = 例如：/gemm|conv/。
error-cannot-read-question = 无法识别请求
error-missing = 缺少 { $name }
error-not-a-number = { $name } 不是数
error-assign-example = 例如：{ $name }={ $example }。
error-not-numbers = { $name } 不是数的列表
error-no-changes = changes 不是由更改组成的 JSON 列表
error-cannot-show-window = 无法显示该时间窗口
error-ends-before = 它的结束早于开始
error-window-order = t0 须不大于 t1。
error-cannot-find-places = 无法查找这类位置
error-unknown-kind = 类型未知
error-kinds = 请选择 { $kinds } 之一。
error-none-is-a-trace = { $files ->
    [1] 唯一可能是记录的文件无法读取
   *[other] { $files } 个文件都不是跟踪文件
}（{ $file }：{ $reason }）
error-cannot-redact = 无法为 { $path } 制作脱敏副本
error-cannot-read = 无法读取 { $path }
error-no-such-format = 没有写成 { $suffix } 的格式
error-formats = 请使用以下之一结尾的文件名：{ $endings }。
error-nothing-in-pipe = 没有向它发送跟踪文件
error-pipe-example = 例如：cat trace.json.gz | stepscope report -
