import type { ErrorDetails } from '../error.js'
import type { TimeStamp } from '../timestamp/verify-time-stamp.js'
import type { SignerVerdict } from '../verdict.js'
import { type CertificateReport, certificateReport } from './certificate-report.js'
import { type DigestReport, digestReport } from './file-report.js'
import { type Finding, findingOf } from './finding.js'
import { calledName, identityOf } from './names.js'
import { type StatusReport, statusReport } from './status-report.js'
import { utc } from './utc.js'
import type { ReportWords } from './words-en.js'

/** A time stamp that something rests on. */
export interface TimeStampReport {
  readonly genTime: string
  readonly policy: string
  /** Of the time stamp, lower-case hexadecimal. */
  readonly serialNumber: string
  readonly authority: CertificateReport
  /** From the authority to the trust anchor. */
  readonly path: readonly CertificateReport[]
}

/** What was checked of one signature, in which order, with which sources, and what is missing. */
export interface SignatureReport
  extends Pick<
    SignerVerdict,
    | 'indication'
    | 'subIndication'
    | 'conclusion'
    | 'document'
    | 'over'
    | 'covers'
    | 'coverage'
    | 'missing'
    | 'unsupported'
  > {
  /** The file that it came in, where there were several. */
  readonly file: string | undefined
  readonly finding: Finding
  /** The verdict in words, and what to do. */
  readonly says: string
  readonly next: string | undefined
  /** The time that the conclusion is about. */
  readonly time: string
  /** The earliest time that it is proved to have existed at, and what keeps that proof good. */
  readonly existedAt: { readonly time: string; readonly by: NonNullable<SignerVerdict['existedAt']>['by'] } | undefined
  readonly signType: 'cms' | 'xml' | undefined
  readonly signAlgorithm: string | undefined
  /** What the document must hash to. */
  readonly digests: readonly DigestReport[]
  readonly signer: CertificateReport | undefined
  /** Whom the signer's certificate names. */
  readonly person: { readonly name: string; readonly userId?: string; readonly businessId?: string } | undefined
  readonly timeStamp: TimeStampReport | undefined
  /** From the signer to the trust anchor. */
  readonly path: readonly CertificateReport[]
  readonly status: StatusReport | undefined
  /** OIDs of unsigned attributes that nothing rests on. */
  readonly ignoredAttributes: readonly string[]
  /** Certificates that nobody was asked about. */
  readonly unasked: readonly CertificateReport[]
  /** Evidence that nothing rests on. */
  readonly unused: readonly { readonly kind: string; readonly reason: string; readonly time: string | undefined }[]
  readonly checks: readonly {
    readonly check: string
    readonly subject: string
    readonly at: string
    readonly outcome: 'passed' | 'failed'
    readonly reason: string | undefined
  }[]
  readonly refusal: { readonly code: string; readonly details: ErrorDetails } | undefined
}

/** The report of one signature. */
export function signatureReport(
  verdict: SignerVerdict & { readonly file?: string },
  words: ReportWords,
): SignatureReport {
  const { indication, subIndication, conclusion, document, over, covers, coverage, missing, unsupported } = verdict
  const { signature, proof, refusal } = verdict
  const finding = findingOf(verdict)
  const { says, next } = words.finding[finding]
  return {
    ...{ file: verdict.file, indication, subIndication, conclusion, finding, says },
    next: unsupported === undefined ? next : words.advice[unsupported.feature],
    ...{ document, over, covers, coverage, missing, unsupported },
    time: utc(verdict.time),
    existedAt: verdict.existedAt && { time: utc(verdict.existedAt.time), by: verdict.existedAt.by },
    signType: signature?.signType,
    signAlgorithm: signature?.signAlgorithm,
    digests: signature?.digests.map(({ oid, value }) => digestReport(oid, value)) ?? [],
    signer: signature && certificateReport(signature.signer),
    person: signature && personReport(signature),
    timeStamp: proof?.timeStamp && timeStampReport(proof.timeStamp),
    path: proof?.path.certificates.map(certificateReport) ?? [],
    status: proof && statusReport(proof),
    ignoredAttributes: signature?.ignoredAttributes ?? [],
    unasked: verdict.unasked.map(certificateReport),
    unused: verdict.unused.map(({ kind, reason, time }) => ({
      ...{ kind, reason },
      time: time === undefined ? undefined : utc(time),
    })),
    checks: verdict.checks.map(({ at, reason, ...check }) => ({ ...check, at: utc(at), reason })),
    refusal: refusal && { code: refusal.code, details: withoutChecks(refusal.details ?? {}) },
  }
}

function personReport({ signer }: NonNullable<SignerVerdict['signature']>): SignatureReport['person'] {
  const { userId, businessId } = identityOf(signer)
  return { name: calledName(signer.subject), ...(userId && { userId }), ...(businessId && { businessId }) }
}

const timeStampReport = ({ genTime, policy, info, signer, path }: TimeStamp): TimeStampReport => ({
  genTime: utc(genTime),
  policy,
  serialNumber: info.serialNumber,
  authority: certificateReport(signer),
  path: path.certificates.map(certificateReport),
})

/** They stand in the report already. */
function withoutChecks({ checks: _, ...details }: ErrorDetails): ErrorDetails {
  return details
}
