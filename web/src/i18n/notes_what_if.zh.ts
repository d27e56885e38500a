/** What `stepscope what-if` says about changes, in Chinese; as in `notes.zh.ts`. */

export const WHAT_IF_NOTES: [english: string, chinese: string][] = [
  [
    'Estimated by timing the recorded steps again, without what the profiler adds, before and after the change. The range holds what about four of five such changes brought where they were measured.',
    '由对所记录的迭代重新计时估计，去掉分析器的开销，更改前后各一次。范围涵盖实测中约五分之四的此类更改所带来的结果。',
  ],
  // What a change is
  ['host and GPU time of an operator, all that it calls included', '一个算子在主机与 GPU 上的时间，包括它调用的一切'],
  ['time of kernels, copies and fills by name', '按名称，内核、拷贝与填充的时间'],
  ['host time inside operators, Python frames or ranges by name', '按名称，算子、Python 帧或区间内的主机时间'],
  ["host time of a file's own Python code is gone", '去掉一个文件自身 Python 代码的主机时间'],
  ['no call waits for the GPU any more', '不再有调用等待 GPU'],
  ['the next batch is always ready', '下一批次总已就绪'],
  ['communication runs beside everything else; at best', '通信与其他一切并行；最好情况'],
  ['products of matrices run on tensor cores', '矩阵乘在 Tensor Core 上运行'],
  ["each step's launches are one, of a CUDA graph", '每个迭代的启动合为一个 CUDA 图'],
  ['another GPU, by the peaks of both', '换一种 GPU，按两者的峰值'],
  // What it touches
  [
    "{0#} ms a step of the host's time and {1#} ms a step of the GPU's time, in {2#} activities a step",
    '每个迭代主机时间 {0} ms，GPU 时间 {1} ms，{2} 个活动',
  ],
  ["{0#} ms a step of the GPU's time, in {1#} activities a step", '每个迭代 GPU 时间 {0} ms，{1} 个活动'],
  ["{0#} ms a step of the host's time, in 1 range a step", '每个迭代主机时间 {0} ms，1 个区间'],
  ["{0#} ms a step of the host's time, in {1#} ranges a step", '每个迭代主机时间 {0} ms，{1} 个区间'],
  ['{0#} launches a step', '每个迭代 {0} 次启动'],
  ['1 wait a step', '每个迭代 1 次等待'],
  ['{0#} waits a step', '每个迭代 {0} 次等待'],
  ['{0#} ms a step, in 1 fetch a step', '每个迭代 {0} ms，1 次取批次'],
  ['{0#} ms a step, in {1#} fetches a step', '每个迭代 {0} ms，{1} 次取批次'],
  // Parts of the path
  ['between queued activities', '已排队的活动之间'],
  ['after an event of another stream', '另一个流的事件之后'],
  ['launched before these steps', '在这些迭代之前启动'],
  ['nothing recorded', '没有记录'],
  // What there is nothing of
  ['the steps have none', '迭代中没有'],
  ['the steps launch nothing', '迭代中没有启动任务'],
  ["all of the steps' work is in graphs already", '迭代的工作已全部在图中'],
  ["the device's peaks for tensor cores are not known", '不知道该设备 Tensor Core 的峰值'],
  ['no peaks are known of {0}', '不知道 {0} 的峰值'],
  // What the recording cannot tell
  ['whether the operator can be made so fast', '该算子能否变得这样快'],
  ['whether the kernels can be made so fast', '这些内核能否变得这样快'],
  ['whether the host can be made so fast', '主机能否变得这样快'],
  ['whether the step can do without this code', '迭代能否不用这些代码'],
  ['whether the program can do without the values that it waits for', '程序能否不用它所等待的值'],
  [
    'how much kernels and communication slow one another down when they run together',
    '内核与通信同时运行时相互拖慢多少',
  ],
  [
    "how near to its peaks the other GPU's kernels come, and how fast its host is",
    '另一种 GPU 的内核能多接近其峰值，以及其主机有多快',
  ],
]
