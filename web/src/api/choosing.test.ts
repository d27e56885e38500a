import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenRows, inOrder, rowsBetween, rowsHolding } from './choosing.ts'
import type { TableData } from './types.ts'

function table(data: TableData['data'], total?: number): TableData {
  const columns = Object.keys(data).map((name) => ({ name, type: 'int' as const, moment: false, description: '' }))
  const rows = Object.values(data)[0]?.length ?? 0
  return {
    table: 't',
    by: '',
    source: false,
    total: total ?? rows,
    columns,
    data,
    origin_ns: '0',
    notes: [],
    command: '',
  }
}

const steps = table({ rank: [0, 0, 1, 1], step: [1, 2, 1, 2], ns: [10, 20, 30, 40] })

test('rows of some ranks and steps', () => {
  const { data, limited } = chosenRows(steps, { ranks: [1], steps: [2, 9] })
  assert.deepEqual(data.data, { rank: [1], step: [2], ns: [40] })
  assert.equal(data.total, 1)
  assert.equal(limited, true)
})

test('a table without a row for each step stays whole and says so', () => {
  const kernels = table({ rank: [0, 1], calls: [3, 4] })
  const { data, limited } = chosenRows(kernels, { ranks: null, steps: [1, 1] })
  assert.equal(data, kernels)
  assert.equal(limited, false)
  assert.equal(chosenRows(kernels, { ranks: [0], steps: null }).limited, true)
})

test('without a selection nothing is copied', () => {
  assert.equal(chosenRows(steps, { ranks: null, steps: null }).data, steps)
  assert.equal(inOrder(steps, undefined, undefined), steps)
})

test('rows of no step belong to none', () => {
  const { data } = chosenRows(table({ step: [1, null, 2], ns: [1, 2, 3] }), { ranks: null, steps: [0, 9] })
  assert.deepEqual(data.data['ns'], [1, 3])
})

test('what was left out keeps being counted', () => {
  assert.equal(chosenRows(table({ rank: [0, 1] }, 100), { ranks: [0], steps: null }).data.total, 100)
})

test('the first rows in another order', () => {
  assert.deepEqual(inOrder(steps, 'ns', 2).data['ns'], [40, 30])
  assert.deepEqual(inOrder(steps, '-ns', 3).data['ns'], [10, 20, 30])
  assert.deepEqual(inOrder(steps, undefined, 1).data, { rank: [0], step: [1], ns: [10] })
  assert.equal(inOrder(steps, 'ns', 2).total, 4)
})

test('rows whose columns hold some values', () => {
  assert.deepEqual(rowsHolding(steps, { rank: 0, step: 2 }).data, { rank: [0], step: [2], ns: [20] })
  assert.deepEqual(rowsHolding(steps, { rank: '0' }).data['ns'], [], 'a text is no number')
  assert.deepEqual(rowsHolding(steps, { nothing: 1 }).data['ns'], [])
})

test('of a part of the time are the rows that reach into it, of an open end ever', () => {
  const events = { ...table({ start_ns: [null, 10, 20, 30], end_ns: [5, 20, null, 40] }), table: 'memory_events' }
  assert.deepEqual(rowsBetween(events, [15, 30])?.data['start_ns'], [10, 20])
  assert.deepEqual(rowsBetween(events, [0, 6])?.data['start_ns'], [null])
  const alive = { ...table({ at_ns: [1, 2, 3] }), table: 'memory_alive' }
  assert.deepEqual(rowsBetween(alive, [2, 3])?.data['at_ns'], [2])
})

test('what would have to be computed anew is not there in part', () => {
  assert.equal(rowsBetween({ ...table({ at_ns: [1] }), table: 'memory_peak' }, [0, 5]), null)
})
