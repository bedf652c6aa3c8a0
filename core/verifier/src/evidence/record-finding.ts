import { RegistryError } from '../error.js'
import { type HashOf, type RecordContext, type RecordProof, verifyEvidenceRecord } from '../records/verify-record.js'
import { WRONG } from './checkpoint-time.js'

/** What was found out about a record. */
export type RecordFinding =
  | ProvedRecord
  /** It proves nothing here: an authority of it is not trusted, or it was not renewed in time. */
  | { readonly state: 'notProved'; readonly reason: string }
  /** It is not about this signature, or is no record: `field` names what it is about otherwise. */
  | { readonly state: 'wrong'; readonly reason: string; readonly field?: string | undefined }

/** A record that holds. */
export interface ProvedRecord {
  readonly state: 'proved'
  /** When the signature existed with its evidence at the latest, milliseconds. */
  readonly existedAt: number
  /** Until when that is proved without a further renewal, milliseconds; `Infinity` where nothing on it ends. */
  readonly holdsUntil: number
  /** The digest of each chain, and the times of its stamps, milliseconds. */
  readonly chains: readonly { readonly digestOid: string; readonly stamps: readonly number[] }[]
}

/** Refusals that another trust, another time or a newer reader would lift. */
const LATER: ReadonlySet<string> = new Set([
  ...['renewedTooLate', 'authorityEnded', 'digestNotTrusted'],
  ...['tooLarge', 'overLimit', 'encrypted', 'version'],
])

/** What an evidence record proves of the data whose hashes are given. */
export function recordFinding(record: Uint8Array, hashOf: HashOf, context: RecordContext): RecordFinding {
  try {
    const { existedAt, holdsUntil, chains } = verifyEvidenceRecord(record, hashOf, context)
    return { state: 'proved', existedAt, holdsUntil, chains: chains.map(chainOf) }
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    return refused(error)
  }
}

const chainOf = ({ digestOid, stamps }: RecordProof['chains'][number]): ProvedRecord['chains'][number] => ({
  digestOid,
  stamps: stamps.map(({ genTime }) => genTime),
})

function refused({ code, details = {} }: RegistryError): RecordFinding {
  const { reason = code, because, chain, stamp } = details
  const place = [chain, stamp].filter((one) => typeof one === 'number')
  const words = [reason, ...(because === undefined ? [] : [because]), ...place].join(' ')
  const isLater = reason === 'timeStamp' ? !WRONG.has(String(because)) : LATER.has(String(reason))
  return { state: isLater ? 'notProved' : 'wrong', reason: words }
}
