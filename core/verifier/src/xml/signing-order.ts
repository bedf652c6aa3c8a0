import { RegistryError } from '../error.js'
import { withEmptiedParents } from './counter-signature.js'
import type { DocumentVerifier, ValidSignature } from './document-verifier.js'
import type { FoundSignature } from './find-signatures.js'
import type { XmlElement } from './node.js'

/** The outcome for a signature: valid, or the error. */
export type Outcome = { readonly valid: ValidSignature } | { readonly valid: undefined; readonly error: unknown }

const NONE: ReadonlySet<XmlElement> = new Set()

/**
 * Finds the order in which signatures were added, which only the digests reveal. Only valid signatures are ever omitted from
 * what another one covers.
 */
export class SigningOrder {
  private readonly outcomes = new Map<XmlElement, Outcome>()
  /** Valid signatures over content. */
  private readonly valid = new Map<XmlElement, ValidSignature>()
  /** Elements to omit in order to remove valid counter-signatures. */
  private counterSignatures: readonly XmlElement[] = []

  constructor(private readonly verifier: DocumentVerifier) {}

  judge(found: readonly FoundSignature[]): ReadonlyMap<XmlElement, Outcome> {
    this.judgeCounterSignatures(found.filter(({ within }) => within !== undefined))
    // Usually each new signature is appended after earlier ones.
    let left = found.filter(({ within }) => within === undefined).toReversed()
    for (let before = -1; before !== this.valid.size && left.length > 0; ) {
      before = this.valid.size
      left = left.filter((one) => !this.isSettled(one))
    }
    return this.outcomes
  }

  /** A counter-signature covers a signature value, which later additions do not change. */
  private judgeCounterSignatures(found: readonly FoundSignature[]): void {
    const properties: XmlElement[] = []
    for (const one of found) {
      const valid = this.attempt(one, NONE)
      if (valid !== undefined && valid.objects !== 'unsigned' && one.property !== undefined)
        properties.push(one.property)
    }
    this.counterSignatures = withEmptiedParents(properties)
  }

  /** Tries a signature; whether its outcome is final, whatever other signatures turn out to be later. */
  private isSettled(one: FoundSignature): boolean {
    for (const later of this.hypotheses()) {
      const valid = this.attempt(one, later)
      if (valid !== undefined) {
        this.valid.set(one.element, valid)
        return true
      }
      if (!this.mayBeOrder(one)) return true
    }
    return false
  }

  private attempt(one: FoundSignature, later: ReadonlySet<XmlElement>): ValidSignature | undefined {
    try {
      const valid = this.verifier.verify(one, later)
      this.outcomes.set(one.element, { valid })
      return valid
    } catch (error) {
      this.outcomes.set(one.element, { valid: undefined, error })
      return undefined
    }
  }

  /** Whether another order could make it valid: its digest differs, or what it covers was omitted. */
  private mayBeOrder({ element }: FoundSignature): boolean {
    const outcome = this.outcomes.get(element)
    if (outcome === undefined || outcome.valid !== undefined) return false
    const { error } = outcome
    return error instanceof RegistryError && ['digest', 'nothingSigned'].includes(String(error.details?.reason))
  }

  /**
   * Hypotheses about what was added later: all valid signatures; none; only those over the document or another signature.
   * Each with counter-signatures present, and again with all of them added later.
   */
  private hypotheses(): ReadonlySet<XmlElement>[] {
    const all = [...this.valid]
    const overDocument = all.filter(
      ([, { verified }]) => verified.covers === 'document' || verified.covers === 'signature',
    )
    const sets = [all, [], overDocument].map((entries) => entries.map(([element]) => element))
    const distinct = sets.filter((set, index) => sets.findIndex(({ length }) => length === set.length) === index)
    const counters = this.counterSignatures.length === 0 ? [[]] : [[], this.counterSignatures]
    return counters.flatMap((counter) => distinct.map((set) => new Set([...set, ...counter])))
  }
}
