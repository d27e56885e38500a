/** What the server says in English, said in Chinese, as far as `notes.zh.ts` and `checks.zh.ts` know it. */

import { CHECKS } from './checks.zh.ts'
import { NOTES } from './notes.zh.ts'
import { RANK_NOTES } from './notes_ranks.zh.ts'

/** Words inside the parts that `{0*}` stands for, where those are lists of shares. */
const LISTED: [string, string][] = [
  ['launch not recorded', '未记录启动'],
  ['backward of operators outside modules', '模块外算子的反向'],
  ['other code outside modules', '模块外的其他代码'],
  ['optimizer', '优化器'],
  ['communication of ready gradients', '就绪梯度的通信'],
  ['forward operators not recorded', '未记录的前向算子'],
  ['forward work done again', '重新执行的前向'],
  ['no usable start time', '没有可用的开始时间'],
  ['no usable duration', '没有可用的时长'],
  ['negative duration', '负时长'],
  [' in table ', ' 个在表 '],
  [', halved where given with sparsity', '，稀疏值已减半'],
  [', divided by the number of GPUs', '，除以 GPU 数'],
  [', memory ', '，显存 '],
  [' on rank ', ' 在 rank '],
  [' datasheets', ' 数据手册'],
  [' datasheet', ' 数据手册'],
  [' with ', ' 个'],
]

interface Pattern {
  matches: RegExp
  chinese: string
  /** Which parts are texts themselves. */
  inner: boolean[]
}

function compiled([english, chinese]: [string, string]): Pattern {
  const inner: boolean[] = []
  const source = english.split(/(\{\d[*#]?\})/).map((part) => {
    if (!/^\{\d[*#]?\}$/.test(part)) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    inner.push(part.includes('*'))
    if (part.includes('#')) return '([\\d.,]+)'
    return '((?:(?!; ).)+?)' // no part reaches over the end of a clause
  })
  return { matches: new RegExp(`^${source.join('')}$`), chinese: chinese.replaceAll('*}', '}'), inner }
}

const PATTERNS = [...NOTES, ...RANK_NOTES, ...CHECKS].map(compiled)

function whole(text: string): string | null {
  for (const { matches, chinese, inner } of PATTERNS) {
    const found = matches.exec(text)
    if (!found) continue
    const parts = found.slice(1).map((part, i) => (inner[i] ? partOf(part) : part))
    return chinese.replace(/\{(\d)\}/g, (_, i: string) => parts[Number(i)] ?? '')
  }
  return null
}

function partOf(text: string): string {
  return whole(text) ?? LISTED.reduce((done, [english, chinese]) => done.replaceAll(english, chinese), text)
}

/** A text of the server in Chinese: whole, or clause by clause; what is not known stays as it is. */
export function noteInChinese(text: string): string {
  const label = /^(rank \d+:? |no rows: )(.+)$/s.exec(text)
  if (label) return `${label[1] === 'no rows: ' ? '没有行：' : label[1]}${noteInChinese(label[2] ?? '')}`
  const all = whole(text)
  if (all !== null) return all
  const clauses = text.split('; ')
  if (clauses.length === 1) return text
  const said = clauses.map((clause) => whole(clause))
  return said.every((one) => one !== null) ? said.join('；') : text
}
