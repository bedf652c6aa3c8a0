import { Database } from '../database/database.js'
import { isUniqueViolation } from '../database/dialect.js'
import { everyRow } from '../database/every-row.js'
import { bytes, integer, json, optional, places, type Row, type Stored, table, text, word } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import { LogEntries, type StoredFact } from '../log/index.js'
import {
  type Evidence,
  type SignatureCoverage,
  type SignatureFacts,
  SignaturePolicy,
  type SignerKey,
  type SignerKeys,
} from '../signatures/index.js'
import { ClaimedKeys } from './claimed-keys.js'
import { type LoggedSignature, signatureFacts } from './document-facts.js'
import { documentErrors } from './errors.js'
import { keptBeside, readBeside } from './kept-signature.js'
import { RevocationListStore } from './revocation-list-store.js'
import type { EmailNotifications } from './schema.js'
import { WRITTEN, type WrittenSignature, writtenSignature } from './shown-signature.js'
import type { NewSignature, SignatureProof, SignatureRecord, SignatureSummary } from './signature-record.js'

const signatures = table('registry_signatures', {
  signId: integer('sign_id'),
  documentId: text('document_id'),
  storedAt: integer('stored_at'),
  signType: word('sign_type', ['cms', 'xml']),
  userId: text('user_id'),
  businessId: optional(text('business_id')),
  facts: json<SignatureFacts>('facts'),
  signedDigests: json<Readonly<Record<string, string>>>('signed_digests'),
  coverage: optional(json<SignatureCoverage>('coverage')),
  signature: bytes('signature'),
  timeStamp: bytes('time_stamp'),
  ocsp: optional(bytes('ocsp')),
  crls: optional(bytes('crls')),
  certificates: bytes('certificates'),
  fingerprint: bytes('fingerprint'),
  signerKey: optional(bytes('signer_key')),
  signerCertificate: optional(bytes('signer_certificate')),
  emailNotifications: optional(json<EmailNotifications>('email_notifications')),
})
/** Without the evidence, which is kilobytes in every row. */
const SUMMARY = signatures.only('signId', 'storedAt', 'facts', 'coverage', 'emailNotifications')
const PROOF = signatures.only(
  'signId',
  'signType',
  'signedDigests',
  'coverage',
  'signature',
  'timeStamp',
  'ocsp',
  'crls',
  'certificates',
)

/** What the log has of one. */
const LOGGED = signatures.only(
  'signId',
  'documentId',
  'storedAt',
  'signature',
  'timeStamp',
  'ocsp',
  'crls',
  'signedDigests',
  'coverage',
)

/** Stores the signatures of documents. */
export class SignatureStore implements SignerKeys {
  static readonly inject = {
    database: Database,
    revocationLists: RevocationListStore,
    policy: SignaturePolicy,
    claims: ClaimedKeys,
    log: LogEntries,
  }

  constructor(private readonly use: Injected<typeof SignatureStore.inject>) {}

  /**
   * Adds a signature and returns its `signId`. The document must be new or locked, so that ids of one document
   * become visible in their order. Rejects with `signatureAlreadySubmitted` when any document has this signature.
   */
  async add(signature: NewSignature): Promise<number> {
    try {
      const { first, stored } = await this.insert([signature])
      await this.use.log.append(signatureFacts(stored, new Map([[signature.documentId, first]])))
      return first
    } catch (error) {
      throw isUniqueViolation(error) ? documentErrors.error('signatureAlreadySubmitted') : error
    }
  }

  /**
   * Like `add`, for one signature of each of several documents; returns `signId` by `documentId`. The refusal names the
   * `documentId` of the first duplicate.
   */
  async addAll(added: readonly NewSignature[]): Promise<ReadonlyMap<string, number>> {
    if (added.length === 0) return new Map()
    try {
      const { first, stored } = await this.insert(added)
      const signIds = await this.numbers(added, first)
      await this.use.log.append(signatureFacts(stored, signIds))
      return signIds
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      // Only the statement failed: the transaction can still find the duplicates.
      const known = await this.known(added)
      const documentId = added.find(({ fingerprint }) => known.has(hex(fingerprint)))?.documentId
      throw documentErrors.error('signatureAlreadySubmitted', { documentId })
    }
  }

