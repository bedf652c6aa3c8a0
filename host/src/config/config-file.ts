import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { withEnvironmentFile } from './environment-file.js'

/*
 * Which file adds to the configuration. The program asks this before it loads anything else (packaging/bundle.mjs), so this
 * module imports next to nothing.
 */

/** Found in the working directory, the first that there is: what was compiled stands beside its source. */
const NAMES = ['registry.config.js', 'registry.config.mjs', 'registry.config.ts']

/** A configuration file: named by the operator, or found in the working directory. */
export interface ConfigFile {
  readonly path: string
  readonly isNamed: boolean
}

/** The file of `REGISTRY_CONFIG`, or that of the working directory; `undefined` where there is none. */
export function configFile(variables: NodeJS.ProcessEnv): ConfigFile | undefined {
  // An argument says it as a variable of the process, and comes first.
  const said = variables.REGISTRY_CONFIG?.trim() ? variables : withEnvironmentFile(variables, [])
  const named = said.REGISTRY_CONFIG?.trim()
  if (named) return { path: resolve(named), isNamed: true }
  const found = NAMES.map((name) => resolve(name)).find((path) => existsSync(path))
  return found === undefined ? undefined : { path: found, isNamed: false }
}

/** Arguments without `--config FILE`, and an environment that has this file as `REGISTRY_CONFIG`. */
export function takeConfig<E extends NodeJS.ProcessEnv>(args: readonly string[], env: E) {
  const at = args.findIndex((arg) => arg === '--config' || arg.startsWith('--config='))
  if (at === -1) return { args, env }
  const isOne = args[at] !== '--config'
  const file = isOne ? args[at]?.slice('--config='.length) : args[at + 1]
  return {
    args: args.toSpliced(at, isOne ? 1 : 2),
    env: { ...env, REGISTRY_CONFIG: file },
    isWithoutFile: !file?.trim(),
  }
}
