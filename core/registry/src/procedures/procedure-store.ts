import { createHash } from 'node:crypto'
import type { ProvedLogin } from '../auth/index.js'
import { Database } from '../database/database.js'
import { bytes, integer, json, optional, type Stored, table, text, word } from '../database/table.js'
import type { EmailNotifications } from '../documents/index.js'
import type { Owner } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import type { PackageEmailNotifications } from '../packages/index.js'
import type { AppOrganisation, AuthType, Meta } from './schema.js'

/** Statuses of a procedure (specification, "Signing procedure"). */
const PROCEDURE_STATUSES = ['new', 'meta', 'data', 'done', 'fail', 'canceled'] as const
export type ProcedureStatus = (typeof PROCEDURE_STATUSES)[number]

/** Statuses of procedures that have not ended. */
export const OPEN = ['new', 'meta', 'data'] as const satisfies ProcedureStatus[]
export const isOpen = (status: ProcedureStatus): boolean => OPEN.some((one) => one === status)

/** A caller's raw data, a document, a package, or a login. */
export const PROCEDURE_KINDS = ['raw', 'document', 'package', 'login'] as const
export type ProcedureKind = (typeof PROCEDURE_KINDS)[number]

/** What does not change during a procedure. */
export interface ProcedureDetails {
  readonly description: string
  readonly organisation: AppOrganisation
  readonly authType: AuthType
  /** One list for each document. */
  readonly meta?: readonly (readonly Meta[])[]
  readonly backUrl?: string
  /** IIN that the record shows. */
  readonly userId?: string
  /** IIN of the only person who may sign. */
  readonly signer?: string
  /** BIN of the organization that began it. */
  readonly businessId?: string
  /** Whom to notify of the signature; the form for a document or for a package. */
  readonly signatureEmailNotifications?: EmailNotifications & PackageEmailNotifications
  /** What is signed to log in, base64. */
  readonly nonce?: string
}

/** Why a procedure failed (specification, "Signing procedure records"). */
export interface ProcedureFailure {
  /** Reported by the mobile app. */
  readonly gov?: string
  /** From processing the signatures. */
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
  /** Of the phone that fetched the documents. */
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
  /** IIN of the user who authenticated in the app before it got the documents. */
  signer: optional(text('signer')),
  /** Result of a login by phone, until the browser fetches its session. */
  login: optional(json<ProvedLogin>('login')),
  /** State of the relay. */
  channel: optional(json<unknown>('channel')),
  /** End of the claim of the host that handles its relay. */
  claimedUntil: optional(integer('claimed_until')),
})

/** A procedure as it is stored. Times in milliseconds. */
export type Procedure = Stored<typeof procedures>
type Change = Partial<Omit<Procedure, 'id' | 'kind' | 'version' | 'appKey' | 'callerKey' | 'phoneKey'>>

/** The stored hash of a secret in a link. */
export const keyOf = (secret: string): Uint8Array => createHash('sha256').update(secret).digest()

/** Strangers, as a range of an index. */
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

  /** Reads and locks a procedure for this transaction. */
  async lock(id: string): Promise<Procedure | undefined> {
    const row = await this.rows().where({ id }).forUpdate().first(procedures.columns)
    return row && procedures.read(row)
  }

  /** By the secret of the app, or of the caller who began it. */
  async findByKey(side: 'appKey' | 'callerKey', secret: string): Promise<Procedure | undefined> {
    return this.first(procedures.row({ [side]: keyOf(secret) }))
  }

  /** Changes a procedure that is in one of these statuses; false where it is not. */
  async move(id: string, from: readonly ProcedureStatus[], change: Change): Promise<boolean> {
    const changed = await this.rows()
      .where({ id })
      .whereIn('status', from)
      .update({ ...procedures.row(change), version: this.use.database.query.raw('version + 1') })
    return changed > 0
  }

  /** Gives an open procedure to the phone with this key, and to its authenticated user, unless another phone has it. */
  async giveTo(id: string, phoneKey: Uint8Array, signer: string | undefined): Promise<boolean> {
    const theirs = procedures.row({ phoneKey, ...(signer !== undefined && { signer }) })
    const free = this.rows().where({ id }).whereIn('status', OPEN)
    for (const [column, value] of Object.entries(theirs))
      void free.andWhere((one) => one.whereNull(column).orWhere(column, value))
    return (await free.update({ ...theirs, version: this.use.database.query.raw('version + 1') })) > 0
  }

  /** Claims a procedure for a host until `until`, if its current claim is still `from`. */
  async claim(id: string, claimed: { until: number; from: number | undefined }, now: number): Promise<boolean> {
    // In a transaction, which is repeated after a conflict with another node.
    return this.use.database.transaction(async () => {
      const free = this.rows().where({ id }).whereIn('status', OPEN)
      const mine =
        claimed.from === undefined
          ? free.andWhere((one) => one.whereNull('claimed_until').orWhere('claimed_until', '<=', now))
          : free.andWhere(procedures.row({ claimedUntil: claimed.from }))
      return (await mine.update(procedures.row({ claimedUntil: claimed.until }))) > 0
    })
  }

  /** Open procedures with a relay that no host has claimed. */
  async unclaimed(now: number, limit: number): Promise<string[]> {
    return this.rows()
      .whereIn('status', OPEN)
      .whereNotNull('channel')
      .andWhere('expire_at', '>', now)
      .andWhere((free) => free.whereNull('claimed_until').orWhere('claimed_until', '<=', now))
      .limit(limit)
      .pluck('id')
  }

  /** Takes the result of a login; of concurrent calls only one gets it. */
  async takeLogin({ id, login }: Procedure): Promise<ProvedLogin | undefined> {
    const take = async () => this.rows().where({ id }).whereNotNull('login').update({ login: null })
    return (await this.use.database.transaction(take)) > 0 ? login : undefined
  }

  /** Number of open, unexpired procedures of some kinds: of one owner, of strangers or of all. */
  async countOpen(kinds: readonly ProcedureKind[], now: number, of: Owner | 'strangers' | 'all'): Promise<number> {
    const open = this.open(kinds, now)
    if (of === 'strangers') void open.whereBetween('begun_by', STRANGERS)
    else if (of !== 'all') void open.andWhere({ begun_by: of })
    const row = await open.count({ total: '*' }).first()
    return Number(row?.total ?? 0)
  }

  /** The stranger with most open procedures; of several, the one who began one last. */
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

  /** The oldest open procedure of an owner. */
  async oldestOpen(kinds: readonly ProcedureKind[], now: number, by: Owner): Promise<Procedure | undefined> {
    const row = await this.open(kinds, now).andWhere({ begun_by: by }).orderBy('expire_at').first(procedures.columns)
    return row && procedures.read(row)
  }

  /** Open procedures that are overdue. */
  async overdue(now: number, limit: number): Promise<Procedure[]> {
    const rows = this.rows().whereIn('status', OPEN).andWhere('expire_at', '<=', now).limit(limit)
    return (await rows.select(procedures.columns)).map((row) => procedures.read(row))
  }

  /** Procedures of some kinds that ended before a moment. */
  async ended(kinds: readonly ProcedureKind[], before: number, limit: number): Promise<string[]> {
    return this.rows().whereIn('kind', kinds).andWhere('expire_at', '<=', before).limit(limit).pluck('id')
  }

  /** Versions of these procedures; each change increments one. */
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
