import {
  type Certificate,
  calledName,
  type FilesVerdict,
  type GivenSignature,
  type ReportLanguage,
  type ReportOptions,
  reportHtml,
  reportOf,
  reportXml,
  type VerifyOptions,
  verifyFiles,
} from '@signed-registry/verifier'
import {
  joinedVerdicts,
  type LoggedDocument,
  type LoggedSignature,
  LogJudgement,
  type LogVerdict,
  overOf,
} from '@signed-registry/verifier/evidence'
import { type Judging, knownOf, requiredOf } from './judgement.js'
import { signatureFile } from './reported-files.js'
import type { SignatureCoverage } from './schema.js'
import { statedCoverage } from './signature-facts.js'
import type { Evidence } from './signature-verifier.js'

/** A document with its registered signatures, to be reported on in a bundle. */
export interface BundledDocument {
  readonly name: string
  readonly size: number
  readonly digests: ReadonlyMap<string, Uint8Array>
  readonly signatures: readonly {
    readonly name: string
    readonly signed: Uint8Array
    readonly evidence: Evidence
  }[]
  /** The same as the transparency log has it; `undefined` where the registry keeps none. */
  readonly logged:
    | {
        readonly document: LoggedDocument
        readonly signatures: readonly LoggedSignature[]
        /** Verifier keys of the logs. */
        readonly logKeys: readonly string[]
      }
    | undefined
}

/** What a bundle says of a signature beside its evidence. */
export interface BundledSigner {
  readonly signer: string
  /** What its time stamp is over. */
  readonly stamped: Uint8Array
}

/** Reports on all signatures of a bundle, and what they rest on. */
export interface BundledReport {
  readonly html: Readonly<Record<ReportLanguage, string>>
  readonly xml: string
  /** Certificates of all paths, DER, in the order of the signatures. */
  readonly certificates: readonly Uint8Array[]
  /** SHA-256 of the trust anchors among them, hexadecimal. */
  readonly anchors: readonly string[]
  /** OIDs of the policies of the time stamps. */
  readonly timeStampPolicies: readonly string[]
  /** Of all documents, one behind the other. Not there for a signature that cannot be read. */
  readonly signers: readonly (BundledSigner | undefined)[]
}

/** Verifies registered signatures as of a moment and reports on them. */
export function reportBundle(documents: readonly BundledDocument[], { policy, trust, now }: Judging): BundledReport {
  const options = { ...policy, signingCertificate: requiredOf(policy), trust, at: now }
  const verdict: FilesVerdict = {
    at: now,
    ...joinedVerdicts(documents.map((one) => verifyFiles(givenFiles(one), options))),
  }
  const files = documents.flatMap(({ name, size, digests, signatures }) => [
    ...signatures.map(signatureFile),
    { name, size, digests, isGiven: true },
  ])
  const log = documents.flatMap((one) => logged(one, verdict, options))
  const about: ReportOptions = { files, algorithms: policy.algorithms, log }
  const html = (language: ReportLanguage) => reportHtml(reportOf(verdict, { ...about, language }))
  const certificates = distinct(verdict.signatures.flatMap(certificatesOf))
  const anchors = new Set(trust.anchors.map(({ fingerprint }) => fingerprint))
  return {
    html: { kk: html('kk'), ru: html('ru'), en: html('en') },
    xml: reportXml(verdict, about),
    certificates: certificates.map(({ der }) => der),
    anchors: certificates.map(({ fingerprint }) => fingerprint).filter((one) => anchors.has(one)),
    timeStampPolicies: [...new Set(verdict.signatures.flatMap(({ proof }) => proof?.timeStamp?.policy ?? []))],
    signers: verdict.signatures.map(signerOf),
  }
}

/** What the log proves of a document and its signatures; whose log that is the registry does not vouch for. */
function logged(
  { logged: found }: BundledDocument,
  verdict: FilesVerdict,
  options: Omit<VerifyOptions, 'at'> & { readonly at: number },
): LogVerdict[] {
  if (found === undefined) return []
  const { document, signatures, logKeys } = found
  const judgement = new LogJudgement({}, logKeys, { ...options, now: options.at, evidence: undefined })
  const judgedOf = (file: string) => verdict.signatures.find((one) => one.file === file)
  return [
    ...judgement.digests(document),
    ...signatures.flatMap((one) => judgement.signature(one, document.statement, judgedOf(one.statement.signature))),
  ]
}

const givenFiles = ({ name, size, digests, signatures }: BundledDocument) => ({
  signatures: signatures.map(({ evidence, ...one }) => ({
    ...one,
    known: knownOf(evidence),
    ...overCovered(one.signed, evidence.coverage, { name, document: digests }),
  })),
  documents: [{ name, size, document: digests }],
})

/** A signature that is over less or more than the document was compared with it when both were registered. */
function overCovered(
  signed: Uint8Array,
  coverage: SignatureCoverage | undefined,
  document: NonNullable<GivenSignature['over']>,
): Pick<GivenSignature, 'over'> {
  if (coverage === undefined) return {}
  const digests = Object.entries(coverage.digests).map(([oid, value]) => [oid, Buffer.from(value, 'base64')] as const)
  const statement = { coverage: statedCoverage(coverage) }
  return overOf({ statement, signed }, document, new Map(digests))
}

type Judged = FilesVerdict['signatures'][number]

const signerOf = ({ signature }: Judged): BundledSigner | undefined =>
  signature && {
    signer: calledName(signature.signer.subject),
    stamped: signature.timeStamp?.imprinted ?? signature.signatureValue,
  }

function certificatesOf({ proof }: Judged): readonly Certificate[] {
  if (proof === undefined) return []
  const { path, timeStamp, status, crlProof } = proof
  return [
    ...path.certificates,
    ...(timeStamp?.path.certificates ?? []),
    ...(status === undefined ? [] : [status.responder]),
    ...(crlProof?.signers ?? []),
  ]
}

const distinct = (certificates: readonly Certificate[]): Certificate[] => [
  ...new Map(certificates.map((one) => [one.fingerprint, one])).values(),
]
