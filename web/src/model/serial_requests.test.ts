import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SerialRequests } from './serial_requests.ts'

const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
}

/** What was asked, and the way to answer the oldest question. */
function asked(pauseMs: number) {
  const questions: string[] = []
  const answers: (() => void)[] = []
  const requests = new SerialRequests((question: string) => {
    questions.push(question)
    return new Promise<void>((done) => answers.push(done))
  }, pauseMs)
  return { questions, requests, answer: () => answers.shift()?.() }
}

test('only the last of several wishes is asked, after the pause', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { questions, requests } = asked(200)
  requests.want('a')
  context.mock.timers.tick(199)
  requests.want('b')
  context.mock.timers.tick(199)
  assert.deepEqual(questions, [])
  context.mock.timers.tick(1)
  assert.deepEqual(questions, ['b'])
})

test('nothing is asked beside another question, and then the newest', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { questions, requests, answer } = asked(10)
  requests.want('a')
  context.mock.timers.tick(10)
  requests.want('b')
  context.mock.timers.tick(10)
  requests.want('c')
  context.mock.timers.tick(10)
  assert.deepEqual(questions, ['a'])
  answer()
  await turns()
  assert.deepEqual(questions, ['a', 'c'])
})

test('what is forgotten is not asked', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { questions, requests, answer } = asked(10)
  requests.want('a')
  requests.forget()
  context.mock.timers.tick(10)
  assert.deepEqual(questions, [])
  requests.want('b')
  context.mock.timers.tick(10)
  requests.want('c')
  requests.forget()
  answer()
  await turns()
  assert.deepEqual(questions, ['b'])
})
