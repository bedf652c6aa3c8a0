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

/** A CMS or XML to verify. */
export interface JudgedInput extends GivenSignature {
  /** Candidates for the signed document, where the signature is detached. */
  readonly documents: readonly NamedDocument[]
  /** Stored evidence besides what it carries. */
  readonly evidence?: Evidence
  /** Evidence that came beside it, which proves no more than what it carries: anybody may have put it there. */
  readonly beside?: Omit<Evidence, 'signType' | 'signature'> & {
    /** When somebody else is proved to have seen it with all of that, milliseconds. */
    readonly existedAt?: number | undefined
  }
  /** Evidence that its file has beside all signatures, which counts as what it carries. */
  readonly alongside?: {
    readonly answers: readonly Uint8Array[]
    readonly crls: readonly Uint8Array[]
    /** Concatenated DER. */
    readonly certificates: Uint8Array
  }
}

/** What identifies a signature, and the evidence that it carries. */
export interface SignatureMarks extends Pick<ReadSignature, 'fingerprint' | 'timeStamp' | 'ocsp'> {
  /** All tokens over its value that it carries: more than the first may be there. */
  readonly tokens?: readonly Uint8Array[]
}

/** The verdict on a signature, and the marks of each readable signer in the same order. */
export interface JudgedSignature {
  readonly verdict: CheckedSignature
  readonly marks: readonly (SignatureMarks | undefined)[]
}

/** What signatures are verified against. */
export interface Judging {
  readonly policy: SignaturePolicy
  readonly trust: Trust
  readonly now: number
}

/** Verifies a signature; for input that is no signature the verdict says so. */
export function judgeSignature(
  { documents, evidence, beside, alongside, ...given }: JudgedInput,
  { policy, trust, now }: Judging,
): JudgedSignature {
  const known = evidence ? knownOf(evidence) : beside && besideOf(beside)
  const more = alongside && {
    alongside,
    candidates: [...(known?.candidates ?? []), ...readCertificates(alongside.certificates)],
  }
  const signature = known === undefined && more === undefined ? given : { ...given, known: { ...known, ...more } }
  const { at, signatures } = verifyFiles(
    { signatures: [signature], documents },
    { ...policy, signingCertificate: requiredOf(policy), trust, at: now },
  )
  return {
    verdict: { ...worstOf(signatures), judgedAt: at, signatures: signatures.map(checkedSigner) },
    marks: signatures.map(({ signature }) => signature && marksOf(signature)),
  }
}

/** Keys under other certificates only matter for signatures that are registered. */
export const requiredOf = ({ signingCertificate }: SignaturePolicy): SigningCertificateRule =>
  signingCertificate === 'required' ? 'required' : 'optional'

/** What is known of a registered signature: its evidence is stored, and some checks were made at registration. */
export const knownOf = ({
  timeStamp,
  ocsp,
  crls,
  certificates,
  existedAt,
}: Evidence): NonNullable<GivenSignature['known']> => ({
  evidence: { timeStamp, ocsp, crls, existedAt },
  candidates: readCertificates(certificates),
  signingCertificate: 'optional',
  tsaExpiry: 'accept',
})

const besideOf = ({
  timeStamp,
  ocsp,
  crls,
  certificates,
  existedAt,
}: NonNullable<JudgedInput['beside']>): NonNullable<GivenSignature['known']> => ({
  evidence: { timeStamp, ocsp, crls, existedAt },
  candidates: readCertificates(certificates),
})

/** The part of a verdict that ranks it. */
interface Ranked {
  readonly indication: Judged['indication']
  readonly subIndication?: string | undefined
  readonly covers?: Judged['covers']
}

/** The worst verdict except those of counter-signatures, the first of equals; unknown for none. */
export function worstOf(
  signatures: readonly Ranked[],
): Pick<CheckedSignature, 'valid' | 'indication' | 'subIndication'> {
  const own = signatures.filter(({ covers }) => covers !== 'signature')
  const ranked = own.length === 0 ? signatures : own
  const outcome = worstOutcome(ranked.map(outcomeOf))
  const { indication = 'INDETERMINATE', subIndication } = ranked.find((one) => outcomeOf(one) === outcome) ?? {}
  return { valid: outcome === 'proved', indication, ...(subIndication && { subIndication }) }
}

/** The first error of input that is no signature. */
export function unreadable(signatures: readonly CheckedSigner[]): RegistryError | undefined {
  for (const { signType, refusal } of signatures) {
    if (signType !== undefined || refusal === undefined || !isOurs(refusal.code)) continue
    const { code, reason } = refusal
    if (signatureErrors.texts[code].kind === 'invalid') return signatureErrors.error(code, reason ? { reason } : {})
  }
  return undefined
}

const isOurs = (code: string): code is keyof typeof signatureErrors.texts => Object.hasOwn(signatureErrors.texts, code)

const marksOf = ({ fingerprint, timeStamp, ocsp, carried }: ReadSignature): SignatureMarks => ({
  fingerprint,
  tokens: carried.timeStamps.map(({ token }) => token),
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