  /** Returns the id of the first, and what was stored; the ids of the others are higher. */
  private async insert(added: readonly NewSignature[]) {
    const rows = []
    const stored: Omit<LoggedSignature, 'signId'>[] = []
    for (const { signerKey, certificateNamed: _, documentStoredAt, ...signature } of added) {
      const { signType, userId, businessId } = signature.facts
      const crls = signature.crls.length === 0 ? undefined : await this.use.revocationLists.keep(signature.crls)
      const { key, certificate: signerCertificate } = signerKey
      const signer = { signType, userId, businessId, signerKey: key, signerCertificate }
      const timeStamp = keptBeside(signature.signature, signature.timeStamp)
      const ocsp = signature.ocsp && keptBeside(signature.signature, signature.ocsp)
      rows.push(signatures.row({ ...signature, ...signer, timeStamp, ocsp, crls }))
      stored.push({ ...signature, documentStoredAt, crls })
    }
    const first = await this.use.database.insert(signatures.name, rows)
    if (this.use.policy.signingCertificate === 'known') {
      for (const signature of added) if (!signature.certificateNamed) await this.use.claims.claim(signature.signerKey)
    }
    return { first, stored }
  }

  /** The `signId` of new signatures of locked documents, by `documentId`. */
  private async numbers(added: readonly NewSignature[], first: number): Promise<ReadonlyMap<string, number>> {
    const ids = added.map(({ documentId }) => documentId)
    if (ids.length === 1) return new Map(ids.map((id) => [id, first]))
    const rows = await this.use.database.rows(
      `select document_id, sign_id from ${signatures.name} where document_id in (${places(ids)}) and sign_id >= ?`,
      [...ids, first],
    )
    return new Map(rows.map((row) => signatures.read(row)).map(({ documentId, signId }) => [documentId, signId]))
  }

  /** The fingerprints of those signatures that are stored already, in hexadecimal. */
  private async known(added: readonly NewSignature[]): Promise<ReadonlySet<string>> {
    const fingerprints = added.map(({ fingerprint }) => fingerprint)
    const rows = await this.signatures().whereIn('fingerprint', fingerprints).select(signatures.only('fingerprint'))
    return new Set(rows.map((row) => hex(signatures.read(row).fingerprint)))
  }

  /** Signatures of a document after `lastSignId`, in the order of `signId`, at most `limit`, for answers. */
  async page(documentId: string, lastSignId: number, limit: number): Promise<SignatureSummary[]> {
    return (await this.after(documentId, lastSignId, limit, SUMMARY)).map((row) => signatures.read(row))
  }

  /** Like `page`, as JSON, without parsing stored text. */
  async writtenPage(documentId: string, lastSignId: number, limit: number): Promise<WrittenSignature[]> {
    return (await this.after(documentId, lastSignId, limit, WRITTEN)).map(writtenSignature)
  }

  /** These signatures for answers, each with its document, by `signId`. */
  async summaries(
    signIds: readonly number[],
  ): Promise<ReadonlyMap<number, SignatureSummary & { readonly documentId: string }>> {
    if (signIds.length === 0) return new Map()
    const columns = [...SUMMARY, ...signatures.only('documentId')]
    const rows = await this.signatures().whereIn('sign_id', signIds).select(columns)
    return new Map(rows.map((row) => signatures.read(row)).map((one) => [one.signId, one]))
  }

  /** Like `page`, only the evidence. */
  async proofs(documentId: string, lastSignId: number, limit: number): Promise<SignatureProof[]> {
    return (await this.after(documentId, lastSignId, limit, PROOF)).map(withEvidence)
  }

  /** Like `page`, with the evidence. */
  async pageWithEvidence(documentId: string, lastSignId: number, limit: number): Promise<SignatureRecord[]> {
    return (await this.after(documentId, lastSignId, limit, signatures.columns)).map(withEvidence)
  }

  /** Signatures of all documents after `lastSignId`, in the order of `signId`. */
  async inOrder(lastSignId: number, limit: number): Promise<SignatureRecord[]> {
    const sql = `select ${signatures.columns.join(', ')} from registry_signatures where sign_id > ? order by sign_id limit ${Math.trunc(limit)}`
    return (await this.use.database.rows(sql, [lastSignId])).map(withEvidence)
  }

  /** These signatures, with the evidence. */
  async withEvidence(signIds: readonly number[]): Promise<SignatureRecord[]> {
    const rows = await this.signatures().whereIn('sign_id', signIds).select(signatures.columns)
    return rows.map(withEvidence)
  }

