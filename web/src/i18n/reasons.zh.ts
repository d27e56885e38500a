/** What the server still says in plain English, in Chinese: why files are not read, and the note of the timeline. `{0}`, `{1}`, … differ. */

export const REASONS: [english: string, chinese: string][] = [
  [
    'rank {0} is also in {1}, which was recorded together with more of the other ranks',
    'rank {0} 也在 {1} 中，后者与更多其他 rank 同时录制',
  ],
  [
    'rank {0} is also in {1}, which lies among more of the other ranks',
    'rank {0} 也在 {1} 中，后者所在文件夹有更多其他 rank',
  ],
  ['rank {0} is also in {1}, which was recorded later', 'rank {0} 也在 {1} 中，后者录制得更晚'],
  ['rank {0} is also in {1}, which holds more events', 'rank {0} 也在 {1} 中，后者包含更多事件'],
  ['rank {0} is also in {1}, which comes first by name', 'rank {0} 也在 {1} 中，后者按名称排在前面'],
  ['the file is empty', '文件为空'],
  ['Memory snapshots of torch.cuda.memory are not read yet.', '尚不能读取 torch.cuda.memory 的显存快照。'],
  ['Reports of Nsight Systems are not read yet.', '尚不能读取 Nsight Systems 的报告。'],
  ['Reports of Nsight Compute are not read yet.', '尚不能读取 Nsight Compute 的报告。'],
  ["Output folders of MindSpore's profiler are not read yet.", '尚不能读取 MindSpore 分析器的输出目录。'],
  ['The file is empty.', '文件为空。'],
  [
    '1 events overlap another one of their track without lying inside it; such have rows below',
    '1 个事件与同轨道的另一事件重叠而不嵌套，排在下方的行里',
  ],
  [
    '{0} events overlap another one of their track without lying inside it; such have rows below',
    '{0} 个事件与同轨道的另一事件重叠而不嵌套，排在下方的行里',
  ],
  ['1 file holds no recording: {0}.', '1 个文件不含记录：{0}。'],
  ['{0} files hold no recording: {1}.', '{0} 个文件不含记录：{1}。'],
]
