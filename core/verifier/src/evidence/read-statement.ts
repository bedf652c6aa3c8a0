import { evidenceErrors } from './errors.js'
import { evidenceFilesOf, originalFileOf, proofFilesOf, recordFilesOf } from './known-files.js'
import type { StatedCoverage } from './stated-coverage.js'
import {
  type CheckpointFiles,
  type DocumentStatement,
  type EvidenceStatement,
  type FileHash,
  type FileStatement,
  isStatedTime,
  type LogStatement,
  type PackageStatement,
  type RecordFiles,
  type SignatureStatement,
  STATEMENT_TYPE,
  STATEMENT_VERSION,
  UNPROVED_STATES,
} from './statement.js'

const MAX_ITEMS = 10_000
const MAX_RANGES = 16
const HEX = /^(?:[0-9a-f]{2})+$/
const SHA_256 = /^[0-9a-f]{64}$/
const PROOF_FILE = /^proofs\/./
const CHECKPOINT_FILE = /^checkpoints\/./
const OBJECT_FILE = /^objects\/./
const OID = /^[0-2](?:\.(?:0|[1-9]\d{0,38})){1,127}$/

/**
 * Reads `evidence.json`; fields of later minor versions are passed over. Throws `evidenceNotRead`: `versionNotKnown`, or
 * `statementMalformed`.
 */
export function readStatement(octets: Uint8Array): EvidenceStatement {
  const top = fieldsOf(parsed(octets))
  const type = top.text('type')
  const [, major] = /^application\/vnd\.signed-registry\.evidence\+json;version=(\d+)\.\d+$/.exec(type) ?? []
  if (!type.startsWith(`${STATEMENT_TYPE};`) || major === undefined) throw malformed()
  if (major !== STATEMENT_VERSION.split('.')[0])
    throw evidenceErrors.error('evidenceNotRead', { reason: 'versionNotKnown', file: 'evidence.json' })
  const registry = top.fields('registry')
  const hints = top.fields('hints')
  return {
    type,
    registry: {
      origin: registry.text('origin'),
      name: registry.text('name'),
      statementKey: registry.text('statementKey'),
    },
    rules: top.text('rules'),
    asOf: top.time('asOf'),
    ...(top.has('package') && { package: packageIn(top.fields('package')) }),
    documents: distinct(top.list('documents').map((one) => documentIn(fieldsOf(one)))),
    hints: {
      anchors: hints.texts('anchors', SHA_256),
      timeStampPolicies: hints.texts('timeStampPolicies', OID),
      ...(hints.has('logKeys') && { logKeys: hints.texts('logKeys') }),
    },
    files: top.list('files').map((one) => fileIn(fieldsOf(one))),
  }
}

/** Refuses documents, signatures and files that are named twice: each file is read once, however much is said. */
function distinct(documents: readonly DocumentStatement[]): readonly DocumentStatement[] {
  const signatures = documents.flatMap((one) => one.signatures)
  const isOnce = (ids: readonly unknown[]) => new Set(ids).size === ids.length
  const areOnce =
    isOnce(documents.map(({ documentId }) => documentId)) &&
    isOnce(signatures.map(({ signId }) => signId)) &&
    isOnce([
      ...documents.flatMap((one) => originalFileOf(one) ?? []),
      ...signatures.flatMap((one) => [...evidenceFilesOf(one), ...recordFilesOf(one)]),
    ]) &&
    isOnce([...documents, ...signatures].flatMap(proofFilesOf))
  if (!areOnce) throw malformed()
  return documents
}

const packageIn = (fields: Fields): PackageStatement => ({
  packageId: fields.text('packageId'),
  title: fields.text('title'),
  description: fields.text('description'),
  storedAt: fields.time('storedAt'),
})

const documentIn = (fields: Fields): DocumentStatement => ({
  documentId: fields.text('documentId'),
  title: fields.text('title'),
  description: fields.text('description'),
  private: fields.flag('private'),
  storedAt: fields.time('storedAt'),
  size: fields.count('size'),
  digests: fields.digests('digests'),
  ...(fields.has('original') && { original: originalIn(fields.fields('original')) }),
  ...(fields.has('log') && { log: logIn(fields.fields('log')) }),
  signatures: fields.list('signatures').map((one) => signatureIn(fieldsOf(one))),
})

const originalIn = (fields: Fields): DocumentStatement['original'] => ({
  file: fields.text('file'),
  ...(fields.has('container') && { container: fields.text('container') }),
})

