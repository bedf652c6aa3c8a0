import { createHash } from 'node:crypto'
import type { ProvedLogin } from '../auth/index.js'
import { Database } from '../database/database.js'
import { bytes, integer, json, optional, type Stored, table, text, word } from '../database/table.js'
import type { EmailNotifications } from '../documents/index.js'
import type { Owner } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import type { PackageEmailNotifications } from '../packages/index.js'
import type { AppOrganisation, AuthType, Meta } from './schema.js'

/** Where a procedure stands (specification, "Signing procedure"). */
const PROCEDURE_STATUSES = ['new', 'meta', 'data', 'done', 'fail', 'canceled'] as const
export type ProcedureStatus = (typeof PROCEDURE_STATUSES)[number]

/** Statuses in which something can still come of it. */
export const OPEN = ['new', 'meta', 'data'] as const satisfies ProcedureStatus[]
export const isOpen = (status: ProcedureStatus): boolean => OPEN.some((one) => one === status)

/** Raw data of a caller, one document, a package, or a login. */
export const PROCEDURE_KINDS = ['raw', 'document', 'package', 'login'] as const
export type ProcedureKind = (typeof PROCEDURE_KINDS)[number]

/** What stays the same from beginning to end. */
export interface ProcedureDetails {
  readonly description: string
  readonly organisation: AppOrganisation
  readonly authType: AuthType
  /** One list for each document. */
  readonly meta?: readonly (readonly Meta[])[]
  readonly backUrl?: string
  /** IIN as the record shows it. */
  readonly userId?: string
  /** IIN of the one person whose signature will do. */
  readonly signer?: string
  /** BIN of the organization that began it. */
  readonly businessId?: string
  /** Whom to notify of the signature, in the form of a document or of a package. */
  readonly signatureEmailNotifications?: EmailNotifications & PackageEmailNotifications
  /** What is signed to log in, base64. */
  readonly nonce?: string
}

/** Why a procedure failed (specification, "Signing procedure records"). */
export interface ProcedureFailure {
  /** From the side of the mobile application. */
  readonly gov?: string
  /** Of the processing of signatures. */
  readonly service?: string
}

const procedures = table('registry_procedures', {
  id: text('id'),
  kind: word('kind', PROCEDURE_KINDS),
  status: word('status', PROCEDURE_STATUSES),
  version: integer('version'),
  documentId: optional(text('document_id')),
  packageId: optional(text('package_id')),
  appKey: bytes('app_key'),
  callerKey: optional(bytes('caller_key')),
  /** Of the phone that came for the documents. */
  phoneKey: optional(bytes('phone_key')),
  begunBy: text('begun_by'),
  createdAt: integer('created_at'),
  expireAt: integer('expire_at'),
  wantedUntil: integer('wanted_until'),
  details: json<ProcedureDetails>('details'),
  dataBody: optional(text('data_body')),
  resultBody: optional(text('result_body')),
  signIds: optional(json<readonly number[]>('sign_ids')),
  errors: optional(json<ProcedureFailure>('errors')),
  /** IIN of who proved to be at the app before it got the documents. */
  signer: optional(text('signer')),
  /** What a login by phone proved, until the browser that began it comes for its session. */
  login: optional(json<ProvedLogin>('login')),
  /** What the way by which the app comes has to remember. */
  channel: optional(json<unknown>('channel')),
  /** Until when one host works as a relay for it. */
  claimedUntil: optional(integer('claimed_until')),
})

/** A procedure as it is kept. Times in milliseconds. */
export type Procedure = Stored<typeof procedures>
type Change = Partial<Omit<Procedure, 'id' | 'kind' | 'version' | 'appKey' | 'callerKey' | 'phoneKey'>>

/** What is kept of a secret that stands in a link. */
export const keyOf = (secret: string): Uint8Array => createHash('sha256').update(secret).digest()

/** Owners of whom nothing but the address is known, as a range of an index. */
const STRANGERS: [Owner, Owner] = ['at ', 'at~']

