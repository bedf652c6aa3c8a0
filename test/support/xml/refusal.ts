import { RegistryError } from '#verifier/error.js'

/** Code and reason of the refusal that an action ends in; `accepted` where it does not. Other exceptions pass through. */
export function refusal(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    const reason = error.details?.reason
    return typeof reason === 'string' ? `${error.code} ${reason}` : error.code
  }
  return 'accepted'
}
