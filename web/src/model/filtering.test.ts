import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell, ColumnFacts, TableData } from '../api/types.ts'
import {
  columnNamed,
  exampleComparisons,
  type Named,
  nearWords,
  parsedNumber,
  parseFilter,
  rowsMatching,
  wordBeforeColon,
} from './filtering.ts'

const COLUMNS: Named[] = (
  [
    ['name', 'text', 'Operator'],
    ['calls', 'int', 'Calls'],
    ['host_self_ns', 'int', 'Host, self'],
    ['device_self_ns', 'int', 'GPU, self'],
    ['device_total_ns', 'int', 'GPU 总计'],
    ['share_pct', 'float', 'Share'],
    ['kind', 'text', 'Kind'],
    ['tensor_core', 'bool', 'Tensor cores'],
  ] as [string, ColumnFacts['type'], string][]
).map(([name, type, title]) => ({ name, type, title, moment: false, description: '' }))

function table(data: Record<string, Cell[]>): TableData {
  const columns = COLUMNS.filter((one) => one.name in data)
  return { table: 't', by: '', source: false, total: 0, columns, data, origin_ns: '0', notes: [], command: '' }
}

const comparisons = (text: string) =>
  parseFilter(text, COLUMNS).comparisons.map((one) => [one.column, one.sign, one.value])

test('numbers carry their unit', () => {
  const read = ['1ms', '1.5 us', '2 µs', '10', '1,000', '3MiB', '2k', '5 %', '1e3', 'fast', '3 parsecs'].map(
    parsedNumber,
  )
  assert.deepEqual(read, [1e6, 1500, 2000, 10, 1000, 3 * 2 ** 20, 2000, 5, 1000, null, null])
})

test('columns are found by name, title, beginning, and what people call the clocks', () => {
  const found = ['calls', 'device total', 'GPU', 'gpu 总计', 'host', 'share', 'tensor', 'nonsense', '', 'cpu']
  assert.deepEqual(
    found.map((text) => columnNamed(text, COLUMNS)?.name),
    [
      'calls',
      'device_total_ns',
      'device_self_ns',
      'device_total_ns',
      'host_self_ns',
      'share_pct',
      'tensor_core',
      undefined,
      undefined,
      'host_self_ns',
    ],
  )
})

test('comparisons and words stand side by side', () => {
  assert.deepEqual(comparisons('gemm calls>=10, gpu > 1ms and share < 5 %'), [
    ['calls', '>=', 10],
    ['device_self_ns', '>', 1e6],
    ['share_pct', '<', 5],
  ])
  assert.deepEqual(parseFilter('gemm calls>=10 -nccl', COLUMNS), {
    problems: [],
    comparisons: [{ column: 'calls', sign: '>=', value: 10 }],
    words: ['gemm'],
    without: ['nccl'],
  })
})

test('names with signs in them are words, not comparisons', () => {
  for (const text of ['gemm<float>', 'aten::mm', 'a=b', 'x->y', 'name > 3'])
    assert.deepEqual(parseFilter(text, COLUMNS).comparisons, [], text)
  assert.deepEqual(parseFilter('gemm<float>', COLUMNS).words, ['gemm<float>'])
  for (const text of ['gemm<float>', 'aten::mm', 'x->y', 'a=b', 'Memcpy HtoD (Pageable -> Device)', 'name<int>'])
    assert.deepEqual(parseFilter(text, COLUMNS).problems, [], text)
})

test('what is not understood is told with what would be, and leaves no row out', () => {
  const problem = (text: string) => {
    const { problems, words, comparisons } = parseFilter(text, COLUMNS)
    assert.deepEqual([words, comparisons], [[], []], text)
    return problems.map((one) => [one.kind, one.written, one.example])
  }
  assert.deepEqual(problem('gpu >'), [['incomplete', 'gpu >', 'gpu > 1ms']])
  assert.deepEqual(problem('gpu>'), [['incomplete', 'gpu>', 'gpu > 1ms']])
  assert.deepEqual(problem('calls >= many'), [['value', 'calls >= many', 'calls >= 10']])
  assert.deepEqual(problem('name > 3'), [['value', 'name > 3', 'name:gemm']])
  assert.deepEqual(
    problem('nonsense > 3ms').map((one) => one.slice(0, 2)),
    [['column', 'nonsense > 3ms']],
  )
  for (const text of ['gpu >', 'calls >= many', 'nonsense > 3ms']) {
    const [found] = parseFilter(text, COLUMNS).problems
    assert.equal(parseFilter(found?.example ?? '', COLUMNS).comparisons.length, 1, text)
  }
})

