/**
 * C++ names short enough for a table: without what everybody knows, and with folded templates, `gemm<…>`.
 *
 * Names that would look the same after that show where they differ: `gemm<…128, 64…>`.
 */

import { visible } from './names.ts'

const NOISE =
  /\(anonymous namespace\)::|\b(?:static |inline )?void (?=[\w:(])|\bat::native::|\bat::|\bc10::|\bstd::|\bcutlass::\w+::(?=\w)/g
/** Between kernels, not between the sides of a copy: `Memcpy HtoD (Pageable -> Device)`. */
const ARROW = / -> (?![^()]*\))/
const OPENS: Record<string, string> = { '<': '>', '(': ')', '[': ']', '{': '}' }

/** Where the bracket that opens at `open` closes; the text's end when it does not. */
function closing(text: string, open: number): number {
  const waiting: string[] = []
  for (let i = open; i < text.length; i++) {
    const sign = text[i] ?? ''
    const partner = OPENS[sign]
    if (partner) waiting.push(partner)
    // `->` and `>=` close nothing, and neither does a sign that nothing opened.
    else if (sign === waiting.at(-1) && text[i - 1] !== '-') {
      waiting.pop()
      if (waiting.length === 0) return i
    }
  }
  return text.length
}

interface Folded {
  /** Parts outside templates; between two of them stands what was folded. */
  outside: string[]
  inside: string[]
}

function split(name: string): Folded {
  const folded: Folded = { outside: [''], inside: [] }
  const add = (text: string) => (folded.outside[folded.outside.length - 1] += text)
  for (let i = 0; i < name.length; i++) {
    const sign = name[i] ?? ''
    if (sign === '<' && /[\w]/.test(name[i - 1] ?? '')) {
      const end = closing(name, i)
      folded.inside.push(name.slice(i + 1, end))
      folded.outside.push('')
      i = end
    } else add(sign)
  }
  return folded
}

/** Whether a name is long C++: `gemm<float>` and `void norm(int)`, but neither `<module>` nor `a < b`. */
export function folds(name: string): boolean {
  return /\w<[^<=]|^void [\w:(]/.test(name)
}

/** Wrappers around what says something: `cutlass::Kernel2<cutlass_80_simt_sgemm_128x32_nn>` is one of those. */
const WRAPPED = /^(?:\w+::)*Kernel2?<(\w+)>$/

/** A name without return type, well-known namespaces and parameters. */
function bare(name: string): string {
  const text = name.replace(NOISE, '')
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] ?? ''
    if (sign === '(' && i > 0 && /^(?: const)?(?: \[.*\])?$/.test(text.slice(closing(text, i) + 1)))
      return unwrapped(text.slice(0, i).trimEnd())
    if (OPENS[sign]) i = closing(text, i)
  }
  return unwrapped(text)
}

const unwrapped = (text: string): string => WRAPPED.exec(text)?.[1] ?? text

/** A name with each of its templates folded: `gemm<…>`; of kernels in a row, each. Without any it is left as it is. */
export function foldName(name: string): string {
  if (!folds(name)) return visible(name)
  const kernels = name.split(ARROW).map((one) => (folds(one) ? split(bare(one)).outside.join('<…>') || one : one))
  return visible(kernels.join(' -> '))
}

const ROOM = 28

/** Names folded, so that different names look different. The answer has an entry for each distinct name. */
export function foldNames(names: Iterable<string>): Map<string, string> {
  const groups = new Map<string, Set<string>>()
  for (const name of names) {
    const folded = foldName(name)
    const group = groups.get(folded)
    if (group) group.add(name)
    else groups.set(folded, new Set([name]))
  }
  const found = new Map<string, string>()
  for (const [folded, group] of groups) {
    if (group.size === 1) for (const name of group) found.set(name, folded)
    else for (const [name, apart] of toldApart(folded, [...group])) found.set(name, apart)
  }
  return found
}

/** Names with one fold: each with what it has between the beginning and the end that all of them share. */
function toldApart(folded: string, group: string[]): [string, string][] {
  const insides = group.map((name) => split(bare(name)).inside.join('; '))
  const first = insides[0] ?? ''
  const head = Math.min(...insides.map((text) => shared(text, first)))
  const left = insides.map((text) => text.slice(head))
  const tail = Math.min(...left.map((text) => sharedEnd(text, left[0] ?? '')))
  const taken = new Map<string, number>()
  return group.map((name, i) => {
    const whole = left[i] ?? ''
    const middle = whole.slice(0, whole.length - tail)
    const text = middle.length > ROOM ? `${middle.slice(0, ROOM - 9)}…${middle.slice(-8)}` : middle
    const shown = folded.includes('<…>')
      ? folded.replace('<…>', () => `<…${text}${tail > 0 ? '…' : ''}>`)
      : `${folded} ${text}`
    const before = taken.get(shown) ?? 0
    taken.set(shown, before + 1)
    return [name, before === 0 ? shown : `${shown} ~${before + 1}`]
  })
}

/** Length of the beginning that two texts share, not cutting a word or number: 128 and 192 differ as a whole. */
function shared(a: string, b: string): number {
  let i = 0
  while (i < a.length && i < b.length && a[i] === b[i]) i++
  if (i === a.length && i === b.length) return i
  while (i > 0 && /\w/.test(a[i - 1] ?? '')) i--
  return i
}

function sharedEnd(a: string, b: string): number {
  let i = 0
  while (i < a.length && i < b.length && a[a.length - 1 - i] === b[b.length - 1 - i]) i++
  if (i === a.length && i === b.length) return i
  while (i > 0 && /\w/.test(a[a.length - i] ?? '')) i--
  return i
}
