// Prints the lines of every function in web/src, and where the type `any` stands, as JSON:
// {"functions": {"path:name": lines}, "untyped": ["path:line"]}. Run in web/.
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'

const ts = createRequire(`${process.cwd()}/package.json`)('typescript')
const measured = {}
const untyped = []

function scriptsOf(path, text) {
  if (!path.endsWith('.svelte')) return [text]
  // Lines before it are kept, empty, so that numbers of lines are those of the file.
  return [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(
    (found) => text.slice(0, found.index).replace(/[^\n]/g, '') + found[1],
  )
}

// Expressions such as a callback have no name of their own; they count as part of what holds them, except when bound.
function nameOf(node) {
  if (node.name) return node.name.getText()
  const holder = node.parent
  if (holder && (ts.isVariableDeclaration(holder) || ts.isPropertyAssignment(holder) || ts.isPropertyDeclaration(holder)))
    return holder.name.getText()
  return null
}

function visit(path, source, node) {
  if (node.kind === ts.SyntaxKind.AnyKeyword)
    untyped.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`)
  if (ts.isFunctionLike(node) && node.body) {
    const name = nameOf(node)
    const [first, last] = [node.getStart(), node.getEnd()].map((at) => source.getLineAndCharacterOfPosition(at).line)
    if (name !== null) measured[`${path}:${name}`] = Math.max(measured[`${path}:${name}`] ?? 0, last - first + 1)
  }
  node.forEachChild((child) => visit(path, source, child))
}

for (const entry of readdirSync('src', { recursive: true }).map((one) => one.replaceAll('\\', '/')).sort()) {
  if (!/\.(ts|svelte)$/.test(entry)) continue
  for (const text of scriptsOf(entry, readFileSync(`src/${entry}`, 'utf8'))) {
    const source = ts.createSourceFile(`${entry}.ts`, text, ts.ScriptTarget.Latest, true)
    visit(entry, source, source)
  }
}
process.stdout.write(JSON.stringify({ functions: measured, untyped }))
