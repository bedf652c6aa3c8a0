import { joinCms } from '../cms/join-cms.js'
import { RegistryError } from '../error.js'
import { trustEntries } from '../path/read-trust.js'
import type { FilesVerdict, GivenSignature } from '../verify-files.js'
import { Certificate } from '../x509/certificate.js'
import { CERTIFICATES_FILE, type OpenDocument, type OpenEvidence, type OpenSignature } from './open-evidence.js'
import type { EvidenceProblem } from './problem.js'

const MAX_CERTIFICATES = 1000

/** The certificates that a bundle brings along: to build paths with, never to trust. */
export function certificatesIn({ certificates }: Pick<OpenEvidence, 'certificates'>): Certificate[] {
  try {
    const entries = trustEntries({ name: CERTIFICATES_FILE, bytes: certificates })
    return entries.slice(0, MAX_CERTIFICATES).map(({ der }) => Certificate.parse(der))
  } catch (error) {
    if (error instanceof RegistryError) return []
    throw error
  }
}

/** A signature of a bundle with its evidence, to be verified. */
export const givenSignature = (
  { statement, signed, timeStamp, ocsp, crls }: OpenSignature,
  candidates: readonly Certificate[],
): GivenSignature & { readonly signed: Uint8Array } => ({
  name: statement.signature,
  signed,
  known: { evidence: { timeStamp, ocsp, crls }, candidates },
})

/** What of a bundle is not as its signatures themselves have it, although every file is as `evidence.json` says. */
export function copiesThatDiffer(
  { joined, signatures }: OpenDocument,
  judged: readonly Pick<FilesVerdict['signatures'][number], 'file' | 'signature'>[],
): EvidenceProblem[] {
  const stamped = signatures.flatMap(({ statement, stamped }): EvidenceProblem[] => {
    const read = judged.find(({ file }) => file === statement.signature)?.signature
    const due = read?.timeStamp?.imprinted ?? read?.signatureValue
    return due === undefined || Buffer.compare(due, stamped) === 0
      ? []
      : [{ code: 'fileChanged', file: statement.stamped }]
  })
  const cms = signatures.filter(({ statement }) => statement.signType === 'cms').map(({ signed }) => signed)
  const isJoined = joined === undefined || isSameJoined(joined.octets, cms)
  return isJoined ? stamped : [...stamped, { code: 'signaturesDiffer', file: joined.file }]
}

function isSameJoined(octets: Uint8Array, cms: readonly Uint8Array[]): boolean {
  try {
    return Buffer.compare(joinCms(undefined, cms), octets) === 0
  } catch (error) {
    if (error instanceof RegistryError) return false
    throw error
  }
}
