import { AuthorityUnavailable, type Finding, publicAddress, RegistryError } from '@signed-registry/core'
import { isNotDer } from '@signed-registry/verifier'

const ADVICE = 'ask its operator, look at the firewall in between, or name another one'

/** What is to be said of an authority that gave no answer, or one that cannot be used. Rethrows what is no fault of it. */
export function failureOf(url: string, error: unknown): Finding & { readonly state: 'fail' } {
  return { state: 'fail', text: `${publicAddress(url)}: ${reasonOf(error)}; ${ADVICE}` }
}

function reasonOf(error: unknown): string {
  if (error instanceof AuthorityUnavailable) return error.message
  if (isNotDer(error)) return 'its answer is malformed'
  if (error instanceof RegistryError) return `its answer proves nothing (${error.details?.reason ?? error.code})`
  throw error
}
