import { type FilesVerdict, reportWords } from '../index.js'
import { cutMiddle, plain } from './columns.js'
import { detailLines } from './details.js'
import { brokenParts, signedFileParts } from './signed-file-lines.js'
import type { LookedInto } from './signed-files.js'
import { signerLines } from './signer-lines.js'

const FILE_COLUMNS = 38

/** Verdicts on signatures and documents, and on files with signatures inside. */
interface Judged {
  readonly others: FilesVerdict
  readonly looked: LookedInto
  /** Of all. */
  readonly outcome: FilesVerdict['outcome']
}

/** What people are told of files. */
export function filesText({ others: { signatures, documents }, looked, outcome }: Judged, details: boolean): string {
  const unsigned = documents.filter(({ signatures: own }) => own.length === 0)
  const judged = signatures.length + unsigned.length + looked.signed.length
  const parts = [
    ...looked.signed.flatMap((one) => signedFileParts(one, details)),
    ...signatures.map((one) => [...signerLines(one), ...(details ? detailLines(one) : [])]),
    unsigned.map(({ name }) => `No readable signature is on ${cutMiddle(plain(name), FILE_COLUMNS)}.`),
    documents
      .filter(({ signed }) => signed === 'part')
      .map(({ name }) => `Only a part of ${cutMiddle(plain(name), FILE_COLUMNS)} is signed.`),
    ...brokenParts(looked),
    signatures.length + looked.signed.length === 0 ? ['There is no signature among these files.'] : [],
    judged > 1 ? [reportWords.en.outcome[outcome]] : [],
  ]
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')}\n`
}
