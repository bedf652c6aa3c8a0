import { type AlgorithmPolicy, defaultAlgorithmPolicy } from '../algorithms/policy.js'
import { DerError } from '../der/reader.js'
import { RegistryError } from '../error.js'
import { Budget, DEFAULT_STEPS } from '../path/budget.js'
import { certificatesOf } from '../path/candidate-issuers.js'
import type { Trust } from '../path/trust.js'
import type { CarriedEvidence, UnusedEvidence } from '../signature.js'
import type { Certificate } from '../x509/certificate.js'
import { Crl } from '../x509/crl.js'
import { isIssuedBy, isUnderAnchor } from './crl-issuer.js'
import { type OcspAnswer, readAnswer } from './ocsp-answer.js'

/** What decides which CRLs are somebody's. */
export interface PoolContext {
  readonly trust: Trust
  /** The clock, milliseconds since the epoch. */
  readonly now: number
  readonly algorithms?: AlgorithmPolicy | undefined
  readonly candidates?: readonly Certificate[] | undefined
}

type Pieces = Pick<CarriedEvidence, 'answers' | 'crls'>

/**
 * Every OCSP answer and CRL at hand about whichever certificate, whoever brought it; the CRLs of the trust count beside
 * them. A pool serves one verification.
 */
export class EvidencePool {
  /** Who signed each answer, as found out once. */
  readonly responders = new Map<OcspAnswer, Map<string, Certificate | RegistryError>>()
  /** Answers that are being judged: none of them has a say about who signed it. */
  readonly underJudgement = new Set<OcspAnswer>()

  /** Whether nothing is in it but answers that are being judged. */
  get isSilent(): boolean {
    return this.crls.length === 0 && this.answers.length <= this.underJudgement.size
  }

  private constructor(
    readonly answers: readonly OcspAnswer[],
    /** Those that an authority under a trust anchor signed. */
    readonly crls: readonly Crl[],
    /** What cannot be read, and CRLs of nobody. */
    readonly unused: readonly UnusedEvidence[],
  ) {}

  /** A pool with nothing in it. */
  static empty(): EvidencePool {
    return new EvidencePool([], [], [])
  }

  /** The answer with these octets. */
  find(response: Uint8Array): OcspAnswer | undefined {
    return this.answers.find((answer) => isSame(answer.response, response))
  }

  /** The pool with more in it; itself where that is nothing new. */
  with(pieces: readonly Pieces[], context: PoolContext): EvidencePool {
    const unused: UnusedEvidence[] = []
    const newAnswers: OcspAnswer[] = []
    const parsed: Crl[] = []
    for (const { answers, crls } of pieces) {
      for (const bytes of answers)
        if (!hasAnswer(this.answers, bytes) && !hasAnswer(newAnswers, bytes))
          newAnswers.push(...readOr(unused, 'ocsp', () => readAnswer(bytes)))
      for (const bytes of crls)
        if (!hasCrl(this.crls, bytes) && !hasCrl(parsed, bytes))
          parsed.push(...readOr(unused, 'crl', () => Crl.parse(bytes)))
    }
    const newCrls = parsed.length === 0 ? parsed : authentic(parsed, context, unused)
    if (newAnswers.length + newCrls.length + unused.length === 0) return this
    return new EvidencePool([...this.answers, ...newAnswers], [...this.crls, ...newCrls], [...this.unused, ...unused])
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

/** Leaves out CRLs that no authority under an anchor signed: whoever adds such to a signature must not wear its budget down. */
function authentic(crls: readonly Crl[], context: PoolContext, unused: UnusedEvidence[]): Crl[] {
  const { trust, now, algorithms = defaultAlgorithmPolicy, candidates = [] } = context
  const budget = new Budget(DEFAULT_STEPS)
  const rules = { trust, now, algorithms, candidates, budget }
  return crls.filter((crl) => {
    const isSomebodys = !budget.exhausted && unlessExhausted(budget, () => isOfAuthority(crl))
    if (!isSomebodys) unused.push({ kind: 'crl', reason: 'notAuthentic', time: crl.thisUpdate })
    return isSomebodys
  })

  function isOfAuthority(crl: Crl): boolean {
    return certificatesOf(crl.issuer, trust, candidates).some(
      (signer) => isIssuedBy(crl, signer, rules) && isUnderAnchor(signer, within(crl, signer), trust.anchors, rules),
    )
  }
}

/** The CRL's time within the signer's: a certificate that was renewed for the same key is younger than CRLs of before. */
const within = ({ thisUpdate }: Crl, { notBefore, notAfter }: Certificate): number =>
  Math.min(Math.max(thisUpdate, notBefore), notAfter)

function unlessExhausted(budget: Budget, judge: () => boolean): boolean {
  try {
    return judge()
  } catch (error) {
    if (error instanceof RegistryError && budget.exhausted) return false
    throw error
  }
}
