import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folds, foldName, foldNames } from './kernel_names.ts'

test('templates fold, parameters and well-known namespaces go', () => {
  assert.equal(
    foldName('void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float> >(int, float)'),
    'vectorized_elementwise_kernel<…>',
  )
  assert.equal(foldName('void reduce_kernel<512, 1>(at::native::ReduceOp<float>)'), 'reduce_kernel<…>')
  assert.equal(foldName('void at::native::norm(int, float const*)'), 'norm')
  assert.equal(foldName('void a<4>(int) -> 3 x void b<float>(int)'), 'a<…> -> 3 x b<…>')
  assert.equal(foldName('void (anonymous namespace)::softmax<float, 4>::run<2>(float*)'), 'softmax<…>::run<…>')
})

test('what is no template stays as it is', () => {
  for (const name of [
    'aten::mm',
    '<img onerror=alert(1)>',
    'train.py(3): <module>',
    'a < b',
    'ampere_sgemm_128x64_tn',
    '<lambda>',
  ])
    assert.equal(foldName(name), name)
  assert.equal(folds('gemm<float>'), true)
})

test('brackets that never close, and arrows inside, do no harm', () => {
  assert.equal(foldName('gemm<float, (a->b)'), 'gemm<…>')
  assert.equal(foldName('f<a<b>'), 'f<…>')
  assert.equal(foldName(`f<${'x<'.repeat(2000)}`), 'f<…>')
})

test('names that would look the same show where they differ', () => {
  const names = ['gemm<float, 128, 64, true>(int)', 'gemm<float, 192, 64, true>(int)', 'norm<float>(int)']
  assert.deepEqual([...foldNames(names).values()], ['gemm<…128…>', 'gemm<…192…>', 'norm<…>'])
})

test('names that differ in a way that no fold shows are numbered', () => {
  const folded = [...foldNames(['f<int>(a)', 'f<int>(b)']).values()]
  assert.equal(new Set(folded).size, 2)
  const long = (end: string) => `f<${'a, '.repeat(30)}${end}${', b'.repeat(30)}${end}>`
  assert.equal(new Set(foldNames([long('1'), long('2'), long('3')]).values()).size, 3)
})

test('what is wrapped in a template that says nothing stands for itself', () => {
  const name = (tile: string) =>
    `void cutlass::Kernel2<cutlass_80_simt_sgemm_${tile}_nn_align1>(cutlass_80_simt_sgemm_${tile}_nn_align1::Params)`
  const names = [name('128x32_8x5'), name('256x128_8x4')]
  assert.deepEqual(
    [...foldNames(names).values()],
    ['cutlass_80_simt_sgemm_128x32_8x5_nn_align1', 'cutlass_80_simt_sgemm_256x128_8x4_nn_align1'],
  )
})
