### Python 调用栈的采样。

samples-most = { PCT($share_pct) } 的采样位于 { $function }{ $file ->
    [none] {""}
   *[other] （{ $file }）
}。
samples-count = 共 { NUMBER($count) } 个采样；文件没有说明采样时间，因此不在任何时间线上。
samples-none = { NUMBER($count) } 个采样没有函数。
