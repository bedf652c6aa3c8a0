import { badNameAmong } from '../file-names.js'
import { evidenceErrors } from './errors.js'

/** Refuses names of files that are unsafe or the same for some file systems. Throws `evidenceNotRead`. */
export function requireFileNames(names: readonly string[]): void {
  const bad = badNameAmong(names)
  if (bad !== undefined) throw evidenceErrors.error('evidenceNotRead', { reason: bad.reason, file: bad.name })
}
