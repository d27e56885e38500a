import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moreText, moreThan } from './kernel_baseline.ts'
import { detailSections, figureOf, figureText, schedulerOf } from './kernel_details.ts'

const table = {
  data: {
    section: ['Launch', 'Launch', 'Speed', 'Launch', 'Speed'],
    label: ['Block Size', 'Cache', 'Duration', 'Block Size', 'Duration'],
    value: [256, null, 1500, 128, 3000],
    unit: [null, null, 'ns', null, 'ns'],
    text: [null, 'none', null, null, null],
    metric: ['b', 'c', 'd', 'b', 'd'],
  },
}

test('figures stand by section, with those of the other kernel beside them', () => {
  const [launch, speed] = detailSections(table, [0, 1, 2], [3, 4])
  assert.deepEqual(launch, {
    name: 'Launch',
    rows: [
      { name: 'Block Size', value: '256', exact: 'b', base: '128', more: 100 },
      { name: 'Cache', value: 'none', exact: 'c', base: '', more: null },
    ],
  })
  assert.deepEqual(speed?.rows, [{ name: 'Duration', value: '1.50 us', exact: 'd', base: '3.00 us', more: -50 }])
})

test('a figure is found by its name', () => {
  assert.equal(figureOf(table, [0, 2], 'Duration'), 1500)
  assert.equal(figureOf(table, [0, 1], 'Duration'), null)
})

test('what schedulers do is known where all of it is', () => {
  const label = [
    ...['Active Warps Per Scheduler', 'Eligible Warps Per Scheduler', 'Issued Warp Per Scheduler', 'No Eligible'],
  ]
  const data = { label, value: [13.2, 0.05, 0.03, 96.8] }
  assert.deepEqual(schedulerOf({ data }, [0, 1, 2, 3]), { active: 13.2, eligible: 0.05, issued: 0.03, none: 96.8 })
  assert.equal(schedulerOf({ data }, [0, 1, 2]), null)
})

test('values are shown in their unit', () => {
  const data = {
    value: [50, 2e9, 3e12, 2048, 1024, 0.5, 1e6],
    unit: ['%', 'hz', 'byte/s', 'byte', 'byte/block', null, 'inst'],
  }
  assert.deepEqual(
    data.value.map((_, row) => figureText({ data }, row)),
    ['50.0 %', '2.00 GHz', '3.00 TB/s', '2.00 KiB', '1.00 KiB', '0.50', '1,000,000'],
  )
})

test('a difference has a sign besides its number, and is none without a base', () => {
  assert.deepEqual(
    [12.5, -3, 0.01, 995.2, -100, 3100, null].map((one) => moreText(one)),
    ['▲ 12.5 %', '▼ 3.0 %', '=', '▲ 995 %', '▼ 100 %', '▲ 32×', ''],
  )
  assert.deepEqual([moreThan(3, 2), moreThan(3, 0), moreThan(null, 2), moreThan(2, null)], [50, null, null, null])
})

test('a figure of 0 in both kernels is the same', () => {
  assert.equal(moreText(moreThan(0, 0)), '=')
})
