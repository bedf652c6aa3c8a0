import { recordErrors } from './errors.js'

/**
 * What one evidence record is about: everything that proves one signature, in one file (docs/long-term.md). Its bytes never
 * change, since every time stamp of the record covers them.
 */
export interface DataObject {
  readonly documentId: string
  readonly signId: number
  /** When the registry says that it was registered, milliseconds. */
  readonly storedAt: number
  readonly signType: 'cms' | 'xml'
  /** Fixed hashes of the document by the OID of their algorithm. */
  readonly digests: ReadonlyMap<string, Uint8Array>
  /** CMS without content, DER; XML: the signature element, UTF-8. As it was received. */
  readonly signature: Uint8Array
  /** TimeStampToken (RFC 3161) over its value. */
  readonly timeStamp: Uint8Array
  /** BasicOCSPResponse (RFC 6960) about the signer; `undefined` where CRLs stand in its place. */
  readonly ocsp: Uint8Array | undefined
  readonly crls: readonly Uint8Array[]
  /** Certificates of all paths, and what else tells the status of their authorities then. */
  readonly certificates: readonly Uint8Array[]
  /** C2SP tlog-proof of the log entry about the signature, and the time stamp over its checkpoint. */
  readonly proof: Uint8Array | undefined
  readonly proofStamp: Uint8Array | undefined
}

const FIRST_LINE = 'signed-registry/object/v1'
const MAX_BYTES = 64 * 2 ** 20
const MAX_LINES = 4096
const NAME = /^[A-Za-z]{1,32}$/
/** More than any OID or hash has. */
const MAX_WORD = 256
const OID = /^\d+(?:\.\d+)+$/
const HEX = /^(?:[0-9a-f]{2})+$/
const NUMBER = /^(?:0|[1-9]\d{0,15})$/

/** Writes a data object: a line for each value, its name first, octets in base64, hashes in hexadecimal. Equal input gives equal bytes. */
export function writeDataObject(object: DataObject): Buffer {
  const { documentId, signId, storedAt, signType, digests, proof, proofStamp } = object
  const octets = (name: string, ...all: readonly (Uint8Array | undefined)[]) =>
    all.flatMap((one) => (one === undefined ? [] : [`${name} ${Buffer.from(one).toString('base64')}`]))
  const hashes = [...digests].sort(([one], [other]) => (one < other ? -1 : 1))
  const lines = [
    FIRST_LINE,
    `documentId ${documentId}`,
    `signId ${signId}`,
    `storedAt ${storedAt}`,
    `signType ${signType}`,
    ...hashes.map(([oid, value]) => `digest ${oid} ${Buffer.from(value).toString('hex')}`),
    ...octets('signature', object.signature),
    ...octets('timeStamp', object.timeStamp),
    ...octets('ocsp', object.ocsp),
    ...octets('crl', ...object.crls),
    ...octets('certificate', ...object.certificates),
    ...octets('proof', proof),
    ...octets('proofStamp', proofStamp),
  ]
  return Buffer.from(`${lines.join('\n')}\n`)
}

/** Reads what `writeDataObject` writes, and nothing else; throws `evidenceRecordNotRead` with reason `object`. */
export function readDataObject(bytes: Uint8Array): DataObject {
  const object = bytes.length > MAX_BYTES ? undefined : parsed(Buffer.from(bytes).toString('latin1'))
  // One object, one writing: what only means the same is another object.
  if (object === undefined || Buffer.compare(writeDataObject(object), bytes) !== 0)
    throw recordErrors.error('evidenceRecordNotRead', { reason: 'object' })
  return object
}

function parsed(text: string): DataObject | undefined {
  const [first, ...lines] = text.split('\n', MAX_LINES + 1)
  if (first !== FIRST_LINE || lines.length === MAX_LINES) return undefined
  const values = new Map<string, string[]>()
  const digests = new Map<string, Uint8Array>()
  for (const line of lines.slice(0, -1)) {
    // No expression over all of a line, which may be longer than its stack.
    const [name = '', value = '', more, another] = line.split(' ', 4)
    if (!NAME.test(name) || value === '' || more === '' || another !== undefined) return undefined
    if (name === 'digest' && more !== undefined) {
      if (value.length > MAX_WORD || more.length > MAX_WORD) return undefined
      if (!OID.test(value) || !HEX.test(more) || digests.has(value)) return undefined
      digests.set(value, Buffer.from(more, 'hex'))
    } else if (more === undefined) values.set(name, [...(values.get(name) ?? []), value])
  }
  return objectOf(values, digests)
}

function objectOf(
  values: ReadonlyMap<string, readonly string[]>,
  digests: DataObject['digests'],
): DataObject | undefined {
  // Writing anew tells whether it is base64 indeed.
  const all = (name: string) => (values.get(name) ?? []).map(octetsOf)
  const text = (name: string) => values.get(name)?.[0] ?? ''
  const [signId = '', storedAt = ''] = ['signId', 'storedAt'].map(text)
  const signType = text('signType')
  const [signature] = all('signature')
  const [timeStamp] = all('timeStamp')
  if (!NUMBER.test(signId) || !NUMBER.test(storedAt) || (signType !== 'cms' && signType !== 'xml')) return undefined
  if (signature === undefined || timeStamp === undefined) return undefined
  return {
    documentId: text('documentId'),
    signId: Number(signId),
    storedAt: Number(storedAt),
    signType,
    digests,
    signature,
    timeStamp,
    ocsp: all('ocsp')[0],
    crls: all('crl'),
    certificates: all('certificate'),
    proof: all('proof')[0],
    proofStamp: all('proofStamp')[0],
  }
}

const octetsOf = (text: string): Uint8Array => Buffer.from(text, 'base64')
