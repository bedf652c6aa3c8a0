import { RegistryError } from '../error.js'
import { withEmptiedParents } from './counter-signature.js'
import type { DocumentVerifier, ValidSignature } from './document-verifier.js'
import type { FoundSignature } from './find-signatures.js'
import type { XmlElement } from './node.js'

/** What became of a signature: it holds, or the error that it is refused with. */
export type Outcome = { readonly valid: ValidSignature } | { readonly valid: undefined; readonly error: unknown }

const NONE: ReadonlySet<XmlElement> = new Set()

/**
 * Finds out which signatures were added after which: nothing says so but the digests. Only those that hold are ever left
 * out of what another one is over.
 */
export class SigningOrder {
  private readonly outcomes = new Map<XmlElement, Outcome>()
  /** Signatures over content that hold. */
  private readonly valid = new Map<XmlElement, ValidSignature>()
  /** What takes counter-signatures that hold away again. */
  private counterSignatures: readonly XmlElement[] = []

  constructor(private readonly verifier: DocumentVerifier) {}

  judge(found: readonly FoundSignature[]): ReadonlyMap<XmlElement, Outcome> {
    this.judgeCounterSignatures(found.filter(({ within }) => within !== undefined))
    // Most often each new signature stands behind those before it.
    let left = found.filter(({ within }) => within === undefined).toReversed()
    for (let before = -1; before !== this.valid.size && left.length > 0; ) {
      before = this.valid.size
      left = left.filter((one) => !this.isSettled(one))
    }
    return this.outcomes
  }

  /** A counter-signature is over a value, which nothing that comes later changes. */
  private judgeCounterSignatures(found: readonly FoundSignature[]): void {
    const properties: XmlElement[] = []
    for (const one of found) {
      const valid = this.attempt(one, NONE)
      if (valid !== undefined && valid.objects !== 'unsigned' && one.property !== undefined)
        properties.push(one.property)
    }
    this.counterSignatures = withEmptiedParents(properties)
  }

  /** Whether there is no use in looking at a signature again when others turned out to be later. */
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

  /** Whether it was refused for what another order would mend: a digest, or that what it is over was taken for absent. */
  private mayBeOrder({ element }: FoundSignature): boolean {
    const outcome = this.outcomes.get(element)
    if (outcome === undefined || outcome.valid !== undefined) return false
    const { error } = outcome
    return error instanceof RegistryError && ['digest', 'nothingSigned'].includes(String(error.details?.reason))
  }

  /**
   * All that hold were added later; none was; those over the whole document or another signature were, and not those over a
   * part. Each with the counter-signatures as they stand, and again as if all of them were added later.
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
