import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paintRuler } from './ruler.ts'

test('a moment whose text begins left of the ruler has none: "-20 ms" read "0 ms" there', () => {
  const texts: string[] = []
  const context = {
    setTransform: () => undefined,
    fillRect: () => undefined,
    measureText: (text: string) => ({ width: 6 * text.length }),
    fillText: (text: string) => texts.push(text),
  } as unknown as CanvasRenderingContext2D
  const scene = { view: { start: -18, end: 60, width: 780 }, ratio: 1, steps: [], chosen: null, area: null, marks: [] }
  const ticks = [-20, 0, 20].map((at) => ({ at, text: `${at} ms`, major: true }))
  const palette = {} as Parameters<typeof paintRuler>[1]['palette']
  paintRuler(context, { ...scene, palette, scale: { ticks, base: 0, baseText: '' }, pointer: null, stepWord: 'step' })
  assert.deepEqual(texts, ['0 ms', '20 ms'])
})
