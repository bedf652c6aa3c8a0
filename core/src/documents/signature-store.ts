import { Database } from '../database/database.js'
import { isUniqueViolation } from '../database/dialect.js'
import type { Evidence, Signature, SignatureFacts } from '../signatures/index.js'
import { documentErrors } from './errors.js'
import { RevocationListStore } from './revocation-list-store.js'
import type { EmailNotifications } from './schema.js'

/** A signature with the evidence that proves it, as received. */
export interface StoredSignature {
  readonly signId: number
  readonly documentId: string
  readonly storedAt: number
  readonly facts: SignatureFacts
  /** What the document hashes to, by the signature: base64 by the OID of the algorithm. */
  readonly signedDigests: Readonly<Record<string, string>>
  /** CMS without content (DER), or the XML signature element (UTF-8). */
  readonly signature: Uint8Array
  /** Time-stamp token (RFC 3161). */
  readonly timeStamp: Uint8Array
  /** Certificate status answer (BasicOCSPResponse of RFC 6960); `undefined` where CRLs stand in its place. */
  readonly ocsp: Uint8Array | undefined
  /** SHA-256 of the CRLs that stand in its place, one after the other; `RevocationListStore` has them. */
  readonly crls: Uint8Array
  /** Certificates of the issuing path, DER one after the other. */
  readonly certificates: Uint8Array
  /** Tells this signature from every other, whatever its encoding. */
  readonly fingerprint: Uint8Array
  readonly emailNotifications: EmailNotifications | undefined
}

interface Row {
  sign_id: number
  document_id: string
  stored_at: number
  facts: string
  signed_digests: string
  signature: Uint8Array
  time_stamp: Uint8Array
  ocsp: Uint8Array | null
  crls: Uint8Array | null
  certificates: Uint8Array
  fingerprint: Uint8Array
  email_notifications: string | null
}

const EVIDENCE = [
  'sign_id',
  'document_id',
  'stored_at',
  'facts',
  'signed_digests',
  'signature',
  'time_stamp',
  'ocsp',
  'crls',
  'certificates',
  'fingerprint',
  'email_notifications',
] as const

/** A signature to be stored, with the CRLs themselves. */
export type NewSignature = Omit<StoredSignature, 'signId' | 'crls'> & { readonly crls: readonly Uint8Array[] }

/** Keeps the signatures of documents. */
export class SignatureStore {
  static readonly inject = [Database, RevocationListStore] as const

  constructor(
    private readonly database: Database,
    private readonly revocationLists: RevocationListStore,
  ) {}

  /**
   * Adds a signature and answers its `signId`. The document must be new or locked, so that ids of one document
   * become visible in their order. Rejects with `signatureAlreadySubmitted` when any document has this signature.
   */
  async add(signature: NewSignature): Promise<number> {
    try {
      const [signId] = await this.#insert([signature])
      return Number(signId)
    } catch (error) {
      throw isUniqueViolation(error) ? documentErrors.error('signatureAlreadySubmitted') : error
    }
  }

