/** Colours as the bitmap takes them: numbers, made once for each theme. */

import { KINDS } from '../api/timeline.ts'
import { channels, colour, idleColour, inkOn, meaningOf, mix, shadeOf, type Theme } from '../model/colours.ts'

/** Shades of a kind that differ; `shade` of a cell is taken modulo this. */
export const SHADES = 8
const IDLE = KINDS.indexOf('idle')

export interface Palette {
  theme: Theme
  /** By kind * SHADES + shade, as 0x00BBGGRR. */
  colours: Uint32Array
  /** The same for what is not highlighted. */
  dimmed: Uint32Array
  /** Colour of a text on it, by the same index. */
  inks: string[]
  idleKind: number
  back: string
  row: string
  line: string
  strongLine: string
  text: string
  quiet: string
  accent: string
  path: string
  sim: string
  warning: string
  band: string
}

export function packed(colour: string): number {
  const [r, g, b] = channels(colour)
  return (b << 16) | (g << 8) | r
}

/** A variable of the theme, as `theme.css` has it. */
function variable(name: string, instead: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  return /^#[0-9a-f]{6}$/i.test(value) ? value : instead
}

export function paletteOf(theme: Theme): Palette {
  const dark = theme === 'dark'
  const back = variable('--back', dark ? '#14171b' : '#ffffff')
  const colours: string[] = []
  for (const kind of KINDS)
    for (let shade = 0; shade < SHADES; shade++)
      colours.push(kind === 'idle' ? colour('idle', theme) : shadeOf(meaningOf(kind), shade, theme))
  return {
    theme,
    colours: Uint32Array.from(colours, packed),
    dimmed: Uint32Array.from(colours, (one) => packed(mix(back, one, 0.16))),
    inks: colours.map(inkOn),
    idleKind: IDLE,
    back,
    row: variable('--raised', dark ? '#1c2025' : '#f6f7f9'),
    line: variable('--line', dark ? '#30363e' : '#dfe3e8'),
    strongLine: mix(back, variable('--text', '#888888'), 0.24),
    text: variable('--text', dark ? '#e4e8ec' : '#1b2026'),
    quiet: variable('--quiet', '#808080'),
    accent: variable('--accent', '#0063a8'),
    path: variable('--path', dark ? '#e4e8ec' : '#1b2026'),
    sim: variable('--sim', '#0063a8'),
    warning: colour('warning', theme),
    band: colour('compute', theme),
  }
}

/** The colour of idle time by its cause, with the index of no shade: causes are few. */
export function idlePacked(cause: string, theme: Theme): number {
  return packed(idleColour(cause, theme))
}
