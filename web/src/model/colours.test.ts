import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { channels, colour, contrast, inkOn, type Meaning, MEANINGS, shadeOf, type Theme } from './colours.ts'

const THEMES: Theme[] = ['light', 'dark']
const CSS = readFileSync(new URL('../theme.css', import.meta.url), 'utf8')

/** Colours of a theme as theme.css gives them. */
function variables(theme: Theme): Record<string, string> {
  const block = new RegExp(`:root\\[data-theme='${theme}'\\] \\{([^}]*)\\}`).exec(CSS)?.[1] ?? ''
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((found) => [found[1], found[2]]))
}

type Triple = [number, number, number]

/** Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB. */
const SIGHTS: Record<string, [Triple, Triple, Triple]> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
}

const dot = (row: Triple, [r, g, b]: Triple) => row[0] * r + row[1] * g + row[2] * b

/** CIE L*a*b* (D65) of a colour as somebody sees it. */
function lab(hex: string, sight: string): Triple {
  const linear = channels(hex).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Triple
  const seen = (SIGHTS[sight] ?? []).map((row) => Math.min(1, Math.max(0, dot(row, linear)))) as Triple
  const x = dot([0.4124, 0.3576, 0.1805], seen) / 0.95047
  const y = dot([0.2126, 0.7152, 0.0722], seen)
  const z = dot([0.0193, 0.1192, 0.9505], seen) / 1.08883
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)
  return [116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))]
}

function distance(one: string, other: string, sight: string): number {
  const [a, b] = [lab(one, sight), lab(other, sight)]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

/** Closest pairs of some meanings, of all kinds of sight. */
function closest(meanings: readonly Meaning[], theme: Theme): [number, string][] {
  const pairs = meanings.flatMap((one, i) => meanings.slice(i + 1).map((other) => [one, other] as const))
  return Object.keys(SIGHTS)
    .flatMap((sight) =>
      pairs.map(([one, other]): [number, string] => [
        distance(colour(one, theme), colour(other, theme), sight),
        `${theme} ${sight}: ${one} and ${other}`,
      ]),
    )
    .sort((a, b) => a[0] - b[0])
}

/** What stands side by side in the strip and in charts of steps. */
const PARTS: Meaning[] = ['compute', 'communication', 'memory', 'data_loading', 'host', 'idle']

test('parts of a step differ by far for any kind of sight', () => {
  for (const theme of THEMES) {
    const [least, pair] = closest(PARTS, theme)[0] ?? [0, '']
    assert.ok(least >= 15, `${pair}: ${least.toFixed(1)}`)
  }
})

test('all meanings differ visibly for any kind of sight', () => {
  for (const theme of THEMES) {
    const [least, pair] = closest(MEANINGS, theme)[0] ?? [0, '']
    assert.ok(least >= 10, `${pair}: ${least.toFixed(1)}`)
  }
})

test('texts read on every ground they stand on', () => {
  for (const theme of THEMES) {
    const values = variables(theme)
    for (const ink of ['text', 'quiet', 'faint', 'accent'])
      for (const ground of ['back', 'raised', 'hover', 'chosen']) {
        if (ink === 'faint' && ground === 'chosen') continue // what is missing is never chosen
        const ratio = contrast(values[ink] ?? '', values[ground] ?? '')
        assert.ok(ratio >= 4.5, `${theme}: ${ink} on ${ground} ${ratio.toFixed(2)}`)
      }
    assert.ok(contrast(values['on-accent'] ?? '', values['accent'] ?? '') >= 4.5, `${theme}: on-accent`)
    assert.ok(contrast(colour('warning', theme), values['back'] ?? '') >= 4.5, `${theme}: warning`)
  }
})

/** Idle is what is not there and stays in the background; a yellow with more contrast on white is brown. */
const MARKS: Partial<Record<Meaning, number>> = { idle: 1.9, data_loading: 1.9 }

test('marks of a meaning stand out from the page, and the ink on them reads', () => {
  for (const theme of THEMES)
    for (const meaning of MEANINGS) {
      const ground = variables(theme)['back'] ?? ''
      const least = MARKS[meaning] ?? 3
      assert.ok(contrast(colour(meaning, theme), ground) >= least, `${theme} ${meaning}`)
      for (let shade = 0; shade < 8; shade++) {
        const tint = shadeOf(meaning, shade, theme)
        assert.ok(contrast(inkOn(tint), tint) >= 4.5, `${theme} ${meaning} ${shade}`)
      }
    }
})

// Kernels next to each other had black and white names, as their shades lay on either side of where both read alike.
test('the ink on all shades of a meaning is the same, and the shades differ', () => {
  for (const theme of THEMES)
    for (const meaning of MEANINGS) {
      const shades = [0, 1, 2, 3, 4, 5, 6, 7].map((shade) => shadeOf(meaning, shade, theme))
      assert.equal(new Set(shades.map(inkOn)).size, 1, `${theme} ${meaning}`)
      assert.equal(new Set(shades).size, 8)
      assert.equal(inkOn(shades[0] ?? ''), inkOn(colour(meaning, theme)))
    }
})
