import { DerError } from '../der/reader.js'
import { RegistryError } from '../error.js'
import type { CarriedEvidence, UnusedEvidence } from '../signature.js'
import type { Certificate } from '../x509/certificate.js'
import { Crl } from '../x509/crl.js'
import { CrlSigners, type PoolContext } from './crl-signers.js'
import { type OcspAnswer, readAnswer } from './ocsp-answer.js'

/** Evidence out of one place. */
export interface EvidenceSet extends Pick<CarriedEvidence, 'answers' | 'crls'> {
  /** The caller's own: CRLs of it are not looked at before they are taken. */
  readonly isGiven?: boolean
}

/** What finding the signers of carried CRLs may cost in one verification: some hundred signatures. */
const CARRIED_STEPS = 200_000

/**
 * Every OCSP answer and CRL at hand about whichever certificate, whoever brought it; the CRLs of the trust count beside
 * them. A pool serves one verification.
 */
export class EvidencePool {
  /** Who signed each answer, as found out once. */
  readonly responders = new Map<OcspAnswer, Map<string, Certificate | RegistryError>>()

  private constructor(
    readonly answers: readonly OcspAnswer[],
    readonly crls: readonly Crl[],
    /** Carried CRLs of which no authority at hand is the signer: others may come. */
    private readonly pending: readonly Crl[],
    private readonly notParsed: readonly UnusedEvidence[],
    private readonly crlSigners: CrlSigners,
  ) {}

  /** A pool with nothing in it. */
  static empty(): EvidencePool {
    return new EvidencePool([], [], [], [], new CrlSigners(CARRIED_STEPS))
  }

  /** What cannot be read, and CRLs of nobody at hand. */
  get unused(): readonly UnusedEvidence[] {
    const ofNobody = this.pending.map(
      ({ thisUpdate }) => ({ kind: 'crl', reason: 'notAuthentic', time: thisUpdate }) as const,
    )
    return [...this.notParsed, ...ofNobody]
  }

  /** The answer with these octets. */
  find(response: Uint8Array): OcspAnswer | undefined {
    return this.answers.find((answer) => isSame(answer.response, response))
  }

  /**
   * The pool with more in it, and with authorities who may have signed what is pending; itself where that is nothing new.
   * Carried CRLs that no authority signed are left out: whoever adds such to a signature must not wear its budget down.
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
