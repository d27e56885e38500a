import assert from 'node:assert/strict'
import test from 'node:test'
import { foldedCsv, framesOf, shortFrame } from './memory_frames.ts'

const table = {
  data: {
    lines: [
      '/a/model.py:3 forward() < /a/train.py:9 main()',
      '/a/model.py:4 forward() < /a/train.py:9 main()',
      '',
      '',
      '/a/model.py:3 forward() < /a/train.py:9 main()',
    ],
    source: ['/a/model.py:3', '/a/model.py:4', '/a/other.py:1', '', '/a/model.py:3'],
    op: ['aten::mm', 'aten::add', 'aten::zeros', '', 'aten::mm'],
    category: ['activations', 'gradients', 'parameters', 'unknown', 'temporaries'],
    alive_bytes: [10, 30, 7, -5, 3],
  },
}
const frames = framesOf(table, [0, 1, 2, 3, 4], 'alive_bytes')

test('frames add up to the bytes of what they called, and the roots to the whole', () => {
  assert.equal(frames.whole, 50)
  const sum = (rows: number[]) => rows.reduce((total, row) => total + (frames.values[row] ?? 0), 0)
  assert.equal(sum(frames.tree.roots), frames.whole)
  frames.tree.children.forEach((inside, at) => {
    if (inside.length > 0) assert.equal(sum(inside), frames.values[at])
  })
})

test('stacks that begin alike share their outer frames; the operator is the innermost', () => {
  const main = frames.names.indexOf('/a/train.py:9 main()')
  assert.equal(frames.values[main], 43)
  assert.equal(frames.categories[main], 'gradients')
  assert.deepEqual(
    (frames.tree.children[main] ?? []).map((at) => [frames.names[at], frames.values[at]]),
    [
      ['/a/model.py:3 forward()', 13],
      ['/a/model.py:4 forward()', 30],
    ],
  )
  assert.deepEqual(
    frames.rows.filter((row) => row !== null),
    [0, 1, 2],
  )
})

test('without lines the source stands for the stack, and what took bytes back has no width', () => {
  const source = frames.names.indexOf('/a/other.py:1')
  assert.equal(frames.tree.parent[source], -1)
  assert.ok(!frames.names.includes('(unattributed)'))
})

test('folders of a frame are left out of its label', () => {
  assert.equal(shortFrame('/home/user/model.py:3 forward()'), 'model.py:3 forward()')
  assert.equal(shortFrame('C:\\user\\model.py:3 forward()'), 'model.py:3 forward()')
  assert.equal(shortFrame('aten::mm'), 'aten::mm')
})

test('a copy has folded stacks', () => {
  const lines = foldedCsv(frames, { stack: 'stack', bytes: 'bytes' }).split('\r\n')
  assert.equal(lines[1], '/a/train.py:9 main();/a/model.py:3 forward();aten::mm,13')
})
