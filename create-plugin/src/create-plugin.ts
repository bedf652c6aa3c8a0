import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a plugin may bring, in words. */
export const KINDS = {
  operation: 'an operation with its address, table and error',
  mailer: 'another way to send mails',
  archive: 'another store for originals',
  webhook: 'another way to send webhooks',
} as const
export type Kind = keyof typeof KINDS

const templates = fileURLToPath(new URL('../templates/', import.meta.url))
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const MAX_NAME = 40
/** The file that each package begins with, and what it is developed with. */
const TAKEN = new Set(['index', 'fastify', 'knex', 'mysql2', 'typebox', 'typescript'])

/**
 * Writes a plugin into a new folder, whose last part is its name; answers the files. Throws a `TypeError` for another name than
 * one of small letters, digits and hyphens, and for a folder that is not empty.
 */
export function createPlugin(folder: string, kind: Kind): readonly string[] {
  const name = basename(resolve(folder))
  if (!NAME.test(name) || name.length > MAX_NAME)
    throw new TypeError(`${name}: a plugin is named by small letters, digits and hyphens, as in queue-timestamps`)
  if (TAKEN.has(name)) throw new TypeError(`${name}: is something else already; choose another name`)
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new TypeError(`${folder} is not empty`)
  const files = new Map([['package.json', manifestOf(name)]])
  for (const part of ['common', kind]) {
    const place = join(templates, part)
    for (const entry of readdirSync(place, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      // npm publishes no file with the name .gitignore.
      const as = withName(relative(place, path), name).replace(/^gitignore$/, '.gitignore')
      if (files.has(as)) throw new TypeError(`${name}: the plugin has a file ${as} already; choose another name`)
      files.set(as, withName(readFileSync(path, 'utf8'), name))
    }
  }
  for (const [path, text] of files) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return [...files.keys()].sort()
}

/** A template is a plugin called our-plugin. */
function withName(text: string, name: string): string {
  const words = name.split('-')
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return (
    text
      .replaceAll('our-plugin', name)
      .replaceAll('our_plugin', name.replaceAll('-', '_'))
      .replaceAll('OurPlugin', pascal)
      // One word could be one of the language, or of what the template imports.
      .replaceAll('ourPlugin', words.length === 1 ? `${name}Plugin` : pascal.charAt(0).toLowerCase() + pascal.slice(1))
  )
}

/** The packages of the registry have one version, which is that of this package too. */
function manifestOf(name: string): string {
  const { version, engines }: { version: string; engines: object } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  const registry = `^${version}`
  const manifest = {
    name,
    version: '0.1.0',
    type: 'module',
    keywords: ['signed-registry', 'plugin'],
    engines,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist', '!dist/*.test.*'],
    scripts: {
      build: 'tsc',
      test: `tsc && node --test dist/${name}.test.js`,
      start: 'tsc && signed-registry start',
    },
    // The host brings both: there is one core in a process.
    peerDependencies: { '@signed-registry/core': registry, typebox: '^1.4.3' },
    devDependencies: {
      '@signed-registry/core': registry,
      '@signed-registry/dev-authorities': registry,
      '@signed-registry/host': registry,
      '@types/node': '^20.19.0',
      fastify: '^5.10.0',
      knex: '^3.1.0',
      mysql2: '^3.6.0',
      typebox: '^1.4.3',
      typescript: '>=5.9.0',
    },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
