import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesText, endOf, fixedText, flopsText, middleCut, percentText, rateText, timeText } from './format.ts'

test('times have three digits and the unit that fits', () => {
  assert.deepEqual([31_542_513, 980, null, -616_112, 999_600].map(timeText), [
    '31.5 ms',
    '980 ns',
    '–',
    '-616 us',
    '1.00 ms',
  ])
})

test('sizes, counts and rates scale with their own steps', () => {
  assert.equal(bytesText(1536), '1.50 KiB')
  assert.equal(flopsText(193_350_205_440), '193 G')
  assert.equal(rateText(4.8e12, 'B/s'), '4.80 TB/s')
  assert.equal(rateText(0, 'FLOP/s'), '0 FLOP/s')
})

test('halfway, the even digit stands, as on the command line', () => {
  // Python: [f"{v:.2f}" for v in (4.125, 4.375, 0.125, -0.375, 1.005, 2.675)]
  assert.deepEqual(
    [4.125, 4.375, 0.125, -0.375, 1.005, 2.675].map((value) => fixedText(value, 2)),
    ['4.12', '4.38', '0.12', '-0.38', '1.00', '2.67'],
  )
  assert.deepEqual(
    [0.5, 1.5, 2.5, 7].map((value) => fixedText(value, 0)),
    ['0', '2', '2', '7'],
  )
  assert.equal(bytesText(12.25 * 2 ** 20), '12.2 MiB')
})

test('a share that is not quite nothing or everything does not read so', () => {
  assert.deepEqual([12.34, 0.01, 99.99, 100, 0].map(percentText), ['12.3 %', '<0.1 %', '>99.9 %', '100 %', '0 %'])
})

test('names are cut in the middle', () => {
  assert.equal(middleCut('abcdefghij', 7), 'abc…hij')
})

test('the end of a cut text begins with a whole word', () => {
  // Of "in 20 more kernels" the page on ranks showed "…0 more kernels".
  const detail = 'aten::mm (nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_NNT) in 20 more kernels'
  assert.equal(detail.slice(endOf(detail, 14, 10)), '20 more kernels')
  assert.equal(middleCut(detail, 31), 'aten::mm (nvjet…20 more kernels')
  assert.equal(middleCut('takes 12345.678 ms', 13), 'takes 123… ms')
  assert.equal(middleCut('kernel_of_one_longwordwithoutanyend', 21), 'kernel_of_…houtanyend')
  assert.equal(endOf('00000000001234567890', 6), 20)
})
