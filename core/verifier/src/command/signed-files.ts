import { type FileVerdict, type VerifyFileOptions, verifyFile } from '../files/index.js'
import { VerifierError } from '../index.js'
import type { GivenFile } from './given-file.js'
import { whileOpen } from './open-file.js'

/** A PDF or container with signatures in it, judged. */
export interface JudgedFile {
  readonly name: string
  readonly size: number
  readonly verdict: FileVerdict
}

/** PDFs and ZIPs that were looked into. */
export interface LookedInto {
  readonly signed: readonly JudgedFile[]
  /** Those whose structure is not right, with the reason; nobody can tell whether they are signed. */
  readonly broken: readonly { readonly name: string; readonly reason: string }[]
}

/** Judges the PDFs and containers that have signatures inside; the others are documents as any file is. */
export async function lookInto(given: readonly GivenFile[], options: VerifyFileOptions): Promise<LookedInto> {
  const signed: JudgedFile[] = []
  const broken: { name: string; reason: string }[] = []
  for (const { name, size } of given)
    try {
      const verdict = await whileOpen(name, (file) => verifyFile(file, options))
      if (isSigned(verdict)) signed.push({ name, size, verdict })
    } catch (error) {
      if (!(error instanceof VerifierError)) throw error
      const reason = String(error.details?.reason ?? error.code)
      if (reason !== 'notSigned') broken.push({ name, reason })
    }
  return { signed, broken }
}

/** A container says that it is one; a PDF has a signature, or what was to look like one. */
const isSigned = ({ format, read: { signatures, timeStamps, problems } }: FileVerdict): boolean =>
  format !== 'pdf' || signatures.length + timeStamps.length + problems.length > 0
