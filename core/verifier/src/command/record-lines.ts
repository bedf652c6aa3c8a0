import type { ChainReport, EvidenceReport, RecordedProof } from '../index.js'
import { plain, wrap } from './columns.js'
import { labelled } from './signer-lines.js'

const TEXT_COLUMNS = 70
const FILE_LINES = 3
/** A chain has up to 128 time stamps. */
const CHAIN_LINES = 6

/** What evidence records prove of the signatures of a bundle. */
export function recordLines({ records }: EvidenceReport): string[] {
  if (records.length === 0) return []
  return [
    'What evidence records prove:',
    ...records.flatMap(({ signId, says, file, reason, proof }) => [
      ...labelled('record', ...line(`signature ${signId}: ${says}`)),
      ...(reason === undefined ? [] : labelled('reason', ...line(`${file}: ${reason}`))),
      ...(proof === undefined ? [] : proofLines(proof)),
    ]),
  ]
}

/** Since when something is proved to exist, by which chains, and until when. */
export const proofLines = ({ existedAt, holdsUntil, holdsUntilSays, chains }: RecordedProof): string[] => [
  ...labelled('existed', `at the latest at ${existedAt}`),
  ...labelled('by', ...chains.flatMap(chainLines)),
  ...labelled('until', ...line(holdsUntil === undefined ? holdsUntilSays : `${holdsUntil}, if it is not renewed`)),
]

const chainLines = ({ oid, algorithm, stamps }: ChainReport): string[] =>
  line(`${algorithm ?? oid}, ${counted(stamps.length)}: ${stamps.join(', ')}`, CHAIN_LINES)

const counted = (stamps: number): string => (stamps === 1 ? 'one time stamp' : `${stamps} time stamps`)

const line = (text: string, count = FILE_LINES): string[] => wrap(plain(text), TEXT_COLUMNS, count)
