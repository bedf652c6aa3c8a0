import type { Bundle, DocumentInBundle, SignatureInBundle } from '@signed-registry/core'
import type { DevAuthorities } from '@signed-registry/dev-authorities'
import { readOcspResponse } from '@signed-registry/verifier'
import { type DataObject, writeDataObject } from '@signed-registry/verifier/records'
import { NOW } from '../pki/authorities.js'
import { begun, type Stamping } from '../pki/records.js'

/** How records are to be like; honest where nothing is said. */
export interface RecordsOfBundle {
  /** When the first time stamp was made. */
  readonly at?: number
  /** Until when its authority's certificate is valid. */
  readonly notAfter?: number
  /** Renews all records, whose data objects these are. */
  readonly renewed?: (records: readonly Uint8Array[], objects: readonly Uint8Array[]) => readonly Uint8Array[]
  /** Changes what a record is about, before it is stamped. */
  readonly change?: (object: DataObject) => DataObject
}

/** A bundle whose signatures have evidence records under one time stamp of these authorities. */
export function withRecords(bundle: Bundle, by: DevAuthorities, how: RecordsOfBundle = {}): Bundle {
  const { at = NOW, notAfter, renewed = (records) => records, change = (object) => object } = how
  const all = bundle.documents.flatMap((document) =>
    document.signatures.map((one) => objectOf(document, one, bundle.certificates)),
  )
  const objects = all.map((object) => writeDataObject(change(object)))
  const stamping: Stamping = { by, at, ...(notAfter !== undefined && { notAfter }) }
  const records = renewed(begun(objects, stamping), objects)
  let place = 0
  const documents = bundle.documents.map((document) => ({
    ...document,
    signatures: document.signatures.map((one) => {
      const [object, record] = [objects[place], records[place]]
      place += 1
      return object && record ? { ...one, record: { object, record, renewedAt: at } } : one
    }),
  }))
  return { ...bundle, documents }
}

/** What a registry has its record about; `received` stands in a bundle only beside a proof of the log. */
export function objectOf(
  { documentId, digests }: Pick<DocumentInBundle, 'documentId' | 'digests'>,
  { signId, storedAt, signType, signed, timeStamp, ocsp, crls, log }: SignatureInBundle,
  certificates: readonly Uint8Array[],
): DataObject {
  const received = log?.state === 'logged' ? log.received : undefined
  return {
    ...{ documentId, signId, storedAt, signType, digests, timeStamp, crls },
    signature: received ?? signed,
    ocsp: ocsp && readOcspResponse(ocsp).basic,
    certificates,
    proof: log?.state === 'logged' ? Buffer.from(log.proof) : undefined,
    proofStamp: log?.state === 'logged' ? log.checkpoint.stamp : undefined,
  }
}
