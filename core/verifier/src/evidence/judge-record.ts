import { digest } from '../algorithms/digest.js'
import { RegistryError } from '../error.js'
import { type DataObject, readDataObject } from '../records/data-object.js'
import type { HashOf, RecordContext } from '../records/verify-record.js'
import type { ReadSignature } from '../signature.js'
import { Certificate } from '../x509/certificate.js'
import { objectDiffers, type StatedDocument } from './compare-object.js'
import type { OpenSignature } from './open-evidence.js'
import type { OpenRecord } from './open-record.js'
import type { EvidenceProblem } from './problem.js'
import { type RecordFinding, recordFinding } from './record-finding.js'

/** What the evidence record about a signature proves. */
export type RecordVerdict = {
  readonly documentId: string
  readonly signId: number
  /** The file that the signature is in. */
  readonly signature: string
  /** The file with the record, or the one that is wrong. */
  readonly file: string
} & RecordFinding

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
  const finding = recordFinding(record.record, hashedOnce(record.object), {
    ...context,
    candidates: certificatesOf(object),
  })
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

/** Hashes of octets by OIDs: chains of one digest ask for the same. */
function hashedOnce(octets: Uint8Array): HashOf {
  const hashes = new Map<string, Uint8Array>()
  return (oid) => {
    const hash = hashes.get(oid) ?? digest(oid, octets)
    hashes.set(oid, hash)
    return hash
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}
