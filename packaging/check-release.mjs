import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkApplication } from './outside/application.mjs'
import { commandsOf } from './outside/documents.mjs'
import { startLocalRegistry } from './outside/local-registry.mjs'
import { MANAGERS, machine, NODES } from './outside/machines.mjs'
import { checkPlugins } from './outside/plugin.mjs'
import { shell } from './outside/programs.mjs'
import { packInto } from './packed.mjs'

/*
 * npm run check:release [-- node20-npm …]: publishes the packages to a registry of this machine by the commands of docs/releases.md,
 * then does what the documents tell users to do, with each Node and each package manager, where there is nothing but these packages.
 * The commands and the code are taken out of the documents. node20-npm-oldest has the oldest supported peer dependencies.
 */
const CELLS = Object.keys(NODES).flatMap((node) => Object.keys(MANAGERS).map((manager) => `node${node}-${manager}`))
CELLS.push('node20-npm-oldest')
const asked = process.argv.slice(2)
const unknown = asked.filter((cell) => !CELLS.includes(cell))
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there are ${CELLS.join(', ')}`)

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'check-release-'))
const uplink = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
const registry = await startLocalRegistry(join(folder, 'registry'), uplink)
let failures = 0
try {
  publishAll()
  const machines = new Map()
  for (const cell of asked.length > 0 ? asked : CELLS) {
    const started = Date.now()
    const [, node, manager, oldest] = /^node(\d+)-(\w+)(-oldest)?$/.exec(cell)
    if (!machines.has(node)) machines.set(node, machine(folder, node, registry))
    const at = join(folder, cell)
    mkdirSync(at)
    const options = { node, manager, env: machines.get(node), isOldest: oldest !== undefined }
    try {
      const versions = await checkApplication(at, options)
      const kinds = await checkPlugins(at, options)
      const seconds = Math.round((Date.now() - started) / 1000)
      console.log(`✓ ${cell}: ${versions.join(', ')}; plugins: ${kinds.join(', ')} (${seconds} s)`)
    } catch (error) {
      failures += 1
      console.error(`✗ ${cell}: ${error.message}`)
    }
    rmSync(at, { recursive: true, force: true })
  }
} finally {
  await registry.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures > 0 ? 1 : 0

/** Publishes by the command of docs/releases.md, twice: the second time there is nothing left to do. */
function publishAll() {
  const packages = join(folder, 'dist-release')
  mkdirSync(packages)
  const packed = packInto(packages)
  const npmrc = join(folder, 'publisher.npmrc')
  writeFileSync(npmrc, registry.npmrc)
  const env = { ...process.env, npm_config_userconfig: npmrc, npm_config_registry: registry.url }
  const command = commandsOf('docs/releases.md', '## Publishing').find((line) => line.includes('release:publish'))
  if (command === undefined) throw new Error('docs/releases.md does not say how to publish')
  const here = command.replace('dist-release', packages)
  for (const what of ['published', 'is there already']) {
    const said = shell(here, root, env)
    for (const { name, version } of packed)
      if (!said.includes(`${name} ${version}: ${what}\n`)) throw new Error(`${name} is not ${what}: ${said}`)
  }
  console.log(`✓ ${packed.length} packages published, and left alone when published again`)
}
