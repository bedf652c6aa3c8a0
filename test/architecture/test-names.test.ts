import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The source folder that each folder of `test` mirrors; each plugin has a folder of its own. */
const MIRRORS: Readonly<Record<string, readonly string[]>> = {
  core: ['core/registry/src'],
  verifier: ['core/verifier/src'],
  client: ['core/client/src'],
  host: ['host/src'],
}

/** Folders of tests that span many sources. */
const STORIES = new Set([
  'architecture',
  'conformance',
  'contracts',
  'deviations',
  'differential',
  'docs',
  'fuzz',
  'host/access-matrix',
  'journeys',
  'mutation',
  'packaging',
  'support',
])

const isFile = (path: string) => existsSync(join(root, path)) && statSync(join(root, path)).isFile()

/** Whether `folder/name` is a source, or a story about one: `folder` is then a source file, or `name` the folder's own. */
const mirrors = (sources: string, folder: string, name: string): boolean => {
  const path = join(sources, folder, name)
  if (isFile(`${path}.ts`) || isFile(`${join(sources, folder)}.ts`)) return true
  const ownName = folder === '.' ? basename(dirname(sources)) : basename(folder)
  return existsSync(join(root, path)) || (name === ownName && existsSync(join(root, sources, folder)))
}

describe('tests', () => {
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const files = all.filter((name) => name.endsWith('.test.ts'))

  it('are named by the path of their source, or are in a folder of stories', () => {
    const astray = files.filter((file) => {
      const [room = '', second = '', ...rest] = file.split('/')
      if (STORIES.has(room) || STORIES.has(`${room}/${second}`)) return false
      const plugin = room === 'plugins'
      const sources = plugin ? [`plugins/${second}/src`, `plugins/${second}/browser`] : (MIRRORS[room] ?? [])
      const path = plugin ? rest.join('/') : [second, ...rest].join('/')
      const [name = ''] = basename(path).split('.')
      return !sources.some((folder) => mirrors(folder, dirname(path), name))
    })
    expect(astray).to.deep.equal([])
  })
})
