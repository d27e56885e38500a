import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OneAtATime } from './one_at_a_time.ts'

const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
}

/** What was asked, and the way to answer the oldest question. */
function asked(pauseMs: number) {
  const questions: string[] = []
  const answers: (() => void)[] = []
  const asking = new OneAtATime((question: string) => {
    questions.push(question)
    return new Promise<void>((done) => answers.push(done))
  }, pauseMs)
  return { questions, asking, answer: () => answers.shift()?.() }
}

test('only the last of several wishes is asked, after the pause', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { questions, asking } = asked(200)
  asking.want('a')
  context.mock.timers.tick(199)
  asking.want('b')
  context.mock.timers.tick(199)
  assert.deepEqual(questions, [])
  context.mock.timers.tick(1)
  assert.deepEqual(questions, ['b'])
})

test('nothing is asked beside another question, and then the newest', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { questions, asking, answer } = asked(10)
  asking.want('a')
  context.mock.timers.tick(10)
  asking.want('b')
  context.mock.timers.tick(10)
  asking.want('c')
  context.mock.timers.tick(10)
  assert.deepEqual(questions, ['a'])
  answer()
  await turns()
  assert.deepEqual(questions, ['a', 'c'])
})

test('what is forgotten is not asked', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { questions, asking, answer } = asked(10)
  asking.want('a')
  asking.forget()
  context.mock.timers.tick(10)
  assert.deepEqual(questions, [])
  asking.want('b')
  context.mock.timers.tick(10)
  asking.want('c')
  asking.forget()
  answer()
  await turns()
  assert.deepEqual(questions, ['b'])
})
