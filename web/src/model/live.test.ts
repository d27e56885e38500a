import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LiveProcess, LiveWindow } from '../api/live.ts'
import { agoText, counterPicture, isNewPace, paceLoss, silence, stepAt, stepPicture, windowSpans } from './live.ts'

const PROCESS: LiveProcess = {
  rank: null,
  pid: 7,
  host: 'node7',
  steps: 1204,
  steps_are: 'optimizer',
  on_demand: true,
  next: null,
  recording: null,
  state: 'waiting',
  age_ms: 100,
  mean_ns: 12e6,
  pace_ns: 12e6,
  best_ns: 10e6,
}

test('the loss of pace is against the best 100 steps, once there were so many', () => {
  assert.ok(Math.abs((paceLoss(PROCESS) ?? 0) - 20) < 1e-9)
  assert.equal(paceLoss({ ...PROCESS, pace_ns: null, best_ns: null }), null)
})

test('silence is what lasts longer than five seconds and five steps', () => {
  assert.equal(silence({ ...PROCESS, age_ms: 4999 }), null)
  assert.equal(silence({ ...PROCESS, age_ms: 6000 }), 6000)
  assert.equal(silence({ ...PROCESS, age_ms: 6000, pace_ns: 2e9 }), null)
  assert.equal(silence({ ...PROCESS, age_ms: 6000, state: 'lost' }), null)
})

test('a job that records is silent for the window, and while the profiler stops', () => {
  const recording: LiveProcess = { ...PROCESS, state: 'recording', recording: [10, 15], pace_ns: 2e9 }
  assert.equal(silence({ ...recording, age_ms: 60_000 }), null)
  assert.equal(silence({ ...recording, age_ms: 90_000 }), 90_000)
})

test('a time ago in one unit', () => {
  assert.deepEqual([400, 42_000, 600_000, 3 * 3_600_000].map(agoText), ['0 s', '42 s', '10 min', '3 h'])
})

test('an outlier is cut off and does not flatten the others', () => {
  const times = [...Array<number>(99).fill(100), 5000]
  const picture = stepPicture(times, 1204, 600, 64)
  assert.ok(Math.abs(picture.top - 110) < 1e-9)
  assert.equal(picture.longer, 1)
  assert.equal(picture.first, 1104)
  assert.equal(picture.bars.split('M').length - 1, 100)
})

test('few steps have bars of 24 px at most', () => {
  assert.equal(stepPicture([1, 2], 2, 600, 64).pitch, 24)
  assert.equal(stepPicture([], 0, 600, 64).bars, '')
})

const window = (first: number, last: number): LiveWindow => ({
  first_step: first,
  last_step: last,
  slowdown: 1.3,
  closed: 'end',
  problem: '',
  files: [],
  whole: true,
  gone: false,
  run: null,
})

test('a window lies under its steps, and leaves the picture with them', () => {
  const picture = stepPicture(Array<number>(100).fill(1), 200, 1000, 64)
  assert.deepEqual(windowSpans(picture, 100, [window(50, 55), window(98, 103), window(150, 155)]), [
    { number: 2, x: 0, width: 40 },
    { number: 3, x: 500, width: 60 },
  ])
})

test('the step under the pointer', () => {
  const picture = stepPicture(Array<number>(100).fill(1), 200, 1000, 64)
  assert.deepEqual(
    [-1, 0, 999, 1000].map((x) => stepAt(picture, 100, x)),
    [null, 0, 99, null],
  )
})

test('a counter over the last minute, the newest sample at the right', () => {
  const picture = counterPicture(
    { name: 'gpu3.gpu_util_pct', values: [0, 50, 100], before_ms: [60000, 30000, 0] },
    600,
    64,
  )
  assert.deepEqual([picture.gpu, picture.key, picture.unit, picture.last], [3, 'gpu_util_pct', '%', 100])
  assert.equal(picture.path, 'M0 63L300 32L600 1')
  const cores = counterPicture({ name: 'tree.cpu_pct', values: [800], before_ms: [0] }, 600, 64)
  assert.deepEqual([cores.gpu, cores.most], [null, 800])
})

test('only a pace that is a tenth off is told again', () => {
  assert.ok(isNewPace({ pace: null, windows: 0 }, 100))
  assert.ok(!isNewPace({ pace: 100, windows: 0 }, 109))
  assert.ok(isNewPace({ pace: 100, windows: 0 }, 111))
  assert.ok(!isNewPace({ pace: 100, windows: 0 }, null))
})
