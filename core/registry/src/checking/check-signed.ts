import { setImmediate } from 'node:timers/promises'
import { coveredFingerprint, FindSignature, type KnownSignature, type NamedFile } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { type CheckedSignature, type JudgedInput, JudgeSignature, type SignatureMarks } from '../signatures/index.js'

/**
 * Judges a signature by the evidence that it carries and, where it is registered and the caller may view its document, by
 * the registry's. Asks no authority, and stores nothing.
 */
export class CheckSigned {
  static readonly inject = { judging: JudgeSignature, finding: FindSignature }

  constructor(private readonly use: Injected<typeof CheckSigned.inject>) {}

  /** Never throws for a malformed signature: the verdict says so. `named` is one of the files that a signature over several names. */
  async check(caller: Caller, input: JudgedInput, named?: NamedFile): Promise<CheckedSignature> {
    const { verdict, known } = await this.look(caller, input, named)
    const evidence = ownKnown(known)?.evidence
    const { signatures, ...rest } = evidence ? (await this.use.judging.judge({ ...input, evidence })).verdict : verdict
    const registered = (at: number) => {
      const found = known[at]
      return found && { registered: found.registered }
    }
    return { ...rest, signatures: signatures.map((one, at) => ({ ...one, ...registered(at) })) }
  }

  /**
   * As `check`, and as of when somebody else is proved to have seen the signature, where it is left open today: by what they saw, unless
   * what else is known of it takes that away.
   */
  async seen(
    caller: Caller,
    input: JudgedInput,
    seen: SignatureSeen | undefined,
  ): Promise<CheckedSignature['signatures']> {
    const { signatures } = await this.check(caller, input)
    if (seen === undefined || !signatures.some(isOpen)) return signatures
    const { existedAt } = seen.beside
    const then = (await this.check(caller, { ...input, ...seen })).signatures
    const beside = input.beside && { ...input.beside, existedAt }
    const withMore = (await this.check(caller, { ...input, ...(beside && { beside }) })).signatures
    return signatures.map((one, at) => {
      const other = then.length === signatures.length ? then[at] : undefined
      const isProved = other?.conclusion === 'validAt' && withMore[at]?.conclusion === 'validAt'
      return isOpen(one) && isProved ? other : one
    })
  }

  /** What the registry has of a signature that is registered under a document that the caller may view. */
  async kept(caller: Caller, input: JudgedInput): Promise<KnownSignature | undefined> {
    const known = ownKnown((await this.look(caller, input)).known)
    return known?.evidence === undefined ? undefined : known
  }

  private async look(caller: Caller, input: JudgedInput, named?: NamedFile) {
    // Lets other requests run between signatures.
    await setImmediate()
    const { verdict, marks } = await this.use.judging.judge(input)
    const known: (KnownSignature | undefined)[] = []
    for (const one of marks) known.push(one && (await this.use.finding.known(caller, markAs(one, named))))
    return { verdict, known }
  }
}

/** What a signature is registered by: one over several files is registered under each. */
const markAs = (marks: SignatureMarks, named: NamedFile | undefined): SignatureMarks =>
  named === undefined ? marks : { ...marks, fingerprint: coveredFingerprint(marks.fingerprint, named) }

/** A signature with its evidence as somebody else is proved to have seen both. */
export interface SignatureSeen extends Pick<JudgedInput, 'signed'> {
  readonly beside: NonNullable<JudgedInput['beside']>
}

const isOpen = ({ indication, conclusion }: CheckedSignature['signatures'][number]): boolean =>
  indication === 'INDETERMINATE' && conclusion !== 'validAt'

/** Evidence belongs to one signer: registered signatures have exactly one. */
const ownKnown = (known: readonly (KnownSignature | undefined)[]): KnownSignature | undefined =>
  known.length === 1 ? known[0] : undefined
