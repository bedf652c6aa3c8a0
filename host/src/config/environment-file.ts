import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Variables } from './environment.js'

/** A value without quotes that has a #: to some it is a part of the value, to others a comment. */
const AMBIGUOUS = /^[\w.\s-]+=\s*[^'"`\s#][^#]*#/

/**
 * The variables of a process with those of the file `ENVIRONMENT_FILE` in their place, which a running host can read again; without
 * empty ones, which are not set. Adds a line to `wrong` for a file that cannot be read, and for a value that would be cut off at a #.
 */
export function withEnvironmentFile(variables: Variables, wrong: string[]): Variables {
  const file = variables.ENVIRONMENT_FILE?.trim()
  if (!file) return set(variables)
  try {
    const text = readFileSync(file, 'utf8')
    for (const [at, line] of text.split('\n').entries())
      if (AMBIGUOUS.test(line))
        wrong.push(
          `ENVIRONMENT_FILE: line ${at + 1} of ${file} has a #: put the value in quotes, or the comment on a line of its own`,
        )
    return set({ ...variables, ...parseEnv(text), ENVIRONMENT_FILE: file })
  } catch {
    wrong.push(`ENVIRONMENT_FILE: cannot read ${file}`)
    return variables
  }
}

const set = (variables: Variables): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()))
