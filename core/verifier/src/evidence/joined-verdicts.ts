import { type DocumentVerdict, type FilesVerdict, worstOutcome } from '../verify-files.js'

/** The verdict on files that were judged apart, such as documents of a package, each with its signatures. */
export interface JoinedVerdicts extends Omit<FilesVerdict, 'at'> {
  /** The places of the signatures of each. */
  readonly places: readonly (readonly number[])[]
}

/** Joins verdicts to one; the places of signatures are counted through. */
export function joinedVerdicts(judged: readonly Omit<FilesVerdict, 'at'>[]): JoinedVerdicts {
  const signatures: FilesVerdict['signatures'][number][] = []
  const documents: DocumentVerdict[] = []
  const places = judged.map((one) => {
    const own = one.signatures.map((_, index) => signatures.length + index)
    signatures.push(...one.signatures)
    for (const document of one.documents)
      documents.push({ ...document, signatures: document.signatures.flatMap((at) => own[at] ?? []) })
    return own
  })
  return { outcome: worstOutcome(judged.map(({ outcome }) => outcome)), signatures, documents, places }
}
