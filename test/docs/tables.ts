import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as core from '@signed-registry/core'
import { type AnyPort, defaultShares, Port, type PortKind } from '@signed-registry/core'

import { coreAreas, coreOperations } from '#core/core-areas.js'
import { deviationEntries } from './deviation-entries.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const KINDS: readonly PortKind[] = ['required', 'defaulted', 'contribution']

const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))

const coreSources = sources('core/registry/src')
const plugins = readdirSync(join(root, 'plugins')).map((name) => ({
  name,
  text: sources(`plugins/${name}/src`).join('\n'),
}))

/** The first sentence of the doc comment of a declaration. */
function purpose(name: string, declarations: readonly string[]): string {
  for (const declaration of declarations) {
    const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*export ${declaration} ${name}\\b`)
    const [, text] = coreSources.map((source) => comment.exec(source)).find((found) => found !== null) ?? []
    if (text === undefined) continue
    const words = text
      .replace(/^\s*\* ?/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    return (/^.*?[.;:](?= [A-Z`]|$)/.exec(words)?.[0] ?? words).replace(/[.;:]$/, '').replaceAll('|', '\\|')
  }
  return name.endsWith('Limits') ? 'Limits of sizes, counts and times of its area' : ''
}

/** Areas of core and stock plugins that provide a part for a port. */
function providers(port: AnyPort): string {
  if (port.name === 'ErrorTexts') return 'every catalogue of `errors`'
  const areas = coreAreas.filter(({ provides = [] }) => provides.some((binding) => binding.port.id === port.id))
  const provides = new RegExp(`provide(Value|Limits)?\\(\\s*${port.name}\\b`)
  const names = [...areas, ...plugins.filter(({ text }) => provides.test(text))].map(({ name }) => `\`${name}\``)
  return names.length > 0 ? [...new Set(names)].join(', ') : 'plugins'
}

/** The ports that core exports. */
function portTable(): string {
  const ports: AnyPort[] = Object.values(core).filter((one) => one instanceof Port)
  const rank = ({ kind }: AnyPort) => KINDS.indexOf(kind)
  const rows = ports
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
    .map((port) => [`\`${port.name}\``, port.kind, providers(port), purpose(port.name, ['interface', 'type', 'const'])])
  return markdownTable(['Port', 'Kind', 'Provided by', 'What it is'], rows)
}

/** The scheduled tasks of core. */
function taskTable(): string {
  const tasks = coreAreas.flatMap((area) => area.tasks ?? [])
  const rows = tasks.map((Class) => [
    `\`${Class.task.name}\``,
    `\`${Class.task.schedule}\``,
    purpose(Class.name, ['class']),
  ])
  return markdownTable(['Task', 'When', 'What it does'], rows)
}

const UNITS = [
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
] as const

function amountOf(amount: number): string {
  const [unit, size] = UNITS.find(([, bytes]) => amount >= bytes) ?? ['', 1]
  return `${amount / size} ${unit}`.trim()
}

/** The shares with their doc comments. */
function shareTable(): string {
  const source = coreSources.find((text) => text.includes('export const hostShares')) ?? ''
  const rows = Object.entries(defaultShares).map(([resource, { stranger, strangers, person, system, whole }]) => {
    const [, what = ''] = new RegExp(`// (.*)\\n +${resource}: share\\(`).exec(source) ?? []
    return [`\`${resource}\``, ...[stranger, strangers, person, system, whole].map(amountOf), what.replace(/\.$/, '')]
  })
  const owners = ['stranger', 'strangers', 'person', 'system', 'whole'].map((owner) => `\`${owner}\``)
  return markdownTable(['Share of', ...owners, 'What it is'], rows)
}

function markdownTable(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** A table that is generated from the code. */
export interface GeneratedTable {
  readonly what: string
  /** From the root of the repository. */
  readonly document: string
  /** The text of the document with the current table. */
  within(text: string): string
}

/** Every operation with its callers, in the words of its guard. */
function endpointTable(): string {
  const rows = coreOperations.map(({ at, who }) => {
    const [method, path = ''] = at.split(' ')
    return [`\`${method} /api${path === '/' ? '' : path.replace(/:(\w+)/g, '{$1}')}\``, who.words]
  })
  return markdownTable(['Endpoint', 'Who'], rows)
}

export const TABLES: readonly GeneratedTable[] = [
  {
    what: 'every operation with who may call it',
    document: 'docs/access.md',
    within: (text) => text.replace(/\| Endpoint +\|[\s\S]*?\n(?!\|)/, `${endpointTable()}\n`),
  },
  {
    what: 'every deviation from the specification',
    document: 'docs/deviations.md',
    within: (text) => text.replace(/(<!-- made by npm run generate -->\n)[\s\S]*/, `$1\n${deviationEntries()}\n`),
  },
  {
    what: 'every port that core exports: its kind, who provides it, what it is',
    document: 'docs/writing-a-plugin.md',
    within: (text) => text.replace(/\| Port +\|[\s\S]*?\n(?!\|)/, `${portTable()}\n`),
  },
  {
    what: 'every share with its defaults',
    document: 'docs/operations.md',
    within: (text) => text.replace(/\| Share of +\|[\s\S]*?\n(?!\|)/, `${shareTable()}\n`),
  },
  {
    what: 'every task with its schedule',
    document: 'docs/operations.md',
    within: (text) => text.replace(/\| Task +\|[\s\S]*?\n(?!\|)/, `${taskTable()}\n`),
  },
]

export const pathOf = ({ document }: GeneratedTable): string => join(root, document)