function signatureIn(fields: Fields): SignatureStatement {
  const signType = fields.text('signType')
  if (signType !== 'cms' && signType !== 'xml') throw malformed()
  return {
    signId: fields.count('signId'),
    signType,
    storedAt: fields.time('storedAt'),
    signature: fields.text('signature'),
    timeStamp: fields.text('timeStamp'),
    stamped: fields.text('stamped'),
    ...(fields.has('ocsp') && { ocsp: fields.text('ocsp') }),
    ...(fields.has('crls') && { crls: fields.texts('crls') }),
    ...(fields.has('coverage') && { coverage: coverageIn(fields.fields('coverage')) }),
    ...(fields.has('log') && { log: logIn(fields.fields('log')) }),
    ...(fields.has('record') && { record: recordIn(fields.fields('record')) }),
  }
}

function coverageIn(fields: Fields): StatedCoverage {
  const of = fields.text('of')
  if (of === 'ranges') return { of, ranges: rangesIn(fields.list('ranges')) }
  const uris = of === 'references' ? fields.texts('uris') : []
  if (of !== 'references' || uris.length !== 1) throw malformed()
  return { of, uris }
}

/** Ranges with something in each, in their order, that do not overlap. */
function rangesIn(list: readonly unknown[]): readonly (readonly [from: number, to: number])[] {
  const ends = list.flatMap((one) => (Array.isArray(one) && one.length === 2 ? one.map(numberIn) : [Number.NaN]))
  const areInOrder = ends.every(
    (end, index) => end > (ends[index - 1] ?? -1) || (index > 0 && index % 2 === 0 && end === ends[index - 1]),
  )
  if (list.length === 0 || list.length > MAX_RANGES || !areInOrder) throw malformed()
  return list.map((_, index) => [ends[2 * index] ?? 0, ends[2 * index + 1] ?? 0])
}

const recordIn = (fields: Fields): RecordFiles => ({
  object: fields.text('object', OBJECT_FILE),
  record: fields.text('record', OBJECT_FILE),
})

function logIn(fields: Fields): LogStatement {
  const state = fields.text('state')
  const unproved = UNPROVED_STATES.find((one) => one === state)
  if (unproved !== undefined) return { state: unproved }
  if (state !== 'logged') throw malformed()
  return {
    state,
    proof: fields.text('proof', PROOF_FILE),
    ...(fields.has('received') && { received: fields.text('received', PROOF_FILE) }),
    checkpoint: checkpointIn(fields.fields('checkpoint')),
  }
}

const checkpointIn = (fields: Fields): CheckpointFiles => ({
  note: fields.text('note', CHECKPOINT_FILE),
  ...(fields.has('stamp') && { stamp: fields.text('stamp', CHECKPOINT_FILE) }),
})

const fileIn = (fields: Fields): FileStatement =>
  fields.has('files')
    ? { name: fields.text('name'), files: fields.list('files').map((one) => hashIn(fieldsOf(one))) }
    : hashIn(fields)

const hashIn = (fields: Fields): FileHash => ({
  name: fields.text('name'),
  size: fields.count('size'),
  sha256: fields.text('sha256', SHA_256),
})

/** A JSON object whose fields are read by their types. */
class Fields {
  constructor(private readonly all: ReadonlyMap<string, unknown>) {}

  has(name: string): boolean {
    return this.all.has(name)
  }

  text(name: string, form?: RegExp): string {
    return textIn(this.all.get(name), form)
  }

  time(name: string): string {
    const text = this.text(name)
    if (!isStatedTime(text)) throw malformed()
    return text
  }

  texts(name: string, form?: RegExp): string[] {
    return this.list(name).map((one) => textIn(one, form))
  }

  flag(name: string): boolean {
    const value = this.all.get(name)
    if (typeof value !== 'boolean') throw malformed()
    return value
  }

  count(name: string): number {
    return numberIn(this.all.get(name))
  }

  list(name: string): readonly unknown[] {
    const value = this.all.get(name)
    if (!Array.isArray(value) || value.length > MAX_ITEMS) throw malformed()
    return value
  }

  fields(name: string): Fields {
    return fieldsOf(this.all.get(name))
  }

  digests(name: string): Readonly<Record<string, string>> {
    const { all } = this.fields(name)
    return Object.fromEntries([...all].map(([oid, value]) => [textIn(oid, OID), textIn(value, HEX)]))
  }
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed()
  return new Fields(new Map(Object.entries(value)))
}

function numberIn(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw malformed()
  return value
}

function textIn(value: unknown, form?: RegExp): string {
  if (typeof value !== 'string' || (form !== undefined && !form.test(value))) throw malformed()
  return value
}

function parsed(octets: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets))
  } catch (cause) {
    throw malformed(cause)
  }
}

const malformed = (cause?: unknown) =>
  evidenceErrors.error('evidenceNotRead', { reason: 'statementMalformed', file: 'evidence.json' }, cause)
