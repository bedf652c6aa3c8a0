import type { LoadHook } from 'node:module'
import { addressOf, type CodeMutant, mutated } from './code-mutants.js'

let mutant: CodeMutant | undefined

export function initialize(given: CodeMutant): void {
  mutant = given
}

/** Gives the module of the mutant with the mutant in it, and every other as it is. */
export const load: LoadHook = async (url, context, next) => {
  const loaded = await next(url, context)
  if (mutant === undefined || url !== addressOf(mutant.file)) return loaded
  return { ...loaded, source: mutated(String(loaded.source), mutant) }
}
