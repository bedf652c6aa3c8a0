import { readCms } from '../cms/read-cms.js'
import { RegistryError } from '../error.js'
import type { DataObject } from '../records/data-object.js'
import type { ReadSignature } from '../signature.js'
import { basicHash } from './compare-logged.js'
import { sha256 } from './hashes-of.js'
import type { OpenSignature } from './open-evidence.js'
import { isSameSignature } from './same-signature.js'
import type { DocumentStatement } from './statement.js'

/** The document that a bundle says a signature is on. */
export type StatedDocument = Pick<DocumentStatement, 'documentId' | 'digests'>

/** The name of the first value of what an evidence record is about that is not as the bundle has it; `undefined` for the same. */
export function objectDiffers(
  object: DataObject,
  document: StatedDocument,
  { statement, signed, timeStamp, ocsp, crls, log }: OpenSignature,
  read: Pick<ReadSignature, 'fingerprint'> | undefined,
): string | undefined {
  const isDue: Readonly<Record<string, () => boolean>> = {
    documentId: () => object.documentId === document.documentId,
    signId: () => object.signId === statement.signId,
    storedAt: () => object.storedAt === Date.parse(statement.storedAt),
    signType: () => object.signType === statement.signType,
    digest: () => [...object.digests].every(([oid, value]) => isStated(document, oid, value)),
    signature: () => isReceived(object, { signed, received: log?.received }, read),
    timeStamp: () => isSame(object.timeStamp, timeStamp),
    ocsp: () => answerOf(object.ocsp) === answerOf(ocsp),
    crl: () => hashesOf(object.crls) === hashesOf(crls),
  }
  return Object.entries(isDue).find(([, holds]) => !holds())?.[0]
}

const isStated = ({ digests }: StatedDocument, oid: string, value: Uint8Array): boolean =>
  Object.hasOwn(digests, oid) && digests[oid] === Buffer.from(value).toString('hex')

/** Whether it is the signature of the bundle, which carries it as it was received or with more evidence in it. */
function isReceived(
  { signature, signType }: DataObject,
  { signed, received }: { readonly signed: Uint8Array; readonly received: Uint8Array | undefined },
  read: Pick<ReadSignature, 'fingerprint'> | undefined,
): boolean {
  if (signType === 'xml') return isSame(signature, signed)
  if (received !== undefined && !isSame(signature, received)) return false
  const fingerprint = fingerprintOf(signature)
  const isOwn = read !== undefined && fingerprint !== undefined && isSame(fingerprint, read.fingerprint)
  return isOwn && isSameSignature(signature, signed)
}

function fingerprintOf(cms: Uint8Array): Uint8Array | undefined {
  try {
    return readCms(cms, { evidence: 'all' }).fingerprint
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}

/** What tells answers apart; one that cannot be read is like no other. */
const answerOf = (ocsp: Uint8Array | undefined): string | symbol =>
  ocsp === undefined ? 'none' : basicHash(ocsp) || Symbol('not read')

const hashesOf = (crls: readonly Uint8Array[]): string => crls.map(sha256).sort().join()

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0
