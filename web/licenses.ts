/** Writes `licenses.txt`: the licenses of every library that the build took code from, as they ask for. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const WANTED = /^(licen[cs]e|notice|copying)/i

/** The folder of the package that a module belongs to; null for the app's own. */
function packageOf(module: string): string | null {
  if (!module.includes('/node_modules/')) return null
  let folder = dirname(module.replace(/^\0/, '').replace(/\?.*$/, ''))
  // Some packages hold a package.json without a name in the folders of their builds.
  while (folder.includes('/node_modules/') && !nameOf(folder)) folder = dirname(folder)
  return nameOf(folder) ? folder : null
}

interface Facts {
  name?: string
  version?: string
  license?: string
}

function factsOf(folder: string): Facts {
  const file = join(folder, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Facts) : {}
}

function nameOf(folder: string): string | undefined {
  const { name, version } = factsOf(folder)
  return version ? name : undefined
}

function textOf(folder: string): string {
  const { name, version, license } = factsOf(folder)
  const files = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile() && WANTED.test(one.name))
  const texts = files.map((one) => readFileSync(join(folder, one.name), 'utf8').trim())
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n')
}

export function licenses(): Plugin {
  return {
    name: 'stepscope-licenses',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? Object.keys(one.modules) : []))
      const folders = new Set(modules.map((one) => packageOf(one.replaceAll('\\', '/'))).filter((one) => one !== null))
      const source = [...folders]
        .sort()
        .map(textOf)
        .join(`\n\n${'='.repeat(100)}\n\n`)
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: `${source}\n` })
    },
  }
}
