import { type GivenSignature, signatureIn } from './signature-file.js'

/** What is checked by itself: a file, or a signature and the document that came with it. */
export interface Checked {
  readonly file: File
  readonly signature?: GivenSignature
  readonly document?: File
}

/**
 * Puts the signatures among files together with their documents: with the only one that there is, else with the one that
 * a signature is called after. What belongs to no signature is checked as a document.
 */
export async function together(files: readonly File[]): Promise<Checked[]> {
  const signatures: { readonly file: File; readonly signature: GivenSignature }[] = []
  const documents: File[] = []
  for (const file of files) {
    const signature = await signatureIn(file)
    if (signature === undefined) documents.push(file)
    else signatures.push({ file, signature })
  }
  const [only, ...more] = documents
  const documentOf = ({ name }: File) =>
    more.length === 0 ? only : documents.find((one) => name.startsWith(`${one.name}.`) || stem(name) === stem(one.name))
  const judged = signatures.map((one) => {
    const document = documentOf(one.file)
    return document === undefined ? one : { ...one, document }
  })
  const taken = new Set(judged.map((one) => ('document' in one ? one.document : undefined)))
  return [...judged, ...documents.filter((one) => !taken.has(one)).map((file) => ({ file }))]
}

const stem = (name: string): string => name.replace(/\.[^.]*$/, '')
