import { DerError } from '../der/reader.js'
import { RegistryError } from '../error.js'
import type { CarriedEvidence, UnusedEvidence } from '../signature.js'
import type { Certificate } from '../x509/certificate.js'
import { Crl } from '../x509/crl.js'
import { CrlSigners, type PoolContext } from './crl-signers.js'
import { type OcspAnswer, readAnswer } from './ocsp-answer.js'

/** Evidence from one source. */
export interface EvidenceSet extends Pick<CarriedEvidence, 'answers' | 'crls'> {
  /** True for the caller's own: its CRLs are accepted without looking for their signers. */
  readonly isGiven?: boolean
}

/** Budget for finding the signers of embedded CRLs in one verification: a few hundred signatures. */
const CARRIED_STEPS = 200_000

/**
 * All available OCSP responses and CRLs, from any source, besides the CRLs of the trust. A pool serves one verification.
 */
export class EvidencePool {
  /** Cache of the responder of each response. */
  readonly responders = new Map<OcspAnswer, Map<string, Certificate | RegistryError>>()

  private constructor(
    readonly answers: readonly OcspAnswer[],
    readonly crls: readonly Crl[],
    /** Embedded CRLs whose signer is not known yet. */
    private readonly pending: readonly Crl[],
    private readonly notParsed: readonly UnusedEvidence[],
    private readonly crlSigners: CrlSigners,
  ) {}

  /** A pool with nothing in it. */
  static empty(): EvidencePool {
    return new EvidencePool([], [], [], [], new CrlSigners(CARRIED_STEPS))
  }

  /** Malformed evidence, and CRLs without a known signer. */
  get unused(): readonly UnusedEvidence[] {
    const ofNobody = this.pending.map(
      ({ thisUpdate }) => ({ kind: 'crl', reason: 'notAuthentic', time: thisUpdate }) as const,
    )
    return [...this.notParsed, ...ofNobody]
  }

  /** The same evidence, without what was found out under other rules or at another time. */
  anew(context: PoolContext): EvidencePool {
    const { answers, crls, pending, notParsed } = this
    return new EvidencePool(answers, crls, pending, notParsed, new CrlSigners(CARRIED_STEPS)).with([], context)
  }

  /** The response with these octets. */
  find(response: Uint8Array): OcspAnswer | undefined {
    return this.answers.find((answer) => isSame(answer.response, response))
  }

  /**
   * The pool with additional evidence, and pending CRLs resolved with new candidates; the same pool if nothing changes.
   * Embedded CRLs without a known signer are left out, so that nobody can exhaust budgets by adding them to a signature.
   */
  with(pieces: readonly EvidenceSet[], context: PoolContext): EvidencePool {
    const notParsed: UnusedEvidence[] = []
    const answers: OcspAnswer[] = []
    const given: Crl[] = []
    const carried: Crl[] = [...this.pending]
    for (const piece of pieces) {
      for (const bytes of piece.answers)
        if (!hasAnswer(this.answers, bytes) && !hasAnswer(answers, bytes))
          answers.push(...readOr(notParsed, 'ocsp', () => readAnswer(bytes)))
      const crls = piece.isGiven === true ? given : carried
      for (const bytes of piece.crls)
        if (!hasCrl(this.crls, bytes) && !hasCrl(crls, bytes))
          crls.push(...readOr(notParsed, 'crl', () => Crl.parse(bytes)))
    }
    const authentic = carried.length === 0 ? carried : this.crlSigners.signed(carried, context)
    if (answers.length + given.length + authentic.length + notParsed.length + carried.length === this.pending.length)
      return this
    return new EvidencePool(
      [...this.answers, ...answers],
      [...this.crls, ...given, ...authentic],
      carried.filter((crl) => !authentic.includes(crl)),
      [...this.notParsed, ...notParsed],
      this.crlSigners,
    )
  }
}

function readOr<T>(unused: UnusedEvidence[], kind: 'ocsp' | 'crl', read: () => T): T[] {
  try {
    return [read()]
  } catch (error) {
    if (!(error instanceof DerError) && !(error instanceof RegistryError)) throw error
    unused.push({ kind, reason: 'notParsed' })
    return []
  }
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
const hasAnswer = (answers: readonly OcspAnswer[], bytes: Uint8Array): boolean =>
  answers.some(({ response }) => isSame(response, bytes))
const hasCrl = (crls: readonly Crl[], bytes: Uint8Array): boolean => crls.some(({ der }) => isSame(der, bytes))
