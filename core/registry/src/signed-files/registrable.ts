import { outcomeOfFileProblem, type SignedFile } from '@signed-registry/verifier'
import { fileErrors } from './errors.js'
import type { FoundFile } from './ports.js'

/** A file whose documents are registered with its signatures. */
export type RegistrableFile = SignedFile & { readonly format: 'cms' | 'pdf' | 'asic-s' | 'asic-e' }

/** Signatures of one file, each counted for every document that it is over. */
const MAX_SIGNATURES = 256

/**
 * Refuses what cannot be registered as it is: with `fileNotRegistered` kinds of files that have ways of their own, with
 * `fileNotProved` what is not as it was signed.
 */
export function registrable(found: FoundFile): RegistrableFile {
  if (found.is === 'evidence') throw fileErrors.error('fileNotRegistered', { reason: 'evidence' })
  const { file } = found
  const { format } = file
  if (format === 'xml') throw fileErrors.error('fileNotRegistered', { reason: 'xml' })
  if (file.documents.length === 0) throw fileErrors.error('fileNotRegistered', { reason: 'noContent' })
  if (file.problems.length > 0)
    throw fileErrors.error('fileNotProved', {
      problems: file.problems.map((one) => ({ ...one, outcome: outcomeOfFileProblem[one.code] })),
    })
  if (file.signatures.length === 0) throw fileErrors.error('fileNotRegistered', { reason: 'notSigned' })
  if (signaturesOf(file) > MAX_SIGNATURES)
    throw fileErrors.error('fileNotRegistered', { reason: 'tooManySignatures', limit: MAX_SIGNATURES })
  return { ...file, format }
}

const signaturesOf = ({ signatures }: SignedFile): number =>
  signatures.reduce((sum, { over }) => sum + ('documents' in over ? over.documents.length : 1), 0)
