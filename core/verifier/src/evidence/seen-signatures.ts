import type { VerifyOptions } from '../verify.js'
import { type FilesVerdict, type GivenFiles, type GivenSignature, joinVerdicts, verifyFiles } from '../verify-files.js'
import { certificatesOf, type SeenSignature } from './judge-record.js'

/**
 * The verdict with those signatures judged as of when they were seen (EN 319 102-1, proof of existence) that are left open today.
 * What is judged is what the record covers and nothing else of the bundle: anybody may make other evidence since something has fallen.
 */
export function asOfSeen(
  verdict: FilesVerdict,
  { signatures, documents }: GivenFiles,
  seen: ReadonlyMap<string, SeenSignature>,
  options: VerifyOptions,
): FilesVerdict {
  const judged = signatures.flatMap((given) => {
    const own = verdict.signatures.filter(({ file }) => file === given.name)
    const found = seen.get(given.name)
    if (found === undefined || !own.some(isOpen)) return own
    const [then = [], withNews = []] = [asSeen(given, found), withMore(given, found)].map(
      (one) => verifyFiles({ signatures: [one], documents }, options).signatures,
    )
    return own.map((one, index) => {
      const other = then.length === own.length ? then[index] : undefined
      const isProved = other?.conclusion === 'validAt' && withNews[index]?.conclusion === 'validAt'
      return isOpen(one) && isProved ? other : one
    })
  })
  return { at: verdict.at, signatures: judged, ...joinVerdicts(judged, documents) }
}

const isOpen = ({ indication, conclusion }: FilesVerdict['signatures'][number]): boolean =>
  indication === 'INDETERMINATE' && conclusion !== 'validAt'

/** What else the bundle has, such as of a revocation since, takes away what it proves and adds nothing. */
const withMore = ({ known, ...given }: GivenSignature, { existedAt }: SeenSignature): GivenSignature => ({
  ...given,
  known: { ...known, ...(known?.evidence && { evidence: { ...known.evidence, existedAt } }) },
})

function asSeen(given: GivenSignature, { object, existedAt }: SeenSignature): GivenSignature {
  const { signature, timeStamp, ocsp, crls } = object
  return {
    ...given,
    signed: signature,
    known: { evidence: { timeStamp, ocsp, crls, existedAt }, candidates: certificatesOf(object) },
  }
}
