import assert from 'node:assert/strict'
import { test } from 'node:test'
import { undone } from './undone.ts'

test('what the back button undid is what differs', () => {
  assert.equal(undone({ t: '0,100' }, {}), 'zoom')
  assert.equal(undone({ t: '0,100' }, { t: '0,50' }), 'zoom')
  assert.equal(undone({ t: '10,110' }, { t: '0,100' }), 'pan')
  assert.equal(undone({ sel: 'x', t: '0,9' }, { t: '0,5' }), 'selection')
  assert.equal(undone({ step: '4' }, { step: '5' }), 'steps')
  assert.equal(undone({ rank: '4' }, {}), 'ranks')
  assert.equal(undone({ only: 'kernel:a' }, { sel: 'x' }), 'filter')
  assert.equal(undone({ 'kernels.q': 'gemm' }, {}), 'filter')
  assert.equal(undone({ 'operators.by': 'shape' }, {}), 'view')
  assert.equal(undone({ run: 'a' }, { run: 'a' }), null)
  // These were called a zoom, a selection, and a change of the view.
  assert.equal(undone({ rec: 'x', occ: '2', t: '0,9', at: '1.2' }, { rec: 'x', t: '5,9' }), 'occurrence')
  assert.equal(undone({}, { path: '1', sel: '["path",""]' }), 'path')
  assert.equal(undone({ zoom: '7' }, {}), 'frame')
  // Each of these was a change of the view, too.
  assert.equal(undone({ moment: '57', open: 'changes' }, {}), 'selection')
  assert.equal(undone({ fold: '3' }, { fold: '3', hide: '4' }), 'tracks')
  assert.equal(undone({ m: '0,5' }, {}), 'mark')
  assert.equal(undone({ sim: 'fix:launch-bound', sel: 'x' }, {}), 'simulated')
  assert.equal(undone({ rec: '*' }, {}), 'recommendation')
  assert.equal(undone({ 'kernels.sort': '-calls' }, {}), 'sort')
  assert.equal(undone({ sort: 'name' }, {}), 'sort')
  assert.equal(undone({ 'kernels.cols': 'name' }, {}), 'columns')
  assert.equal(undone({ open: 'rows' }, {}), 'section')
  assert.equal(undone({ changes: 'gpu:2' }, { changes: 'gpu:3' }), 'whatIf')
  assert.equal(undone({ base_run: 'a', baseline: '1' }, { base_run: 'b' }), 'baseline')
  assert.equal(undone({ device: '0' }, { device: '1' }), 'selection')
  assert.equal(undone({ base: 'a' }, {}), 'baseline')
  assert.equal(undone({ base: 'a', new: 'b' }, { base: 'b', new: 'a' }), 'view')
  // A selection, and filters.
  assert.equal(undone({ range: '1,2', device: '0' }, { point: '5' }), 'zoom')
  assert.equal(undone({ run: 'a', q: 'gemm' }, { run: 'a' }), 'search')
  assert.equal(undone({ run: 'a', find: 'gemm' }, { run: 'a' }), 'search')
  assert.equal(undone({ q: 'bottleneck:host' }, {}), 'filter')
})

test('a pan of the whole recording is not a zoom', () => {
  // It was called a zoom, as the address of the whole recording has no piece of time.
  assert.equal(undone({ t: '20,122' }, {}, 100), 'pan')
  assert.equal(undone({}, { t: '-20,92' }, 100), 'pan')
  assert.equal(undone({ t: '20,110' }, {}, 100), 'zoom')
  assert.equal(undone({}, { t: '20,110' }, 100), 'zoom')
  assert.equal(undone({ t: '0,140' }, {}, 100), 'zoom', 'to the end of a simulated step that is longer')
})
