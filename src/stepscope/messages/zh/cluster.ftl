# 用 Dask 集群的 worker 读取。

cluster-cannot-use-dask = 无法使用 Dask
cluster-not-installed = 没有安装
cluster-install-dask = 请安装：pip install 'stepscope[dask]'。
cluster-cannot-use-scheduler = 无法使用 Dask scheduler { $address }
cluster-no-answer = 它没有应答
cluster-name-scheduler = 请指定一个，例如 tcp://host:8786。
cluster-no-workers = 它没有 worker
cluster-start-workers = 请启动一些：dask worker ADDRESS。
cluster-cannot-use-workers = 无法使用 Dask worker
cluster-workers-lack-stepscope = 它们没有安装 stepscope，或版本不同
cluster-install-same = 请在那里安装相同版本。
cluster-cannot-use-what-was-read = 无法使用 Dask worker 读取的结果
cluster-folder-not-here = 它们写到了 { $folder }，本机看不到该文件夹
cluster-share-cache = 请把 STEPSCOPE_CACHE 设为所有机器共享的文件夹。
