import { type ByteSource, sourceOf } from '../byte-source.js'
import { isNotDer } from '../der/reader.js'
import type { DocumentContent } from '../document-content.js'
import type { SignatureInFile, SignedFile } from '../signed-file.js'
import type { SignerVerdict } from '../verdict.js'
import { type NamedDocument, type VerifyOptions, verify } from '../verify.js'
import { Certificate } from '../x509/certificate.js'
import { coverageOver, documentsOver, type JoinedFile, joinFile } from './join-file.js'
import { type JudgedTimeStamp, judgeTimeStamp } from './judge-time-stamp.js'
import { readSignedFile } from './read-signed-file.js'

/** A signer of a file, with its verdict. */
export interface FileSigner extends SignerVerdict {
  /** The name of the signature in the file. */
  readonly file: string
  /** The documents that it is over. */
  readonly documents: readonly string[]
  readonly signatureInFile: number
}

/** The verdict on a signed file. */
export interface FileVerdict extends JoinedFile, Pick<SignedFile, 'format' | 'revisions' | 'problems'> {
  /** The validation time, milliseconds since the epoch. */
  readonly at: number
  readonly signatures: readonly FileSigner[]
  readonly timeStamps: readonly JudgedTimeStamp[]
  /** The file as it was read. */
  readonly read: SignedFile
}

/** Options of `verifyFile`; only `trust` is required. */
export type VerifyFileOptions = Omit<VerifyOptions, 'document' | 'documents' | 'resolve' | 'trailingZeros'>

/**
 * Verifies a signed file of any kind (see `readSignedFile`): each signature over what its place in the file says, and everything to
 * one verdict. Rejects with `fileNotRead`; whatever could be read is told by the verdict.
 */
export async function verifyFile(file: ByteSource | Uint8Array, options: VerifyFileOptions): Promise<FileVerdict> {
  return judgeFile(await readSignedFile(file instanceof Uint8Array ? sourceOf(file) : file), options)
}

/** As `verifyFile`, of a file that was read before. */
export function judgeFile(file: SignedFile, options: VerifyFileOptions): FileVerdict {
  const at = options.at ?? Date.now()
  const judging = { ...options, at, ...alongside(file, options) }
  const signatures = file.signatures.flatMap((one, index) =>
    verify(one.signed, { ...judging, documents: documentsFor(one, file) }).signatures.map(
      (found): FileSigner => ({
        ...found,
        file: one.name,
        documents: documentsOver(one.over, file),
        coverage: coverageOver(one.over) ?? found.coverage,
        signatureInFile: index,
      }),
    ),
  )
  const judged = signatures.map((one) => ({ ...one, signature: one.signatureInFile }))
  const { trust, algorithms, revocation, candidates } = judging
  const context = { trust, algorithms, revocation, candidates, now: at }
  const { format, revisions, problems } = file
  return {
    ...joinFile(file, judged),
    ...{ at, format, signatures, revisions, problems },
    timeStamps: file.timeStamps.map((one) => judgeTimeStamp(file, one, context)),
    read: file,
  }
}

/** What a signature of a file has to be over. */
export function documentsFor({ over }: SignatureInFile, file: SignedFile): readonly NamedDocument[] {
  if (over.of === 'carried') return []
  if (over.of === 'ranges') return [{ name: over.document, document: over.digests }]
  if (over.of === 'manifest') return [{ name: over.name, document: over.manifest }]
  const names = new Set(documentsOver(over, file))
  return file.documents.flatMap(({ name, digests, bytes }): NamedDocument[] => {
    const document: DocumentContent = bytes ?? digests
    return names.has(name) ? [{ name, document }] : []
  })
}

/** The evidence beside the signatures, as the verifier takes it. */
export function alongside({ beside }: SignedFile, { candidates = [] }: Pick<VerifyOptions, 'candidates'>) {
  return {
    alongside: { answers: beside.responses, crls: beside.crls },
    candidates: [...candidates, ...beside.certificates.flatMap(certificateIn)],
  }
}

function certificateIn(der: Uint8Array): Certificate[] {
  try {
    return [Certificate.parse(der)]
  } catch (error) {
    if (isNotDer(error)) return []
    throw error
  }
}
