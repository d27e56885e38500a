import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { askTogether } from './together.ts'

test.beforeEach((context) => (context as TestContext).mock.timers.enable({ apis: ['setTimeout'] }))

test('answers to one change are shown together, once the last that shows an older one is there', () => {
  const shown: string[] = []
  const [first, second, fresh] = [askTogether(true), askTogether(true), askTogether(false)]
  fresh.show(() => shown.push('fresh'))
  first.show(() => shown.push('first'))
  assert.equal(shown.length, 0)
  second.show(() => shown.push('second'))
  assert.deepEqual(shown, ['fresh', 'first', 'second'])
})

test('what is not awaited any more keeps nobody waiting, nor does another change', async () => {
  const shown: string[] = []
  const [first, second] = [askTogether(true), askTogether(true)]
  first.show(() => shown.push('first'))
  await Promise.resolve()
  askTogether(true).show(() => shown.push('later'))
  assert.deepEqual(shown, ['later'])
  second.leave()
  assert.deepEqual(shown, ['later', 'first'])
})

test('one answer that takes long does not hold the others for ever', (context) => {
  const shown: string[] = []
  const [first, second] = [askTogether(true), askTogether(true)]
  first.show(() => shown.push('first'))
  context.mock.timers.tick(9999)
  assert.equal(shown.length, 0)
  context.mock.timers.tick(1)
  assert.deepEqual(shown, ['first'])
  second.show(() => shown.push('second'))
  assert.deepEqual(shown, ['first', 'second'])
})

test('on a page that is new, each answer is shown as it comes', () => {
  const shown: string[] = []
  const [first] = [askTogether(false), askTogether(false)]
  first.show(() => shown.push('first'))
  assert.deepEqual(shown, ['first'])
})
