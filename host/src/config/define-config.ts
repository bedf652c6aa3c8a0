import type { Plugin } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { Environment, misspelt } from './environment.js'

/** Names of the plugins of the stock host, of which its variables choose some. */
export const STOCK_NAMES = [
  ...['archive-fs', 'archive-s3', 'bounces-maildir', 'ddc-pdf', 'dev-authorities', 'evidence-asic', 'gov-qr-relay'],
  ...['mailer-files', 'mailer-smtp', 'online-authorities', 'pages', 'scanner-clamd', 'signed-files'],
  ...['vehicle-registration', 'webhook-http'],
] as const

const { REGISTRY_CONFIG: _file, ENVIRONMENT_FILE: _other, ...properties } = Environment.properties
const Settings = Type.Partial(Type.Object(properties))

/** What `registry.config.ts` says. */
export interface RegistryConfig {
  /** Plugins beside the stock ones; each takes the place of a stock one of its name, and of what stock ones provide. */
  readonly plugins?: readonly Plugin[]
  /** Stock plugins that are left out, by name. */
  readonly without?: readonly (typeof STOCK_NAMES)[number][]
  /** Values of variables (docs/configuration.md); the environment comes first. */
  readonly settings?: Static<typeof Settings>
}

/** Says what a configuration file may have: `export default defineConfig({ plugins: [mine({ … })] })`. */
export const defineConfig = (config: RegistryConfig): RegistryConfig => config

/** Which plugins a host has beside the stock ones, and instead of them. */
export interface ChosenPlugins {
  /** The file that chose them. */
  readonly file?: string
  readonly added: readonly Plugin[]
  readonly without: readonly string[]
}

/** A checked configuration file: its plugins, its settings as variables, and a line for everything that is wrong. */
export function checkConfig(given: unknown) {
  const plugins: Plugin[] = []
  const without: string[] = []
  const settings: Record<string, string> = {}
  const wrong: string[] = []
  const lists: Readonly<Record<string, (value: unknown) => void>> = {
    plugins: (value) => each('plugins', value, wrong, (one) => takePlugin(one, plugins, wrong)),
    without: (value) =>
      each('without', value, wrong, (name) => {
        if (STOCK_NAMES.some((known) => known === name)) without.push(String(name))
        else wrong.push(`without: there is no stock plugin ${String(name)}; there are ${STOCK_NAMES.join(', ')}`)
      }),
    settings: (value) => takeSettings(value, settings, wrong),
  }
  if (!isObject(given)) wrong.push('has no default export: export default defineConfig({ … })')
  else
    for (const [name, value] of Object.entries(given)) {
      const take = Object.hasOwn(lists, name) ? lists[name] : undefined
      if (take === undefined) wrong.push(`${name}: is not known; there are ${Object.keys(lists).join(', ')}`)
      else if (value !== undefined) take(value)
    }
  return { plugins, without, settings, wrong }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function each(name: string, value: unknown, wrong: string[], take: (one: unknown) => void): void {
  if (Array.isArray(value)) value.forEach(take)
  else wrong.push(`${name}: takes a list`)
}

const isPlugin = (one: unknown): one is Plugin => isObject(one) && typeof one.name === 'string'

function takePlugin(one: unknown, plugins: Plugin[], wrong: string[]): void {
  if (typeof one === 'function')
    wrong.push(`plugins: ${one.name || 'one'} is a factory: call it, as in ${one.name || 'plugin'}({ … })`)
  else if (!isPlugin(one)) wrong.push('plugins: a plugin is made by definePlugin')
  else if (plugins.some(({ name }) => name === one.name)) wrong.push(`plugins: two are called ${one.name}`)
  else plugins.push(one)
}

/** Variables are texts: their values are checked together with the environment's. */
function takeSettings(value: unknown, settings: Record<string, string>, wrong: string[]): void {
  if (!isObject(value)) {
    wrong.push('settings: takes an object such as { PORT: 9000 }')
    return
  }
  for (const [name, one] of Object.entries(value)) {
    if (!Object.hasOwn(properties, name)) {
      const [meant = `${name}: is no variable of the registry`] = misspelt({ [name]: 'x' })
      wrong.push(`settings: ${meant}`)
    } else if (Value.Check(Type.Union([Type.String(), Type.Number()]), one)) settings[name] = String(one)
    else if (one !== undefined) wrong.push(`settings: ${name}: takes a text or a number`)
  }
}
