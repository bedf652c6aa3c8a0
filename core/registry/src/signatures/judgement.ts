import {
  type Certificate,
  type Coverage,
  type GivenSignature,
  type SignerVerdict as Judged,
  type NamedDocument,
  outcomeOf,
  type ReadSignature,
  type RegistryError,
  type SigningCertificateRule,
  signatureErrors,
  type Trust,
  verifyFiles,
  worstOutcome,
} from '@signed-registry/verifier'
import type { CheckedSignature, CheckedSigner } from './checked-signature.js'
import { readCertificates } from './read-signature.js'
import { holderFacts, nameStructure, ocspFacts, tspFacts } from './signature-facts.js'
import type { SignaturePolicy } from './signature-policy.js'
import type { Evidence } from './signature-verifier.js'

/** A CMS or XML to judge. */
export interface JudgedInput extends GivenSignature {
  /** What it may be over, where it does not carry that. */
  readonly documents: readonly NamedDocument[]
  /** What a registry keeps to prove it, beside what it carries. */
  readonly evidence?: Evidence
}

/** What tells a signature from every other, and the evidence that it carries. */
export type SignatureMarks = Pick<ReadSignature, 'fingerprint' | 'timeStamp' | 'ocsp'>

/** The verdict on a signature, and the marks of each signer's in the same order, of those that could be read. */
export interface JudgedSignature {
  readonly verdict: CheckedSignature
  readonly marks: readonly (SignatureMarks | undefined)[]
}

/** What signatures are judged by. */
export interface Judging {
  readonly policy: SignaturePolicy
  readonly trust: Trust
  readonly now: number
}

/** Judges a signature; what is no signature at all is refused in the verdict. */
export function judgeSignature(
  { documents, evidence, ...given }: JudgedInput,
  { policy, trust, now }: Judging,
): JudgedSignature {
  const signature = evidence === undefined ? given : { ...given, known: knownOf(evidence) }
  const { at, signatures } = verifyFiles(
    { signatures: [signature], documents },
    { ...policy, signingCertificate: requiredOf(policy), trust, at: now },
  )
  return {
    verdict: { ...worstOf(signatures), judgedAt: at, signatures: signatures.map(checkedSigner) },
    marks: signatures.map(({ signature }) => signature && marksOf(signature)),
  }
}

/** Whether a key was seen under another certificate only matters where a signature is to be relied upon for long. */
export const requiredOf = ({ signingCertificate }: SignaturePolicy): SigningCertificateRule =>
  signingCertificate === 'required' ? 'required' : 'optional'

/** What is known of a registered signature: what proves it is kept, and its time stamp and how it names its certificate were judged then. */
export const knownOf = ({ timeStamp, ocsp, crls, certificates }: Evidence): NonNullable<GivenSignature['known']> => ({
  evidence: { timeStamp, ocsp, crls },
  candidates: readCertificates(certificates),
  signingCertificate: 'optional',
  tsaExpiry: 'accept',
})

/** What of a verdict says how bad it is. */
interface Ranked {
  readonly indication: Judged['indication']
  readonly subIndication?: string | undefined
  readonly covers?: Judged['covers']
}

/** The worst of several signatures but counter-signatures, of equals the first; nothing is known where there is none. */
export function worstOf(
  signatures: readonly Ranked[],
): Pick<CheckedSignature, 'valid' | 'indication' | 'subIndication'> {
  const own = signatures.filter(({ covers }) => covers !== 'signature')
  const ranked = own.length === 0 ? signatures : own
  const outcome = worstOutcome(ranked.map(outcomeOf))
  const { indication = 'INDETERMINATE', subIndication } = ranked.find((one) => outcomeOf(one) === outcome) ?? {}
  return { valid: outcome === 'proved', indication, ...(subIndication && { subIndication }) }
}

/** The error of what is no signature at all, of the first such. */
export function unreadable(signatures: readonly CheckedSigner[]): RegistryError | undefined {
  for (const { signType, refusal } of signatures) {
    if (signType !== undefined || refusal === undefined || !isOurs(refusal.code)) continue
    const { code, reason } = refusal
    if (signatureErrors.texts[code].kind === 'invalid') return signatureErrors.error(code, reason ? { reason } : {})
  }
  return undefined
}

const isOurs = (code: string): code is keyof typeof signatureErrors.texts => Object.hasOwn(signatureErrors.texts, code)

const marksOf = ({ fingerprint, timeStamp, ocsp }: ReadSignature): SignatureMarks => ({
  fingerprint,
  ...(timeStamp && { timeStamp }),
  ...(ocsp && { ocsp }),
})

function checkedSigner(judged: Judged & { readonly file: string }): CheckedSigner {
  const { indication, subIndication, conclusion, time, document, over, covers, coverage } = judged
  const { signature, proof, file, missing, unasked, unused, unsupported, checks, refusal } = judged
  return {
    file,
    indication,
    ...(subIndication && { subIndication }),
    ...{ conclusion, time, document },
    ...(over !== undefined && { over }),
    ...(coverage && { coverage: coverageFacts(coverage) }),
    ...(covers && { covers }),
    ...(signature && { signType: signature.signType, signer: holderFacts(signature) }),
    digests: Object.fromEntries(
      (signature?.digests ?? []).map(({ oid, value }) => [oid, Buffer.from(value).toString('base64')]),
    ),
    ...(proof?.timeStamp && { tsp: tspFacts(proof.timeStamp) }),
    ...(proof?.status && { ocsp: ocspFacts(proof.status) }),
    missing: [...missing],
    unasked: unasked.map(certificateFacts),
    unused: unused.map(({ kind, reason, time: made }) => ({ kind, reason, ...(made !== undefined && { time: made }) })),
    ...(unsupported && { unsupported: { ...unsupported } }),
    checks: checks.map(({ check, at, outcome, reason }) => ({ check, at, outcome, ...(reason && { reason }) })),
    ...(refusal && { refusal: refusalOf(refusal) }),
  }
}

const coverageFacts = (coverage: Coverage): NonNullable<CheckedSigner['coverage']> => ({
  of: coverage.of,
  ...(coverage.of === 'ranges' && { ranges: coverage.ranges.map((range) => [...range]) }),
  ...(coverage.of === 'references' && { uris: [...coverage.uris] }),
})

const certificateFacts = ({ subject, issuer, serialNumber }: Certificate): CheckedSigner['unasked'][number] => ({
  subject: subject.toString(),
  subjectStructure: nameStructure(subject),
  issuer: issuer.toString(),
  serialNumber,
})

const refusalOf = ({ code, message, details }: RegistryError): NonNullable<CheckedSigner['refusal']> => ({
  code,
  message,
  ...(typeof details?.reason === 'string' && { reason: details.reason }),
})
