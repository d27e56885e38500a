# 表格下方的说明。

show-origin = { $columns }：自记录的第一个事件起的时间
