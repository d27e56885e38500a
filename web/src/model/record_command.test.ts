import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  attachCommand,
  codeOf,
  launchCommand,
  quoted,
  questionsOf,
  ranksOf,
  usual,
  type Wishes,
} from './record_command.ts'

const BASE = usual('/runs')
const answered = (changed: Partial<Wishes['answers']>): Wishes => ({
  ...BASE,
  answers: { ...BASE.answers, ...changed },
})

test('nothing that is usual stands in the command', () => {
  assert.equal(launchCommand(BASE), 'stepscope record --out /runs/job1 -- python train.py')
})

test('each answer is an option', () => {
  const all = { memory: true, history: true, telemetry: true, two_pass: true }
  assert.equal(
    launchCommand({ ...answered(all), when: 'demand', ranks: '0, 7', command: 'torchrun train.py' }),
    'stepscope record --on-demand --with shapes,stack,memory --two-pass --memory-history --telemetry 10 ' +
      '--ranks 0,7 --out /runs/job1 -- torchrun train.py',
  )
  assert.match(launchCommand(answered({ stack: false, shapes: false })), / --with none /)
  assert.match(launchCommand({ ...BASE, when: 'early' }), / --preset early /)
})

test('a folder with spaces or quotes is one word of the shell', () => {
  assert.equal(quoted("/my runs/it's"), `'/my runs/it'"'"'s'`)
  assert.equal(quoted('$(reboot)'), "'$(reboot)'")
  assert.equal(quoted('/a/b-1.c'), '/a/b-1.c')
})

test('ranks that are not numbers are no option', () => {
  assert.deepEqual([ranksOf(''), ranksOf('0,7'), ranksOf('0-7'), ranksOf('0,')], [[], [0, 7], null, null])
  assert.doesNotMatch(launchCommand({ ...BASE, ranks: '0; reboot' }), /reboot/)
})

test('a process is attached to by its number', () => {
  assert.equal(attachCommand({ ...BASE, pid: ' 42 ' }), 'stepscope attach --out /runs/job1 42')
  assert.equal(attachCommand({ ...BASE, pid: '$(x)', folder: '' }), 'stepscope attach PID')
})

test('code says the same with the names of Python', () => {
  const code = codeOf({ ...answered({ stack: false, two_pass: true, telemetry: true }), when: 'early', ranks: '0' })
  assert.match(
    code,
    /stepscope\.profile\("\/runs\/job1", preset="early", records=\("shapes",\), two_pass=True, ranks=\[0\]\) as p:/,
  )
  assert.match(codeOf(answered({ stack: false, shapes: false })), /records=\(\)/)
  assert.ok(!questionsOf('code').includes('telemetry'))
})
