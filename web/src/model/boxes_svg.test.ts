import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxesSvg } from './boxes_svg.ts'
import type { TreemapChart } from './chart.ts'

test('names of a trace are text in the file, too', () => {
  const model: TreemapChart = {
    kind: 'treemap',
    column: 'alive_bytes',
    valueTitle: 'alive',
    parts: [{ name: '<script>a&b</script>\u0001', value: 1024, tint: { meaning: 'memory' }, row: 0 }],
  }
  const look = { theme: 'light', text: '#000', quiet: '#555', line: '#ccc', back: '#fff', font: '"A"' } as const
  const svg = boxesSvg(model, look, 400, 100)
  assert.ok(svg.includes('>&lt;script&gt;a&amp;b&lt;/script&gt;</text>'))
  assert.ok(svg.includes('>1.00 KiB</text>'))
  assert.ok(!svg.includes('<script'))
})
