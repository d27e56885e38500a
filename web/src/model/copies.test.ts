import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TableData } from '../api/types.ts'
import { commandOf, csvOf, markdownOf } from './copies.ts'
import { type Named, parseFilter } from './filtering.ts'
import { parseSort } from './sorting.ts'

const DATA: TableData = {
  table: 'idle',
  by: '',
  source: false,
  total: 3,
  columns: [
    { name: 'name', type: 'text', moment: false, description: '' },
    { name: 'start_ns', type: 'int', moment: true, description: '' },
    { name: 'share_pct', type: 'float', moment: false, description: '' },
  ],
  data: { name: ['a,"b"', '=1+1', 'x|y\n<img>'], start_ns: [5, 0, null], share_pct: [12.5, -1, null] },
  origin_ns: '1700000000000000001',
  notes: [],
  command: 'stepscope show idle run.json',
}
const NAMES = ['name', 'start_ns', 'share_pct']

test('CSV holds exact values, quotes what needs it, and no text that a spreadsheet would run', () => {
  assert.equal(
    csvOf(DATA, [0, 1, 2], NAMES),
    'name,start_ns,share_pct\r\n"a,""b""",1700000000000000006,12.5\r\n' +
      '\'=1+1,1700000000000000001,-1\r\n"x|y\n<img>",,\r\n',
  )
})

test('Markdown keeps its columns whatever a name holds', () => {
  assert.equal(
    markdownOf(DATA, [2, 0], ['name', 'share_pct']),
    '| name | share\\_pct |\n| --- | ---: |\n| x\\|y \\<img> |  |\n| a,"b" | 12.5 |\n',
  )
})

test('the command gives the same rows', () => {
  const columns: Named[] = DATA.columns.map((one) => ({ ...one, title: one.name }))
  const filter = parseFilter("it's start > 1us share<=5", columns)
  assert.equal(
    commandOf(DATA, parseSort('-share_pct,name'), filter, ['name', 'share_pct']),
    'stepscope show idle run.json --where \'"start_ns" > 1700000000000001001 AND "share_pct" <= 5 AND ' +
      `("name" ILIKE '\\''%it'\\'''\\''s%'\\'')' --sort -share_pct --columns name,share_pct`,
  )
  assert.equal(commandOf(DATA, [], null, NAMES), DATA.command)
})

test('a command has one condition, which holds all of them', () => {
  const filter = parseFilter(
    'share<=5',
    DATA.columns.map((one) => ({ ...one, title: one.name })),
  )
  const known = { ...DATA, command: `stepscope show idle run.json --where 'name = '"'"'a b'"'"'' --limit 0` }
  assert.equal(
    commandOf(known, [], filter, NAMES, 'rank = 0'),
    `stepscope show idle run.json --where '(name = '\\''a b'\\'') AND rank = 0 AND "share_pct" <= 5' --limit 0`,
  )
  assert.equal(commandOf(DATA, [], null, NAMES, 'rank = 0'), `${DATA.command} --where 'rank = 0'`)
})

test('words shown in place of values become the values in a command', () => {
  const column = (name: string) => ({ name, type: 'text' as const, moment: false, description: '' })
  const table = { ...DATA, columns: [column('name'), column('cause')], data: { name: ['a'], cause: ['host_late'] } }
  const columns: Named[] = table.columns.map((one) => ({ ...one, title: one.name }))
  const said = { cause: { host_late: '主机过晚', sync: '主机同步', unknown: '未知' } }
  const command = (text: string) => commandOf(table, [], parseFilter(text, columns), ['name', 'cause'], '', said)
  assert.equal(
    command('cause = 主机过晚'),
    `${DATA.command} --where 'LOWER("cause") IN ('\\''host_late'\\'', '\\''主机过晚'\\'')'`,
  )
  assert.equal(
    command('主机'),
    `${DATA.command} --where '("name" ILIKE '\\''%主机%'\\'' OR ("cause" ILIKE '\\''%主机%'\\'' OR ` +
      `"cause" IN ('\\''host_late'\\'', '\\''sync'\\'')))'`,
  )
})

test('moments of a rank with another clock are copied as its trace has them', () => {
  const columns = [{ name: 'rank', type: 'int' as const, moment: false, description: '' }, ...DATA.columns]
  const data = { ...DATA, columns, data: { ...DATA.data, rank: [0, 1, 1] }, shifts: { 1: '500' } }
  assert.equal(
    csvOf(data, [0, 1], ['rank', 'start_ns']),
    'rank,start_ns\r\n0,1700000000000000006\r\n1,1700000000000000501\r\n',
  )
  const filter = parseFilter(
    'start > 1us',
    columns.map((one) => ({ ...one, title: one.name })),
  )
  assert.equal(
    commandOf(data, [], filter, NAMES),
    'stepscope show idle run.json --where ' +
      '\'("start_ns" - CASE WHEN "rank" = 1 THEN 500 ELSE 0 END) > 1700000000000001001\' --columns name,start_ns,share_pct',
  )
})
