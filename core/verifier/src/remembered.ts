import type { SignatureOpener } from './open-signatures.js'
import type { OpenedSignature } from './verdict.js'

/** Reads a signature once for each time that it is read as of. */
export function remembered(open: SignatureOpener): SignatureOpener {
  const known = new Map<number | undefined, () => OpenedSignature>()
  const read = (at?: number): OpenedSignature => {
    const outcome = known.get(at) ?? outcomeOf(() => open(at))
    known.set(at, outcome)
    return outcome()
  }
  return Object.assign(read, { countersigns: open.countersigns === true })
}

function outcomeOf(open: () => OpenedSignature): () => OpenedSignature {
  try {
    const found = open()
    return () => found
  } catch (error) {
    return () => {
      throw error
    }
  }
}
