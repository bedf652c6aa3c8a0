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
import type { SignaturePolicy } from './signature-policy.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'

/** Signatures and documents that a report is made of; of documents their digests alone are here. */
export interface ReportedInput {
  readonly signatures: readonly (GivenSignature & { readonly signed: string })[]
  readonly documents: readonly (GivenDocument & { readonly document: ReadonlyMap<string, Uint8Array> })[]
  readonly language: ReportLanguage
}

/** A report in each of its forms. */
export interface MadeReport extends Pick<FilesVerdict, 'outcome'> {
  readonly forms: Readonly<Record<ReportForm, string>>
}

/** Judges files as `judgeSignature` does one, and reports on them. */
export function reportFiles(
  { signatures, documents, language }: ReportedInput,
  { policy, trust, now }: { readonly policy: SignaturePolicy; readonly trust: Trust; readonly now: number },
): MadeReport {
  const verdict = verifyFiles(
    { signatures, documents },
    {
      ...policy,
      signingCertificate: policy.signingCertificate === 'required' ? 'required' : 'optional',
      trust,
      at: now,
    },
  )
  const given = documents.map(({ name, size, document }) => ({ name, size, digests: document, isGiven: true }))
  const files = [...signatures.map(signatureFile), ...given]
  const options: ReportOptions = { files, language, algorithms: policy.algorithms }
  const report = reportOf(verdict, options)
  const forms = { json: reportJson(report), html: reportHtml(report), xml: reportXml(verdict, options) }
  return { outcome: verdict.outcome, forms }
}

/** What came as base64 is a file of what that says. */
function signatureFile({ name, signed }: ReportedInput['signatures'][number]): ReportedFile {
  const bytes = binary(signed)
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