  /** These signatures, as they are logged. */
  async logged(signIds: readonly number[]): Promise<Omit<LoggedSignature, 'documentStoredAt'>[]> {
    const sql = `select ${LOGGED.join(', ')} from registry_signatures where sign_id in (${places(signIds)})`
    return (await this.use.database.rows(sql, signIds)).map(withEvidence)
  }

  /** All signatures, as facts that have to be logged. */
  async *stored(): AsyncGenerator<readonly StoredFact[]> {
    const select = (behind: string) => `select sign_id, stored_at from registry_signatures where ${behind}`
    for await (const rows of everyRow(this.use.database, ['sign_id'], select))
      yield rows.map((row) => signatures.read(row)).map(({ signId, storedAt }) => ({ ref: `${signId}`, at: storedAt }))
  }

  /** The complete evidence of a stored signature, with CRLs. */
  async evidence(stored: SignatureProof): Promise<Evidence> {
    const { crls } = stored
    return { ...stored, crls: crls ? await this.use.revocationLists.load(crls) : [] }
  }

  /** Rejects with `invalidSignatureIdentifier` when the document has no such signature. */
  async get(documentId: string, signId: number): Promise<SignatureRecord> {
    const found = await this.find({ documentId, signId })
    if (found === undefined) throw documentErrors.error('invalidSignatureIdentifier')
    return found
  }

  async findByFingerprint(fingerprint: Uint8Array): Promise<SignatureRecord | undefined> {
    return this.find({ fingerprint })
  }

  /** True when the document has a signature of this person, or of this employee when `businessId` is given. */
  async signedBy(documentId: string, userId: string, businessId: string | undefined): Promise<boolean> {
    return this.exists({ documentId, userId, businessId })
  }

  /** True when the document has a signature of this person, whether private or for an organization. */
  async signedByPerson(documentId: string, userId: string): Promise<boolean> {
    return this.exists({ documentId, userId })
  }

  /** True when the document has a signature of an employee of this organization. */
  async signedByOrganization(documentId: string, businessId: string): Promise<boolean> {
    return this.exists({ documentId, businessId })
  }

  /** Organizations for which documents were signed, by the identifiers of the documents. */
  async organizationsOf(documentIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.signatures()
      .whereIn('document_id', documentIds)
      .whereNotNull('business_id')
      .distinct(signatures.only('documentId', 'businessId'))
    const organizations = new Map<string, string[]>(documentIds.map((id) => [id, []]))
    for (const row of rows) {
      const { documentId, businessId } = signatures.read(row)
      if (businessId !== undefined) organizations.get(documentId)?.push(businessId)
    }
    return organizations
  }

  async isUnderOther({ key, certificate }: SignerKey): Promise<boolean> {
    const sameKey = this.signatures().where(signatures.row({ signerKey: key }))
    const other = sameKey.whereNot(signatures.row({ signerCertificate: certificate }))
    return (await other.first('sign_id')) !== undefined
  }

  private async find(where: Parameters<typeof signatures.row>[0]): Promise<SignatureRecord | undefined> {
    const row = await this.signatures().where(signatures.row(where)).first(signatures.columns)
    return row && withEvidence(row)
  }

  private async exists(where: Parameters<typeof signatures.row>[0]): Promise<boolean> {
    return (await this.signatures().where(signatures.row(where)).first('sign_id')) !== undefined
  }

  private after(documentId: string, lastSignId: number, limit: number, columns: readonly string[]): Promise<Row[]> {
    // The limit is inlined: SQLite plans a statement again for each bound one.
    const which = `where document_id = ? and sign_id > ? order by sign_id limit ${Math.trunc(limit)}`
    const sql = `select ${columns.join(', ')} from registry_signatures ${which}`
    return this.use.database.rows(sql, [documentId, lastSignId])
  }

  private signatures() {
    return this.use.database.query(signatures.name)
  }
}

/** The fields of a row whose signature was selected with its evidence. */
function withEvidence(row: Row): Stored<typeof signatures> {
  const { timeStamp, ocsp, ...others } = signatures.read(row)
  const { signature } = others
  return {
    ...others,
    timeStamp: readBeside(signature, timeStamp),
    ocsp: ocsp && readBeside(signature, ocsp),
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
