import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Variables } from './environment.js'

/**
 * The variables of a process with those of the file `ENVIRONMENT_FILE` in their place, which a running host can read again. Adds a
 * line to `wrong` for a file that cannot be read.
 */
export function withEnvironmentFile(variables: Variables, wrong: string[]): Variables {
  const file = variables.ENVIRONMENT_FILE?.trim()
  if (!file) return variables
  try {
    return { ...variables, ...parseEnv(readFileSync(file, 'utf8')), ENVIRONMENT_FILE: file }
  } catch {
    wrong.push(`ENVIRONMENT_FILE: cannot read ${file}`)
    return variables
  }
}
