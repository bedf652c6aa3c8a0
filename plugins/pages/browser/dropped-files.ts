import { type CheckedDdc, isProblem } from '@signed-registry/client'
import { client } from './api.js'
import { type GivenFile, named } from './named-files.js'
import { signatureIn } from './signature-file.js'

/** Larger PDFs are no cards. */
export const LARGEST_CARD = 100 * 2 ** 20

/** A document, or a signed file, which another signature may be over. */
export interface GivenDocument extends GivenFile {
  /** True when it has embedded files but is not a card. */
  readonly hasFiles: boolean
}

export interface GivenCard extends GivenFile {
  readonly card: CheckedDdc
}

/** Dropped files by kind. */
export interface Given {
  readonly signatures: readonly (GivenFile & { readonly signature: string })[]
  readonly cards: readonly GivenCard[]
  readonly documents: readonly GivenDocument[]
}

/**
 * Sorts files into signatures, cards and documents; those that were judged by the signatures in them are documents, too. A PDF that
 * may be a card is sent to the registry; `onSent` reports progress.
 */
export async function sortFiles(
  files: readonly File[],
  judged: ReadonlySet<File>,
  onSent: (done: number) => void,
): Promise<Given> {
  const signatures: (GivenFile & { signature: string })[] = []
  const cards: GivenCard[] = []
  const documents: GivenDocument[] = []
  for (const given of named(files)) {
    const { file } = given
    if (judged.has(file)) {
      documents.push({ ...given, hasFiles: false })
      continue
    }
    const found = await signatureIn(file)
    if (found !== undefined) {
      signatures.push({ ...given, signature: found.signature })
      continue
    }
    const isPdf = file.size <= LARGEST_CARD && (await file.slice(0, 5).text()) === '%PDF-'
    // A PDF with embedded files need not be a card.
    const hasFiles = isPdf && (await file.text()).includes('/EmbeddedFile')
    const card = hasFiles ? await cardIn(file, onSent) : undefined
    if (card !== undefined) cards.push({ ...given, card })
    else documents.push({ ...given, hasFiles })
  }
  return { signatures, cards, documents }
}

async function cardIn(file: File, onSent: (done: number) => void): Promise<CheckedDdc | undefined> {
  try {
    return await client.checkDdc({ upload: file }, { onProgress: (sent, total) => onSent(sent / total) })
  } catch (error) {
    if (isProblem(error, 'cardNotParsed')) return undefined
    throw error
  }
}
