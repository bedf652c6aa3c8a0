import { readFileSync } from 'node:fs'
import { register } from 'node:module'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Config, ConfigError, readConfig } from './config.js'
import { type ConfigFile, configFile } from './config-file.js'
import { checkConfig } from './define-config.js'
import type { Variables } from './environment.js'
import { whyUnsafe } from './safe-file.js'

/**
 * Reads the configuration, with what `registry.config.js` or the file of `REGISTRY_CONFIG` adds to it; that of the environment
 * comes first. Rejects with a `ConfigError` that lists everything wrong with both.
 */
export async function loadConfig(variables: Variables): Promise<Config> {
  const file = configFile(variables)
  if (file === undefined) return readConfig(variables)
  const { path } = file
  const unsafe = whyUnsafe(file)
  if (unsafe !== undefined) throw new ConfigError([`${path}: is not read: ${unsafe}`])
  const { plugins, without, settings, wrong } = checkConfig(await importDefault(file))
  const lines = wrong.map((line) => `${path}: ${line}`)
  try {
    const config = readConfig(variables, { file: path, added: plugins, without }, settings)
    if (lines.length === 0) return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    lines.push(...error.wrong)
  }
  throw new ConfigError(lines)
}

let isSharing = false

async function importDefault({ path }: ConfigFile): Promise<unknown> {
  if (path.endsWith('.ts') && !readsTypeScript())
    throw new ConfigError([
      `${path}: Node ${process.versions.node} reads no TypeScript: compile it to ${basename(path, '.ts')}.js, or run Node 22.18 or later`,
    ])
  if (!isSharing) sharePackages()
  isSharing = true
  try {
    const { default: exported }: { default?: unknown } = await import(pathToFileURL(path).href)
    return exported
  } catch (error) {
    throw new ConfigError([`${path}: ${reasonOf(error)}`], { cause: error })
  }
}

/** Newer versions of Node take the types out of a file; this one may have been told not to. */
const readsTypeScript = (): boolean => 'typescript' in process.features && Boolean(process.features.typescript)

function sharePackages(): void {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const { name = '', dependencies = {} }: { name?: string; dependencies?: object } = Object(manifest)
  const shared = [name, ...Object.keys(dependencies).filter((one) => /^(@signed-registry\/|typebox$)/.test(one))]
  register('./shared-packages.js', import.meta.url, { data: { host: import.meta.url, shared } })
}

/** What is wrong with a file, and where, if it says so. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [, place] = /(?<=[\s(]|^|file:\/\/)(\/(?!.*\/node_modules\/)[^\s():]+:\d+)/m.exec(error.stack ?? '') ?? []
  return place === undefined ? error.message : `${error.message} (${place})`
}
