# Words of lists and of what is missing.

list-none = 无

## 运行列表的说明

list-gone = { $name } 已不存在。
list-no-recording = { $files } 个文件不含记录：{ $names }{ $more ->
    [0] {""}
   *[other] {" "}等，另有 { $more } 个
}。
list-large = 大于 { BYTES($most) }：打开时才读取。
list-process-died = 没有数据：在后台读取它的进程异常退出。内存是否足够？打开该运行会再次尝试。
list-no-figures = 没有数据：{ $reason }。
list-changed = 没有数据：在后台读取时它发生了变化。
list-stopped = 查看 { $folders } 个文件夹和 { $files } 个文件之后停止：请 serve 其下的文件夹。
list-skipped = 没有查看，因为它们{ $reason }：{ $names }{ $more ->
    [0] {""}
   *[other] {" "}等，另有 { $more } 个
}。
list-no-files = 不是普通文件，或是失效的链接
list-may-not-read = 不可读取
list-names-not-utf8 = 名称不是 UTF-8
list-lead-out = 指向文件夹之外
list-too-deep = 位于超过 { $most } 层的深处
