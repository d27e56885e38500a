### 关键路径的组成。

pathkind-communication = 通信
pathkind-compute = GPU 计算
pathkind-data-loading = CPU 等待数据加载器
pathkind-gpu-gap = GPU 内核间隙
pathkind-launch-latency = 下发时延
pathkind-memcpy = 内存拷贝
pathkind-memset = memset
pathkind-operator = CPU 在算子中
pathkind-other = CPU 在其他代码中
pathkind-python = CPU 在 Python 中
pathkind-runtime = CPU 在运行时调用中
pathkind-sync-return = 同步返回
pathkind-unknown = 未记录下发
