import type {
  DocumentStatement,
  EvidenceStatement,
  LogStatement,
  RecordFiles,
  SignatureStatement,
} from './statement.js'

/** Names of files that every bundle begins with. */
export const STATEMENT_FILE = 'evidence.json'
export const NOTE_FILE = 'evidence.json.sig'
export const SIGNATURES_FILE = 'META-INF/signature.p7s'
export const CERTIFICATES_FILE = 'certificates.pem'

const REPORTS = ['report.kk.html', 'report.ru.html', 'report.en.html', 'report.xml']
/** Files in no folder that belong to no document. */
const OF_ALL: ReadonlySet<string> = new Set(['README.txt', ...REPORTS, CERTIFICATES_FILE])
/** Folders of signatures, of their evidence, of proofs that they are logged, of evidence records, and of originals. */
const OF_DOCUMENTS = /^(?:cms|xml|tst|ocsp|crl|proofs|checkpoints|objects|original|documents)\//i

/** The file of a signature. */
export const signatureFile = ({ signId, signType }: Pick<SignatureStatement, 'signId' | 'signType'>): string =>
  signType === 'cms' ? `cms/${signId}.p7s` : `xml/${signId}.xml`

/** The file that proves that something is logged, by the name of that in the folder of proofs. */
export const proofFile = (name: string): string => `proofs/${name}.tlog-proof`

/** The files with a signature and its evidence. */
export const evidenceFilesOf = ({ signature, timeStamp, stamped, ocsp, crls = [] }: SignatureStatement): string[] => [
  ...[signature, timeStamp, stamped, ...crls],
  ...(ocsp === undefined ? [] : [ocsp]),
]

/** The files of the evidence record about a signature, by its number. */
export const recordFiles = (signId: number): RecordFiles => ({
  object: `objects/${signId}`,
  record: `objects/${signId}.ers`,
})

/** The files with the evidence record about a signature. */
export const recordFilesOf = ({ record }: Pick<SignatureStatement, 'record'>): string[] =>
  record === undefined ? [] : [record.object, record.record]

interface Logged {
  readonly log?: LogStatement | undefined
}

/** The files with the proof that something is logged, which are of that alone. */
export const proofFilesOf = ({ log }: Logged): string[] =>
  log?.state === 'logged' ? [log.proof, ...(log.received === undefined ? [] : [log.received])] : []

/** The files with checkpoints of the log, which proofs share. */
const checkpointFilesOf = ({ log }: Logged): string[] =>
  log?.state === 'logged'
    ? [log.checkpoint.note, ...(log.checkpoint.stamp === undefined ? [] : [log.checkpoint.stamp])]
    : []

/** The file with the original of a document, or the container that it is in. */
export const originalFileOf = ({ original }: DocumentStatement): string | undefined =>
  original?.container ?? original?.file

/**
 * Files that pass for something signed and are of no document, and containers with anything but one original and its
 * signatures: people who open a bundle would take them for proved. Folders of later versions are passed over.
 */
export function strayFiles({ files, documents }: Pick<EvidenceStatement, 'files' | 'documents'>): string[] {
  const originals = new Map(documents.map((one) => [originalFileOf(one), one.original]))
  const signatures = documents.flatMap((one) => one.signatures)
  const logged: readonly Logged[] = [...documents, ...signatures]
  const evidence = new Set([
    ...signatures.flatMap((one) => [...evidenceFilesOf(one), ...recordFilesOf(one)]),
    ...logged.flatMap((one) => [...proofFilesOf(one), ...checkpointFilesOf(one)]),
  ])
  const isStray = (stated: EvidenceStatement['files'][number]): boolean => {
    const { name } = stated
    const original = originals.get(name)
    if ('files' in stated || original?.container !== undefined) {
      const inside = 'files' in stated ? stated.files.map((one) => one.name) : []
      const [file = '', signatures, ...others] = inside
      const isDue = file === original?.file && signatures === SIGNATURES_FILE && others.length === 0
      return original?.container === undefined || !isDue || file.includes('/')
    }
    if (original !== undefined || evidence.has(name)) return false
    return name.includes('/') ? OF_DOCUMENTS.test(name) : !OF_ALL.has(name)
  }
  return files.filter(isStray).map(({ name }) => name)
}
