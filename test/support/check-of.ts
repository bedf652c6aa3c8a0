import { Check, type Plugin } from '@signed-registry/core'

/** The check that a plugin contributes; the one of a name where there are several. */
export function checkOf({ name, provides = [] }: Plugin, called?: string): Check {
  for (const { port, make } of provides) {
    if (port.id !== Check.id) continue
    const made = make({})
    if (isCheck(made) && (called === undefined || made.name === called)) return made
  }
  throw new Error(`${name} contributes no check ${called ?? ''}`)
}

const isCheck = (value: unknown): value is Check => typeof value === 'object' && value !== null && 'isRequired' in value
