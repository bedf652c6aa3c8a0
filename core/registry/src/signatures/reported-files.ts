import {
  decodeSignature,
  digest,
  type FilesVerdict,
  type GivenDocument,
  type GivenSignature,
  type ReportedFile,
  type ReportForm,
  type ReportLanguage,
  type ReportOptions,
  reportHtml,
  reportJson,
  reportOf,
  reportXml,
  type Trust,
  verifyFiles,
} from '@signed-registry/verifier'
import type { LogVerdict } from '@signed-registry/verifier/evidence'
import { knownOf, requiredOf } from './judgement.js'
import type { SignaturePolicy } from './signature-policy.js'
import type { Evidence } from './signature-verifier.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'

/** A signature, with its stored evidence where that may be shown. */
export interface ReportedSignature extends GivenSignature {
  readonly signed: string
  readonly evidence?: Evidence | undefined
}

/** Signatures and documents to report on; documents by their digests only. */
export interface ReportedInput {
  readonly signatures: readonly ReportedSignature[]
  readonly documents: readonly (GivenDocument & { readonly document: ReadonlyMap<string, Uint8Array> })[]
  readonly language: ReportLanguage
  /** What the transparency log proves of those that are registered. */
  readonly log?: readonly LogVerdict[]
}

/** A report in each of its forms. */
export interface MadeReport extends Pick<FilesVerdict, 'outcome'> {
  readonly forms: Readonly<Record<ReportForm, string>>
}

/** Verifies files as `judgeSignature` does and reports on them. */
export function reportFiles(
  { signatures, documents, language, log = [] }: ReportedInput,
  { policy, trust, now }: { readonly policy: SignaturePolicy; readonly trust: Trust; readonly now: number },
): MadeReport {
  const known = signatures.map(({ evidence, ...one }) =>
    evidence === undefined ? one : { ...one, known: knownOf(evidence) },
  )
  const options = { ...policy, signingCertificate: requiredOf(policy), trust, at: now }
  // Only the caller says which bytes of a file were signed, so the report must not claim that all of it was.
  const told = documents.map(({ name, document }) => ({ name, document }))
  const verdict = verifyFiles({ signatures: known, documents: told }, options)
  const given = documents.map(({ name, size, document }) => ({ name, size, digests: document, isGiven: true }))
  const files = [...signatures.map(signatureFile), ...given]
  const about: ReportOptions = { files, language, algorithms: policy.algorithms, log }
  const report = reportOf(verdict, about)
  const forms = { json: reportJson(report), html: reportHtml(report), xml: reportXml(verdict, about) }
  return { outcome: report.outcome, forms }
}

/** A signature that came as base64 is reported as the file that it encodes. */
export function signatureFile({ name, signed }: { name: string; signed: string | Uint8Array }): ReportedFile {
  const bytes = typeof signed === 'string' ? binary(signed) : signed
  return { name, size: bytes.length, digests: new Map([[SHA_256, digest(SHA_256, bytes)]]) }
}

function binary(signed: string): Uint8Array {
  if (/^\s*[<-]/.test(signed)) return Buffer.from(signed)
  try {
    return decodeSignature(signed)
  } catch {
    return Buffer.from(signed)
  }
}
