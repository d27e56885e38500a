# 取值不多的列，其值的名称。

value-cause-host_late = 下发过晚
value-cause-sync = 同步等待
value-cause-data_loading = 数据加载
value-cause-memory_copy = 内存拷贝
value-cause-communication_wait = 等待通信
value-cause-launch_latency = 下发时延
value-cause-dependency = 内核间隙
value-cause-unknown = 未知

value-yes = 是
value-no = 否
