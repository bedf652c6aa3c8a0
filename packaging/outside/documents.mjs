import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The first block of code in a language, below a heading where one is given: what a reader copies. */
export function blockOf(document, language, heading = '') {
  const text = readFileSync(root + document, 'utf8')
  const from = text.indexOf(heading)
  const [, block] =
    from === -1 ? [] : (new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'm').exec(text.slice(from)) ?? [])
  if (block === undefined) throw new Error(`${document} has no ${language} ${heading}`)
  return block
}

/** The commands of a block of shell, without comments. */
export const commandsOf = (document, heading) =>
  blockOf(document, 'sh', heading)
    .split('\n')
    .map((line) => line.replace(/\s+#.*$|^#.*$/, '').trim())
    .filter((line) => line !== '')

/** What docs/embedding.md says that package.json needs with yarn and strict pnpm on Node 20. */
export function overridesOf(node, manager) {
  if (node !== '20' || manager === 'npm') return {}
  const [, overrides] =
    /with `(\{ "light-my-request": "[^"]+" \})`/.exec(readFileSync(`${root}docs/embedding.md`, 'utf8')) ?? []
  if (overrides === undefined) throw new Error('docs/embedding.md has no overrides for Node 20')
  const own = JSON.parse(overrides)
  return manager === 'yarn' ? { resolutions: own } : { pnpm: { overrides: own } }
}

/** A command for npm as another package manager takes it: docs/embedding.md and docs/writing-a-plugin.md say how they differ. */
export const forManager = (command, manager) =>
  manager === 'npm'
    ? command
    : command
        .replace(/\bnpm install (?=[@\w-])/g, `${manager} add `)
        .replace(/\bnpm create (.*?) -- /g, `${manager} create $1 `)
        .replace(/\bnpm (?=install|test|start)/g, `${manager} `)
