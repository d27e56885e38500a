# 正在运行的作业：为什么不能请求其采集窗口。

live-cannot-ask = 无法请求作业采集窗口
live-busy = 它正在采集一个窗口，或正在为其后的迭代计时
live-wait = 请等待其记录写完。
live-not-on-demand = 它在本机的进程都不是为按需采集而启动的
live-start-on-demand = 请用 stepscope record --on-demand 启动作业。如果作业在另一台机器上运行，请在那里运行 stepscope attach PID。
live-no-token = 此服务器以 --no-token 启动，本机的任何用户都可以发出请求
live-serve-with-token = 请不带 --no-token 启动 stepscope serve，或运行 stepscope attach PID。
live-no-such-job = 所提供的文件夹下没有这样的作业在运行
live-it-ended = 它可能已经结束：请在运行列表中查找其记录。