test('a number with the unit of another kind of column is not compared, which left no row', () => {
  const said = (text: string) => parseFilter(text, COLUMNS).problems.map((one) => [one.kind, one.example])
  assert.deepEqual(said('share > 1ms'), [['value', 'share > 5%']])
  assert.deepEqual(said('calls > 5%'), [['value', 'calls > 10']])
  assert.deepEqual(said('gpu > 3MiB'), [['value', 'gpu > 1ms']])
  assert.deepEqual(said('nothing > abc'), [['column', 'host_self_ns > 1ms']])
  assert.deepEqual(said('share > 5, calls > 2k, gpu > 5us'), [])
})

test('examples are of columns that the table has', () => {
  assert.deepEqual(exampleComparisons(COLUMNS), ['host self > 1ms', 'calls >= 10'])
  assert.deepEqual(exampleComparisons(COLUMNS.slice(5)), [])
  const { problems, comparisons } = parseFilter(exampleComparisons(COLUMNS).join(', '), COLUMNS)
  assert.deepEqual([problems.length, comparisons.length], [0, 2])
})

test('a word with a colon may be meant for a column that there is not, a name with signs may not', () => {
  const before = (text: string) => wordBeforeColon(parseFilter(text, COLUMNS).words)
  assert.deepEqual(['foo:bar', 'gemm foo: bar', '列:值'].map(before), ['foo', 'foo', '列'])
  for (const text of ['kind:gemm', 'aten::mm', 's3://bucket', 'C:\\runs', '12:30', 'gemm', ''])
    assert.equal(before(text), null, text)
})

test('texts compare as a whole or by a part; yes and no', () => {
  assert.deepEqual(comparisons('kind=gemm'), [['kind', '=', 'gemm']])
  assert.deepEqual(comparisons('kind: "two words"'), [['kind', ':', 'two words']])
  assert.deepEqual(comparisons('tensor cores = yes'), [['tensor_core', '=', 1]])
})

test('rows are kept by both, whatever the case; a slip of the finger is forgiven when nothing fits as typed', () => {
  const data = table({
    name: ['aten::mm', 'aten::Add_', 'ncclKernel', 'aten::addmm', '<img onerror=1>'],
    calls: [5, 50, 10, null, 1],
  })
  const rows = (text: string) => [...(rowsMatching(data, parseFilter(text, COLUMNS)) ?? [-1])]
  assert.deepEqual(rows(''), [-1])
  assert.deepEqual(rows('ADD'), [1, 3])
  assert.deepEqual(rows('aten mm'), [0, 3])
  assert.deepEqual(rows('aten -add'), [0])
  assert.deepEqual(rows('calls >= 10'), [1, 2])
  assert.deepEqual(rows('add calls>10'), [1])
  assert.deepEqual(rows('kernle'), [2])
  assert.deepEqual(nearWords(data, parseFilter('aten kernle', COLUMNS)), ['kernle'])
  assert.deepEqual(rows('<img'), [4])
  assert.deepEqual(rows('zzz'), [])
})

test('a value that cells show in other words is found by both', () => {
  const said = { kind: { gemm: '矩阵乘', copy: '拷贝' } }
  const data = table({ name: ['a', 'b', 'c'], kind: ['gemm', 'copy', null] })
  const rows = (text: string) => [...(rowsMatching(data, parseFilter(text, COLUMNS), said) ?? [-1])]
  for (const text of ['矩阵', 'gemm', 'kind = gemm', 'kind = 矩阵乘', 'kind: 矩阵', 'kind:gem'])
    assert.deepEqual(rows(text), [0], text)
  assert.deepEqual(rows('kind != 矩阵乘'), [1, 2])
  assert.deepEqual(rows('-拷贝'), [0, 2])
  assert.deepEqual(nearWords(data, parseFilter('矩阵', COLUMNS), said), [])
  // The words of the other language are not those of this one.
  assert.deepEqual([...(rowsMatching(data, parseFilter('矩阵', COLUMNS)) ?? [-1])], [])
})
