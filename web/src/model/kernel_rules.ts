/** The table `kernel_rules`: what rules say of a kernel, and which of that they say of the baseline, too. */

import { type Columns, numbersOf, textsOf } from './columns_of.ts'

export interface RuleSaid {
  row: number
  rule: string
  kind: string
  scope: string
  said: string
  speedup: number | null
  /** What the same rule says of the baseline; null where it says nothing. `other` is that in other words, else "". */
  base: { row: number; speedup: number | null; other: string } | null
}

export interface RulesBeside {
  own: RuleSaid[]
  /** What is said of the baseline alone. */
  gone: RuleSaid[]
  /** How many are of the kernel alone, and how many of both have other estimates. */
  added: number
  changed: number
}

/** Sentences of one rule are the same where they differ in numbers only. */
const wording = (said: string) =>
  said
    .replace(/\d[\d,.]*/g, '#')
    .replace(/\s+/g, ' ')
    .trim()

/** From this difference on two estimates are not the same, points. */
const DIFFERS = 0.05

/** A rule's sentences are paired by their words, then what is left of it if that is one of each kernel. */
export function rulesBeside(table: Columns, rows: number[], baseRows: number[]): RulesBeside {
  const [own, free] = [saidOf(table, rows), saidOf(table, baseRows)]
  const pair = (one: RuleSaid, at: number) => {
    const [other] = at < 0 ? [] : free.splice(at, 1)
    if (!other) return
    const isOther = wording(one.said) !== wording(other.said)
    one.base = { row: other.row, speedup: other.speedup, other: isOther ? other.said : '' }
  }
  for (const one of own)
    pair(
      one,
      free.findIndex((other) => isOf(one)(other) && wording(other.said) === wording(one.said)),
    )
  for (const one of own.filter((each) => each.base === null)) {
    const isAlone = own.filter((each) => each.base === null && isOf(one)(each)).length === 1
    if (isAlone && free.filter(isOf(one)).length === 1) pair(one, free.findIndex(isOf(one)))
  }
  const differs = (one: RuleSaid) =>
    one.base !== null &&
    ((one.speedup === null) !== (one.base.speedup === null) ||
      Math.abs((one.speedup ?? 0) - (one.base.speedup ?? 0)) >= DIFFERS)
  return {
    own,
    gone: free,
    added: own.filter((one) => one.base === null).length,
    changed: own.filter(differs).length,
  }
}

const isOf = (one: RuleSaid) => (other: RuleSaid) => other.rule === one.rule && other.kind === one.kind

function saidOf(table: Columns, rows: number[]): RuleSaid[] {
  const [rules, kinds, scopes, messages] = ['rule', 'kind', 'scope', 'message'].map((one) => textsOf(table, one))
  const speedups = numbersOf(table, 'estimated_speedup_pct')
  return rows.map((row) => ({
    row,
    rule: rules?.[row] ?? '',
    kind: kinds?.[row] ?? '',
    scope: scopes?.[row] ?? '',
    said: messages?.[row] ?? '',
    speedup: speedups[row] ?? null,
    base: null,
  }))
}
