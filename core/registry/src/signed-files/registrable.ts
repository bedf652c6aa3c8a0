import { outcomeOfFileProblem, type SignatureInFile, type SignedFile } from '@signed-registry/verifier'
import { fileErrors } from './errors.js'
import type { FoundFile } from './ports.js'

/** A file whose documents are registered with its signatures. */
export type RegistrableFile = SignedFile & { readonly format: 'cms' | 'pdf' | 'asic-s' | 'asic-e' }

/** Signatures of one file, each counted for every document that it is over, and their octets with the manifests that are kept in them. */
const MAX_SIGNATURES = 256
const MAX_KEPT = 16 * 1024 * 1024

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
  if (keptOf(file) > MAX_KEPT)
    throw fileErrors.error('fileNotRegistered', { reason: 'signaturesTooLarge', limit: MAX_KEPT })
  return { ...file, format }
}

const signaturesOf = ({ signatures }: SignedFile): number => signatures.reduce((sum, one) => sum + timesKept(one), 0)

const keptOf = ({ signatures }: SignedFile): number =>
  signatures.reduce((sum, one) => {
    const { signed, over } = one
    // What a CMS carries is a document, and not kept in it.
    if (over.of === 'carried') return sum
    const manifest = over.of === 'manifest' ? over.manifest.length : 0
    return sum + (signed.length + manifest) * timesKept(one)
  }, 0)

/** A signature is kept under each document that it is over. */
const timesKept = ({ over }: SignatureInFile): number => ('documents' in over ? over.documents.length : 1)
