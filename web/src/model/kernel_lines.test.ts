import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileName, linesBeside } from './kernel_lines.ts'

const LINES: [file: string, line: number, text: string | null, samples: number][] = [
  ['/a/k.cu', 3, 'x = 1;', 10],
  ['/a/k.cu', 4, 'y = 2;', 20],
  ['/a/k.cu', 5, null, 30],
  ['/a/k.cu', 9, '}', 1],
  // The baseline: a line further down, and in another folder.
  ['/b/k.cu', 3, 'w = 0;', 5],
  ['/b/k.cu', 4, 'x = 1;', 11],
  ['/b/k.cu', 5, 'y = 2;', 21],
  ['/b/k.cu', 6, '}', 2],
  ['/b/k.cu', 7, '}', 3],
]
const table = {
  data: {
    file: LINES.map(([file]) => file),
    line: LINES.map(([, line]) => line),
    text: LINES.map(([, , text]) => text),
    samples: LINES.map(([, , , samples]) => samples),
  },
}

test('lines of one kernel in two reports are paired by file and number, whatever folder it was built in', () => {
  const { pairs, alone } = linesBeside(table, [2], [6])
  assert.deepEqual([[...pairs], alone], [[[2, 6]], []])
})

test('a line that moved is found by its text, and one whose text is another is no pair', () => {
  const { pairs, alone } = linesBeside(table, [0, 1, 3], [4, 5, 6, 7, 8])
  assert.deepEqual(
    [...pairs],
    [
      [0, 5],
      [1, 6],
    ],
  )
  // Two lines of one text are no name for either.
  assert.deepEqual(alone, [4, 8, 7])
})

test('a file is named without its folders', () => {
  assert.deepEqual(['/a/b/k.cu', 'C:\\b\\k.cu', 'k.cu'].map(fileName), ['k.cu', 'k.cu', 'k.cu'])
})
