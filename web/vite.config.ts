import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { viteSingleFile } from 'vite-plugin-singlefile'
import { licenses } from './licenses.ts'

// Two builds of the same app: the one that the server serves, in pieces, and `report.html`, which holds everything in
// one file and into which `stepscope report -o` writes its data. Run without a mode first: it empties the folder.
export default defineConfig(({ mode }) => {
  const report = mode === 'report'
  return {
    base: './',
    // A report has no server to ask: it leaves out what would ask it.
    resolve: { alias: report ? [{ find: /^\.\/WhatIf\.svelte$/, replacement: './WhatIfInReport.svelte' }] : [] },
    publicDir: report ? false : 'public',
    plugins: [svelte(), licenses(), ...(report ? [viteSingleFile({ removeViteModuleLoader: true })] : [])],
    build: {
      outDir: process.env['STEPSCOPE_WEB_OUT'] ?? '../src/stepscope/web',
      emptyOutDir: !report,
      target: 'es2022',
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1500,
      rollupOptions: { input: report ? 'report.html' : 'index.html' },
    },
    server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
  }
})
