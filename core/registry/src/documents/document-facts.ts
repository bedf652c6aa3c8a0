import { hash } from 'node:crypto'
import { coverageText, statedTime } from '@signed-registry/verifier/evidence'
import type { LeafField, LoggedFact } from '../log/index.js'
import type { Digests } from '../originals/index.js'
import type { SignatureCoverage } from '../signatures/index.js'
import { type DocumentRecord, laterRef } from './document-store.js'
import { storedDigests } from './kept-signature.js'

/** What is logged of a signature: its evidence, and when it was registered. */
export interface LoggedSignature {
  readonly documentId: string
  /** When its document was registered: what is dated back later contradicts the log. */
  readonly documentStoredAt: number
  readonly signId: number
  readonly storedAt: number
  /** As received; CMS without content. */
  readonly signature: Uint8Array
  readonly timeStamp: Uint8Array
  readonly ocsp: Uint8Array | undefined
  /** Concatenated SHA-256 of the CRLs. */
  readonly crls: Uint8Array | undefined
  /** Base64 by the OID of the algorithm. */
  readonly signedDigests: Readonly<Record<string, string>>
  readonly coverage?: SignatureCoverage | undefined
}

/** A registered signature, for the log. */
export const signatureFact = (signature: LoggedSignature): LoggedFact => ({
  kind: 'signature',
  ref: `${signature.signId}`,
  fields: [
    ['documentId', signature.documentId],
    ['documentStoredAt', statedTime(signature.documentStoredAt)],
    ['signId', `${signature.signId}`],
    ['storedAt', statedTime(signature.storedAt)],
    ['signature', sha256(signature.signature)],
    ['timeStamp', sha256(signature.timeStamp)],
    ['ocsp', signature.ocsp && sha256(signature.ocsp)],
    ['crls', signature.crls && hashes(signature.crls)],
    // What the signature itself is over.
    ['digests', digestsText(storedDigests(signature.coverage?.digests ?? signature.signedDigests))],
    ...(signature.coverage ? [['coverage', coverageText(signature.coverage)] as const] : []),
  ],
})

/** Signatures that were just stored, whose `signId` is known by `documentId`, for the log. */
export const signatureFacts = (
  stored: readonly Omit<LoggedSignature, 'signId'>[],
  signIds: ReadonlyMap<string, number>,
): LoggedFact[] =>
  stored.map((one) => {
    const signId = signIds.get(one.documentId)
    if (signId === undefined) throw new TypeError(`The signature of ${one.documentId} has no signId`)
    return signatureFact({ ...one, signId })
  })

type FixedDocument = Pick<DocumentRecord, 'id' | 'storedAt' | 'signedDataSize' | 'digestsFixedAt'>

/** The hashes that were fixed for a document, for the log. */
export const digestsFact = (document: FixedDocument, digests: Digests): LoggedFact => ({
  kind: 'digests',
  ref: document.id,
  fields: [...documentFields(document), ['digests', digestsText(digests)]],
})

/** Further hashes of an original whose hashes were fixed before: a fact for each. */
export const furtherDigestsFacts = (document: FixedDocument, digests: Digests): LoggedFact[] =>
  [...digests].map(([oid, value]) => ({
    kind: 'digests',
    ref: laterRef(document.id, oid),
    fields: [...documentFields(document), ['digests', digestsText(new Map([[oid, value]]))]],
  }))

const documentFields = ({ id, storedAt, signedDataSize, digestsFixedAt }: FixedDocument): LeafField[] => [
  ['documentId', id],
  ['documentStoredAt', statedTime(storedAt)],
  ['size', `${signedDataSize}`],
  ['fixedAt', digestsFixedAt === undefined ? undefined : statedTime(digestsFixedAt)],
]

const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes)

const HASH_BYTES = 32
/** Each in hexadecimal. */
function hashes(concatenated: Uint8Array): string {
  const all: string[] = []
  for (let at = 0; at < concatenated.length; at += HASH_BYTES)
    all.push(Buffer.from(concatenated.subarray(at, at + HASH_BYTES)).toString('hex'))
  return all.join(' ')
}

/** `OID:hexadecimal` of each, in the order of OIDs. */
const digestsText = (digests: Iterable<readonly [string, Uint8Array]>): string =>
  [...digests]
    .map(([oid, value]) => `${oid}:${Buffer.from(value).toString('hex')}`)
    .sort()
    .join(' ')