/** Keeps procedures. */
export class ProcedureStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof ProcedureStore.inject>) {}

  async add(procedure: Procedure): Promise<void> {
    await this.rows().insert(procedures.row(procedure))
  }

  async find(id: string): Promise<Procedure | undefined> {
    return this.first({ id })
  }

  /** As it stands, until the transaction ends. */
  async lock(id: string): Promise<Procedure | undefined> {
    const row = await this.rows().where({ id }).forUpdate().first(procedures.columns)
    return row && procedures.read(row)
  }

  /** By the secret in the link of the app, or of who began it. */
  async findByKey(side: 'appKey' | 'callerKey', secret: string): Promise<Procedure | undefined> {
    return this.first(procedures.row({ [side]: keyOf(secret) }))
  }

  /** Changes a procedure that stands in one of these statuses; false where it does not. */
  async move(id: string, from: readonly ProcedureStatus[], change: Change): Promise<boolean> {
    const changed = await this.rows()
      .where({ id })
      .whereIn('status', from)
      .update({ ...procedures.row(change), version: this.use.database.query.raw('version + 1') })
    return changed > 0
  }

  /** Gives an open procedure to the phone with this key, and to the user that it proved, unless another one has it. */
  async giveTo(id: string, phoneKey: Uint8Array, signer: string | undefined): Promise<boolean> {
    const theirs = procedures.row({ phoneKey, ...(signer !== undefined && { signer }) })
    const free = this.rows().where({ id }).whereIn('status', OPEN)
    for (const [column, value] of Object.entries(theirs))
      void free.andWhere((one) => one.whereNull(column).orWhere(column, value))
    return (await free.update({ ...theirs, version: this.use.database.query.raw('version + 1') })) > 0
  }

  /** Gives a procedure to one host for a time, where it is as free or as taken as that host believes. */
  async claim(id: string, claimed: { until: number; from: number | undefined }, now: number): Promise<boolean> {
    // In a transaction: what loses a race at another node is run again.
    return this.use.database.transaction(async () => {
      const free = this.rows().where({ id }).whereIn('status', OPEN)
      const mine =
        claimed.from === undefined
          ? free.andWhere((one) => one.whereNull('claimed_until').orWhere('claimed_until', '<=', now))
          : free.andWhere(procedures.row({ claimedUntil: claimed.from }))
      return (await mine.update(procedures.row({ claimedUntil: claimed.until }))) > 0
    })
  }

  /** Open ones that a relay is to work for, and no host does. */
  async unclaimed(now: number, limit: number): Promise<string[]> {
    return this.rows()
      .whereIn('status', OPEN)
      .whereNotNull('channel')
      .andWhere('expire_at', '>', now)
      .andWhere((free) => free.whereNull('claimed_until').orWhere('claimed_until', '<=', now))
      .limit(limit)
      .pluck('id')
  }

  /** Takes what a login has proved; of several who ask one gets it. */
  async takeLogin({ id, login }: Procedure): Promise<ProvedLogin | undefined> {
    const take = async () => this.rows().where({ id }).whereNotNull('login').update({ login: null })
    return (await this.use.database.transaction(take)) > 0 ? login : undefined
  }

  /** How many procedures of some kinds are open and have time left, of one owner, of strangers or of all. */
  async countOpen(kinds: readonly ProcedureKind[], now: number, of: Owner | 'strangers' | 'all'): Promise<number> {
    const open = this.open(kinds, now)
    if (of === 'strangers') void open.whereBetween('begun_by', STRANGERS)
    else if (of !== 'all') void open.andWhere({ begun_by: of })
    const row = await open.count({ total: '*' }).first()
    return Number(row?.total ?? 0)
  }

  /** The stranger who has most of them open; of several, who began one last. */
  async greediest(kinds: readonly ProcedureKind[], now: number): Promise<{ by: Owner; total: number } | undefined> {
    const row: Record<string, unknown> | undefined = await this.open(kinds, now)
      .whereBetween('begun_by', STRANGERS)
      .select('begun_by as by')
      .count({ total: '*' })
      .groupBy('begun_by')
      .orderByRaw('count(*) desc, max(expire_at) desc')
      .first()
    return row && { by: String(row.by), total: Number(row.total) }
  }

  /** The one of an owner that has been open longest. */
  async oldestOpen(kinds: readonly ProcedureKind[], now: number, by: Owner): Promise<Procedure | undefined> {
    const row = await this.open(kinds, now).andWhere({ begun_by: by }).orderBy('expire_at').first(procedures.columns)
    return row && procedures.read(row)
  }

  /** Open ones whose time is over. */
  async overdue(now: number, limit: number): Promise<Procedure[]> {
    const rows = this.rows().whereIn('status', OPEN).andWhere('expire_at', '<=', now).limit(limit)
    return (await rows.select(procedures.columns)).map((row) => procedures.read(row))
  }

  /** Those that ended before a moment, of some kinds. */
  async ended(kinds: readonly ProcedureKind[], before: number, limit: number): Promise<string[]> {
    return this.rows().whereIn('kind', kinds).andWhere('expire_at', '<=', before).limit(limit).pluck('id')
  }

  /** How often each of these procedures has changed. */
  async versions(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.rows()
      .whereIn('id', ids)
      .select(...procedures.only('id', 'version'))
    return new Map(rows.map((row) => [String(row.id), Number(row.version)]))
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.rows().whereIn('id', ids).delete()
  }

  private async first(where: Record<string, unknown>): Promise<Procedure | undefined> {
    const row = await this.rows().where(where).first(procedures.columns)
    return row && procedures.read(row)
  }

  private open(kinds: readonly ProcedureKind[], now: number) {
    return this.rows().whereIn('kind', kinds).whereIn('status', OPEN).andWhere('expire_at', '>', now)
  }

  private rows() {
    return this.use.database.query(procedures.name)
  }
}
