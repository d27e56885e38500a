import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSource, parseStack } from './stacks.ts'

test('stacks are read as the tables write them', () => {
  assert.deepEqual(parseStack('a/net (v2).py(41): forward;train.py(7): <module>;odd'), [
    { function: 'forward', file: 'a/net (v2).py', line: 41 },
    { function: '<module>', file: 'train.py', line: 7 },
    { function: 'odd', file: null, line: null },
  ])
  assert.deepEqual(parseStack(null), [])
})

test('source lines too, whatever the path', () => {
  assert.deepEqual(parseSource('C:\\a\\train.py:12'), { function: '', file: 'C:\\a\\train.py', line: 12 })
  assert.equal(parseSource('train.py'), null)
})

test('a stack of the flight recorder has a line for each frame', () => {
  assert.deepEqual(
    parseStack('/opt/torch/distributed_c10d.py(9): all_reduce\n/home/me/train.py(88): step').map(
      (one) => `${one.function} ${one.line}`,
    ),
    ['all_reduce 9', 'step 88'],
  )
})
