import { RegistryError } from '@signed-registry/verifier'
import { type LogPolicy, policyVerdict } from '@signed-registry/verifier/log'

/** Whether enough of the witnesses that are asked have cosigned a checkpoint; not where somebody has changed its note. */
export function hasQuorum(note: string, witnesses: LogPolicy | undefined): boolean {
  if (witnesses === undefined) return true
  try {
    return policyVerdict(note, witnesses).quorum
  } catch (error) {
    if (error instanceof RegistryError) return false
    throw error
  }
}
