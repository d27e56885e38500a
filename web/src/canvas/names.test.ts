import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Names } from './names.ts'

const turn = () => new Promise((done) => setTimeout(done, 0))

test('a name that nothing drawn shows is fetched as well', async () => {
  // The tip of an event too narrow for its name said "…" for ever: only drawing asked for names.
  let arrivals = 0
  const asked: number[][] = []
  const fetch = (codes: number[]) => {
    asked.push(codes)
    return Promise.resolve(new Map(codes.map((code) => [code, `name ${code}`])))
  }
  const names = new Names(fetch, () => arrivals++)
  assert.equal(names.get(7), undefined)
  assert.equal(names.get(8), undefined)
  await turn()
  assert.deepEqual([names.get(7), names.get(8), arrivals], ['name 7', 'name 8', 1])
  assert.deepEqual(asked, [[7, 8]], 'what is missing at once is asked for at once')
})