  /**
   * As `add`, for one signature of each of several documents, and answers `signId` by `documentId`. The refusal says
   * which `documentId` the first known signature was for.
   */
  async addAll(signatures: readonly NewSignature[]): Promise<ReadonlyMap<string, number>> {
    try {
      await this.#insert(signatures)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      // Only the statement failed: the transaction can still tell which of them was there before.
      const known = new Set((await this.#known(signatures)).map(({ fingerprint }) => hex(fingerprint)))
      const documentId = signatures.find(({ fingerprint }) => known.has(hex(fingerprint)))?.documentId
      throw documentErrors.error('signatureAlreadySubmitted', { documentId })
    }
    return new Map((await this.#known(signatures)).map((row) => [row.document_id, Number(row.sign_id)]))
  }

  async #insert(signatures: readonly NewSignature[]): Promise<number[]> {
    const rows = []
    for (const signature of signatures) rows.push(toRow(signature, await this.revocationLists.keep(signature.crls)))
    return this.database.query('registry_signatures').insert(rows)
  }

  async #known(signatures: readonly NewSignature[]): Promise<Pick<Row, 'sign_id' | 'document_id' | 'fingerprint'>[]> {
    const fingerprints = signatures.map(({ fingerprint }) => fingerprint)
    return this.database
      .query('registry_signatures')
      .whereIn('fingerprint', fingerprints)
      .select('sign_id', 'document_id', 'fingerprint')
  }

  /** Signatures of a document after `lastSignId`, in the order of `signId`, at most `limit`. */
  async page(documentId: string, lastSignId: number, limit: number): Promise<StoredSignature[]> {
    const rows: Row[] = await this.database
      .query('registry_signatures')
      .where({ document_id: documentId })
      .andWhere('sign_id', '>', lastSignId)
      .orderBy('sign_id')
      .limit(limit)
      .select(...EVIDENCE)
    return rows.map(read)
  }

  /** What proves a stored signature, whole. */
  async evidence(stored: StoredSignature): Promise<Evidence> {
    return { ...stored, signType: stored.facts.signType, crls: await this.revocationLists.load(stored.crls) }
  }

  /** Rejects with `invalidSignatureIdentifier` when the document has no such signature. */
  async get(documentId: string, signId: number): Promise<StoredSignature> {
    const row: Row | undefined = await this.database
      .query('registry_signatures')
      .where({ document_id: documentId, sign_id: signId })
      .first(...EVIDENCE)
    if (row === undefined) throw documentErrors.error('invalidSignatureIdentifier')
    return read(row)
  }

  /** True when the document has a signature of this person, or of this employee when `businessId` is given. */
  async signedBy(documentId: string, userId: string, businessId: string | undefined): Promise<boolean> {
    return this.#exists({ document_id: documentId, user_id: userId, business_id: businessId ?? null })
  }

  /** True when the document has a signature of this person, whether private or for an organization. */
  async signedByPerson(documentId: string, userId: string): Promise<boolean> {
    return this.#exists({ document_id: documentId, user_id: userId })
  }

  /** True when the document has a signature of an employee of this organization. */
  async signedByOrganization(documentId: string, businessId: string): Promise<boolean> {
    return this.#exists({ document_id: documentId, business_id: businessId })
  }

  async #exists(where: Readonly<Record<string, string | null>>): Promise<boolean> {
    const row: unknown = await this.database.query('registry_signatures').where(where).first('sign_id')
    return row !== undefined
  }

  async findByFingerprint(fingerprint: Uint8Array): Promise<StoredSignature | undefined> {
    const row: Row | undefined = await this.database
      .query('registry_signatures')
      .where({ fingerprint })
      .first(...EVIDENCE)
    return row === undefined ? undefined : read(row)
  }
}

/** A signature as answers show it. */
export const signatureObject = ({ facts, storedAt, signId }: StoredSignature): Signature => ({
  ...facts,
  storedAt,
  signId,
})

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const toRow = ({ facts, ...signature }: NewSignature, crls: Uint8Array) => ({
  document_id: signature.documentId,
  stored_at: signature.storedAt,
  sign_type: facts.signType,
  user_id: facts.userId,
  business_id: facts.businessId ?? null,
  fingerprint: signature.fingerprint,
  signed_digests: JSON.stringify(signature.signedDigests),
  facts: JSON.stringify(facts),
  signature: signature.signature,
  time_stamp: signature.timeStamp,
  ocsp: signature.ocsp ?? null,
  crls: crls.length === 0 ? null : crls,
  certificates: signature.certificates,
  email_notifications: signature.emailNotifications ? JSON.stringify(signature.emailNotifications) : null,
})

const read = (row: Row): StoredSignature => ({
  signId: Number(row.sign_id),
  documentId: row.document_id,
  storedAt: Number(row.stored_at),
  facts: JSON.parse(row.facts),
  signedDigests: JSON.parse(row.signed_digests),
  signature: row.signature,
  timeStamp: row.time_stamp,
  ocsp: row.ocsp ?? undefined,
  crls: row.crls ?? new Uint8Array(),
  certificates: row.certificates,
  fingerprint: row.fingerprint,
  emailNotifications: row.email_notifications === null ? undefined : JSON.parse(row.email_notifications),
})
