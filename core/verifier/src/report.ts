import type { ErrorDetails } from './error.js'
import type { SignerVerdict, Verdict } from './verdict.js'
import type { Certificate } from './x509/certificate.js'

/** A certificate as reports name it. */
export interface CertificateReport {
  /** RFC 4514. */
  readonly subject: string
  readonly issuer: string
  /** Lower-case hexadecimal, as `sha256` is. */
  readonly serialNumber: string
  readonly sha256: string
}

/** What was checked of one signature, in which order, with which sources, and what is missing. */
export interface SignatureReport
  extends Pick<SignerVerdict, 'indication' | 'subIndication' | 'conclusion' | 'document' | 'covers' | 'missing'> {
  /** The time that the conclusion is about. */
  readonly time: string
  readonly signType: 'cms' | 'xml' | undefined
  readonly signAlgorithm: string | undefined
  /** What the document must hash to: hexadecimal by the OID of the algorithm. */
  readonly digests: readonly { readonly oid: string; readonly value: string }[]
  readonly signer: CertificateReport | undefined
  readonly timeStamp:
    | {
        readonly genTime: string
        readonly policy: string
        readonly serialNumber: string
        readonly authority: CertificateReport
      }
    | undefined
  /** From the signer to the trust anchor. */
  readonly path: readonly CertificateReport[]
  readonly status:
    | {
        readonly source: 'ocsp'
        readonly thisUpdate: string
        readonly producedAt: string
        readonly responder: CertificateReport
      }
    | {
        readonly source: 'crl'
        readonly crls: readonly { readonly issuer: string; readonly thisUpdate: string; readonly sha256: string }[]
      }
    | undefined
  readonly checks: readonly {
    readonly check: string
    readonly subject: string
    readonly at: string
    readonly outcome: 'passed' | 'failed'
    readonly reason: string | undefined
  }[]
  readonly refusal: { readonly code: string; readonly details: ErrorDetails } | undefined
}

/** A verdict for another system to keep: JSON, whose fields stay as they are within a `version`. Times are ISO 8601, in UTC. */
export interface VerificationReport extends Pick<Verdict, 'indication' | 'subIndication'> {
  readonly version: 1
  /** The moment of judging. */
  readonly at: string
  readonly signatures: readonly SignatureReport[]
}

/** The report of a verdict; near in spirit to the validation report of ETSI TS 119 102-2, whose indications it has. */
export const reportOf = ({ indication, subIndication, at, signatures }: Verdict): VerificationReport => ({
  version: 1,
  at: iso(at),
  indication,
  subIndication,
  signatures: signatures.map(signatureReport),
})

function signatureReport(verdict: SignerVerdict): SignatureReport {
  const { indication, subIndication, conclusion, document, covers, missing, signature, proof } = verdict
  return {
    ...{ indication, subIndication, conclusion, document, covers, missing },
    time: iso(verdict.time),
    signType: signature?.signType,
    signAlgorithm: signature?.signAlgorithm,
    digests: signature?.digests.map(({ oid, value }) => ({ oid, value: Buffer.from(value).toString('hex') })) ?? [],
    signer: signature && certificateReport(signature.signer),
    timeStamp: proof?.timeStamp && {
      genTime: iso(proof.timeStamp.genTime),
      policy: proof.timeStamp.policy,
      serialNumber: proof.timeStamp.info.serialNumber,
      authority: certificateReport(proof.timeStamp.signer),
    },
    path: proof?.path.certificates.map(certificateReport) ?? [],
    status: proof && statusReport(proof),
    checks: verdict.checks.map(({ at, reason, ...check }) => ({ ...check, at: iso(at), reason })),
    refusal: verdict.refusal && { code: verdict.refusal.code, details: withoutChecks(verdict.refusal.details ?? {}) },
  }
}

function statusReport({ status, crlProof }: NonNullable<SignerVerdict['proof']>): SignatureReport['status'] {
  if (status !== undefined) {
    const { thisUpdate, producedAt, responder } = status
    return {
      source: 'ocsp',
      thisUpdate: iso(thisUpdate),
      producedAt: iso(producedAt),
      responder: certificateReport(responder),
    }
  }
  const crls = crlProof?.crls.map(({ issuer, thisUpdate, fingerprint }) => ({
    issuer: issuer.toString(),
    thisUpdate: iso(thisUpdate),
    sha256: fingerprint,
  }))
  return crls && { source: 'crl', crls }
}

const certificateReport = ({ subject, issuer, serialNumber, fingerprint }: Certificate): CertificateReport => ({
  subject: subject.toString(),
  issuer: issuer.toString(),
  serialNumber,
  sha256: fingerprint,
})

/** They stand in the report already. */
function withoutChecks({ checks: _, ...details }: ErrorDetails): ErrorDetails {
  return details
}

const iso = (time: number): string => new Date(time).toISOString()
