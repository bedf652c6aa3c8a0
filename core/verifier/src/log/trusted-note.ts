import { readNote, signatureLine, signaturesBy } from '../notes/signed-note.js'
import { readVerifierKey } from '../notes/verifier-key.js'

/**
 * The text of a note, and the note with one signature by each of these keys of a log and no others: what a witness keeps.
 * Throws `noteNotVerified`; signatures are not verified.
 */
export function trustedNote(note: string, keys: readonly string[]): { readonly text: string; readonly note: string } {
  const { text, signatures } = readNote(note)
  const lines = keys.flatMap((one) => {
    const key = readVerifierKey(one)
    return signaturesBy(key, signatures)
      .slice(0, 1)
      .map(({ value }) => signatureLine(key, value))
  })
  return { text, note: `${text}\n${lines.join('')}` }
}
