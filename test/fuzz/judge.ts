import { cardErrors } from '#core/cards/errors.js'
import { DerError } from '#verifier/der/reader.js'
import { RegistryError } from '#verifier/error.js'
import { signatureErrors } from '#verifier/errors.js'
import { logErrors } from '#verifier/log/errors.js'
import { noteErrors } from '#verifier/notes/errors.js'
import type { Target } from './targets.js'

/** What became of one input. */
export type Outcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'found'; readonly what: string }

/** The catalogues of what is fed. */
const CATALOGUES = [signatureErrors, cardErrors, logErrors, noteErrors]

/** A refusal goes to the caller whole: more than this is no explanation any more. */
const MAX_DETAILS = 20_000

/** Runs one input; whatever leaves the target but an error of ours with facts that can be sent is a finding. */
export async function judge(target: Target, input: Uint8Array | string): Promise<Outcome> {
  try {
    await target.run(input)
    return { kind: 'accepted' }
  } catch (error) {
    return outcomeOf(target, error)
  }
}

function outcomeOf({ leaves }: Target, error: unknown): Outcome {
  if (error instanceof DerError && leaves === 'der') return { kind: 'refused', code: 'DerError' }
  if (!(error instanceof RegistryError)) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { kind: 'found', what: what.split('\n').slice(0, 6).join('\n') }
  }
  const { code, details } = error
  if (!CATALOGUES.some(({ texts }) => Object.hasOwn(texts, code)))
    return { kind: 'found', what: `foreign code ${code}` }
  if (typeof details?.reason !== 'string') return { kind: 'found', what: `${code} without a reason` }
  try {
    const { length } = JSON.stringify(details)
    if (length > MAX_DETAILS) return { kind: 'found', what: `${code} with ${length} characters of details` }
  } catch (problem) {
    return { kind: 'found', what: `${code} with details that cannot be sent: ${String(problem)}` }
  }
  return { kind: 'refused', code }
}
