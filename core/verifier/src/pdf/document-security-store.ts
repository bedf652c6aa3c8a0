import { RegistryError } from '../error.js'
import type { EvidenceInFile } from '../signed-file.js'
import type { PdfDocument } from './pdf-document.js'
import { elementsOf, PdfStream } from './values.js'

/** Pieces of evidence of one kind, and octets of each. */
const MAX_PIECES = 256
const MAX_OCTETS = 4 * 1024 * 1024

/** The evidence in the document security store (ISO 32000-2, 12.8.4.3). What cannot be read of it proves nothing, and is left out. */
export function securityStore(document: PdfDocument): EvidenceInFile {
  const root = document.dictionary(document.revision.trailer.get('Root'))
  const store = document.dictionary(root?.get('DSS') ?? null)
  const pieces = (key: string) =>
    elementsOf(document.resolve(store?.get(key) ?? null))
      .slice(0, MAX_PIECES)
      .flatMap((one) => {
        const stream = document.resolve(one)
        return stream instanceof PdfStream ? (dataOf(document, stream) ?? []) : []
      })
  return { certificates: pieces('Certs'), responses: pieces('OCSPs'), crls: pieces('CRLs') }
}

function dataOf(document: PdfDocument, stream: PdfStream): Uint8Array[] | undefined {
  try {
    const data = document.data(stream)
    return data.length > MAX_OCTETS ? undefined : [data]
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}
