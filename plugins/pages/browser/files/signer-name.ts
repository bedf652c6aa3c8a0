import type { ShownSignature } from '../shown-signature.js'
import { part } from '../signer.js'
import { verdictTexts } from '../verdict-texts.js'

/** Who signed, in a few words. */
export function nameOf({ signer }: ShownSignature): string {
  if (signer === undefined) return verdictTexts.unknownSigner
  const { subjectStructure, subject } = signer
  return [part(subjectStructure, 'CN'), part(subjectStructure, 'GIVENNAME')].filter(Boolean).join(' ') || subject
}
