import assert from 'node:assert/strict'
import { test } from 'node:test'
import { en } from './en.ts'
import { counted, noun, rangeEn, rangeZh } from './plural.ts'
import { zh } from './zh.ts'

test('a number stands with the form of its noun, and with separators', () => {
  assert.equal(counted(0, 'row'), '0 rows')
  assert.equal(counted(1, 'row'), '1 row')
  assert.equal(counted('1', 'row'), '1 row')
  assert.equal(counted(9999, 'step'), '9,999 steps')
  assert.equal(counted('1,001', 'row'), '1,001 rows')
  assert.equal(counted('1.84 k', 'row'), '1.84 k rows')
  assert.equal(noun(1, 'entry', 'entries'), 'entry')
})

test('fewer ranks are advised of several only', () => {
  // "fewer steps or ranks show the others" stood over a table of one rank.
  assert.equal(en.table.cutHow(true, true), '; fewer steps or ranks show the others')
  assert.equal(en.table.cutHow(true, false), '; fewer steps show the others')
  assert.equal(en.table.cutHow(false, false), '')
  assert.equal(zh.table.cutHow(true, true), '；选择较少的迭代或 rank 可看到其余')
  assert.equal(zh.table.cutHow(false, true), '；选择较少的 rank 可看到其余')
})

test('one thing is never several, many things have separators', () => {
  // "median of 9999 steps", "1 rows", "1 events" stood on the pages.
  assert.equal(en.verdict.median(9999), 'median of 9,999 steps')
  assert.equal(zh.verdict.median(9999), '9,999 次迭代的中位数')
  assert.equal(en.verdict.mean(2), 'mean of 2 steps')
  assert.equal(zh.verdict.mean(2), '2 次迭代的平均值')
  assert.equal(en.table.rows('1', '1'), '1 row')
  assert.equal(en.table.rows('0', '1'), '0 of 1 row')
  assert.equal(en.timeline.track.events('1'), '1 event')
  assert.equal(en.timeline.track.depths(1), '1 row')
  assert.equal(en.timeline.details.children('1'), '1 event directly within it')
  assert.equal(en.details.calls('1'), '1 call')
  assert.equal(en.health.found(1, 2), '1 error, 2 warnings in the recording')
  assert.equal(en.health.fine(1), 'The one check passed.')
  assert.equal(en.health.moreRanks(1), 'and 1 more rank with other results')
  assert.equal(en.timeline.units['launches']?.('1'), '1 launch')
  assert.equal(en.operatorsPage.rest(1), '1 other')
  assert.equal(en.chart.steps.longestOf(2), 'Each bar is the longest of 2 steps.')
})

test('a range whose ends are printed alike is one number', () => {
  assert.deepEqual([rangeEn('0.6 %', '0.6 %'), rangeZh('0.6 %', '0.6 %')], ['0.6 %', '0.6 %'])
  assert.deepEqual([rangeEn('0.6', '2'), rangeZh('0.6', '2')], ['0.6 to 2', '0.6 至 2'])
  assert.equal(en.whatIf.saves('5 ms', '1.2', '1.2', '1.2'), 'Saves ~5 ms, 1.2 % (1.2 %).')
  assert.equal(zh.findings.range('0.6', '0.6'), '0.6 %')
})

test('a change with a name is called so, others as they are written', () => {
  const [change, name] = ['no-data-wait', en.whatIf.kinds['no-data-wait'] ?? '']
  assert.equal(en.timeline.path.shortened(change, name), 'Try “The next batch is always ready” in What if.')
  assert.equal(en.timeline.path.shortened('kernel:gemm x0.5', 'kernel:gemm x0.5'), 'Try kernel:gemm x0.5 in What if.')
  assert.equal(zh.timeline.path.shortened('no-sync', '不与 GPU 同步'), '可在“假设分析”中试“不与 GPU 同步”。')
})
