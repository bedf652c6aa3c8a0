import { DerError } from '#verifier/der/reader.js'
import { RegistryError } from '#verifier/error.js'

/** What somebody says of an input: whether it is good, and if not, why. */
export interface Opinion {
  readonly accepted: boolean
  readonly why: string
}

export const accepted: Opinion = { accepted: true, why: 'accepted' }
export const refused = (why: string): Opinion => ({ accepted: false, why: why.trim() })

/** Our opinion: refused where the verifier throws an error of its own; any other error is a mistake of ours and passes through. */
export function ourOpinion(run: () => unknown): Opinion {
  try {
    run()
    return accepted
  } catch (error) {
    if (error instanceof DerError) return refused(`DerError: ${error.message}`)
    if (!(error instanceof RegistryError)) throw error
    const { reason, explanation, problem } = error.details ?? {}
    return refused([error.code, reason, explanation ?? problem].filter((part) => part !== undefined).join(' '))
  }
}
