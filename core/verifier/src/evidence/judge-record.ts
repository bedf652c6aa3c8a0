import { digest } from '../algorithms/digest.js'
import { RegistryError } from '../error.js'
import { type DataObject, readDataObject } from '../records/data-object.js'
import { type RecordContext, type RecordProof, verifyEvidenceRecord } from '../records/verify-record.js'
import type { ReadSignature } from '../signature.js'
import { Certificate } from '../x509/certificate.js'
import { WRONG } from './checkpoint-time.js'
import { objectDiffers, type StatedDocument } from './compare-object.js'
import type { OpenSignature } from './open-evidence.js'
import type { OpenRecord } from './open-record.js'
import type { EvidenceProblem } from './problem.js'

/** What the evidence record about a signature proves. */
export type RecordVerdict = {
  readonly documentId: string
  readonly signId: number
  /** The file that the signature is in. */
  readonly signature: string
  /** The file with the record, or the one that is wrong. */
  readonly file: string
} & RecordFinding

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

/** The verdict on a record, and what it proves of the signature where it holds. */
export interface JudgedRecord {
  readonly verdict: RecordVerdict
  readonly seen: SeenSignature | undefined
}

/** A signature that somebody else is proved to have seen with its evidence. */
export interface SeenSignature {
  readonly object: DataObject
  readonly existedAt: number
}

/** Refusals that another trust, another time or a newer reader would lift. */
const LATER: ReadonlySet<string> = new Set([
  ...['renewedTooLate', 'authorityEnded', 'digestNotTrusted'],
  ...['tooLarge', 'overLimit', 'encrypted', 'version'],
])

/** Judges the record about a signature, if there is one; `read` is that signature as the bundle has it. */
export function judgeRecord(
  one: OpenSignature,
  document: StatedDocument,
  read: Pick<ReadSignature, 'fingerprint'> | undefined,
  context: RecordContext,
): JudgedRecord | undefined {
  const { record, statement } = one
  if (record === undefined) return undefined
  const { documentId } = document
  const about = { documentId, signId: statement.signId, signature: statement.signature }
  const object = objectIn(record)
  const field = object && objectDiffers(object, document, one, read)
  const { object: objectFile, record: file } = record.statement
  if (object === undefined || field !== undefined) {
    const reason = object === undefined ? 'object' : 'otherObject'
    const wrong = { state: 'wrong', reason, ...(field !== undefined && { field }) } as const
    return { verdict: { ...about, file: objectFile, ...wrong }, seen: undefined }
  }
  const finding = judged(record, { ...context, candidates: certificatesOf(object) })
  const seen = finding.state === 'proved' ? { object, existedAt: finding.existedAt } : undefined
  return { verdict: { ...about, file, ...finding }, seen }
}

/** What records that do not hold make of a bundle. */
export const recordProblems = (found: readonly RecordVerdict[]): EvidenceProblem[] =>
  found.flatMap(({ state, file }): EvidenceProblem[] =>
    state === 'proved' ? [] : [{ code: state === 'wrong' ? 'recordWrong' : 'recordNotProved', file }],
  )

const MAX_CERTIFICATES = 1000

/** The certificates that the record covers: others might be made today by what has fallen since. */
export const certificatesOf = ({ certificates }: Pick<DataObject, 'certificates'>): Certificate[] =>
  certificates.slice(0, MAX_CERTIFICATES).flatMap((der) => attempt(() => Certificate.parse(der)) ?? [])

const objectIn = ({ object }: OpenRecord): DataObject | undefined => attempt(() => readDataObject(object))

function judged({ object, record }: OpenRecord, context: RecordContext): RecordFinding {
  const hashes = new Map<string, Uint8Array>()
  const hashOf = (oid: string): Uint8Array => {
    const hash = hashes.get(oid) ?? digest(oid, object)
    hashes.set(oid, hash)
    return hash
  }
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

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}
