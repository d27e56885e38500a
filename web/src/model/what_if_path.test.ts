import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathNames, pathTime, sideTimes } from './what_if_path.ts'

const OTHERS = { id: 'path-others', params: {}, text: { en: 'others', zh: '其他' } }
const part = (side: string, name: string | null, ns: number) => {
  return { side, name, label: name === null ? OTHERS : null, ns, share_pct: ns }
}
const BEFORE = [part('host', 'aten::mm', 60), part('compute', 'gemm', 25), part('host', null, 15)]
const AFTER = [part('compute', 'gemm', 25), part('waiting', 'aten::mm', 5), part('host', 'aten::mm', 2)]

test('sides stand in the order of a step’s work and add up', () => {
  assert.deepEqual(sideTimes([part('compute', 'gemm', 25), part('new', 'x', 1), ...BEFORE]), [
    { side: 'host', meaning: 'host', ns: 75, pct: 75 },
    { side: 'compute', meaning: 'compute', ns: 50, pct: 50 },
    { side: 'new', meaning: 'other', ns: 1, pct: 1 },
  ])
  assert.equal(pathTime(BEFORE), 100)
})

test('names of one side stand together, longest of both paths first, without what has no name', () => {
  const names = pathNames(BEFORE, AFTER, 3).map(({ key: _, ...rest }) => rest)
  assert.deepEqual(names, [
    { side: 'host', name: 'aten::mm', before: 60, after: 2 },
    { side: 'compute', name: 'gemm', before: 25, after: 25 },
    { side: 'waiting', name: 'aten::mm', before: null, after: 5 },
  ])
  assert.equal(pathNames(BEFORE, AFTER, 1).length, 1)
})
