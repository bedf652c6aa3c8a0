import { Check, type Plugin } from '@signed-registry/core'

/** The check that a plugin contributes. */
export function checkOf({ name, provides = [] }: Plugin): Check {
  for (const { port, make } of provides) {
    if (port.id !== Check.id) continue
    const made = make({})
    if (isCheck(made)) return made
  }
  throw new Error(`${name} contributes no check`)
}

const isCheck = (value: unknown): value is Check => typeof value === 'object' && value !== null && 'isRequired' in value
