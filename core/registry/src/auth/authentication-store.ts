import Type, { type Static } from 'typebox'
import { Database } from '../database/database.js'
import { integer, json, optional, type Stored, table, text } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import { limits } from '../kernel/limits.js'
import type { Injected } from '../kernel/service.js'
import { type AuthenticationResult, Milliseconds } from './schema.js'

/** One line of the authentication log (specification, "Authentication log event"). */
export const AuthenticationEvent = Type.Object(
  {
    authAt: Milliseconds,
    serialNumber: Type.String({ description: 'of the certificate, lower-case hexadecimal' }),
    issuer: Type.String({ description: 'RFC 4514' }),
    ip: Type.String(),
  },
  { $id: 'AuthenticationEvent' },
)
export type AuthenticationEvent = Static<typeof AuthenticationEvent>

export interface AuthenticationLimits {
  /** Milliseconds that a line of the authentication log is kept. */
  readonly authenticationLogMs: number
}
export const AuthenticationLimits = limits<AuthenticationLimits>('AuthenticationLimits', {
  authenticationLogMs: 365 * 24 * 60 * 60 * 1000,
})

const authenticationsTable = table('registry_authentications', {
  authAt: integer('auth_at'),
  serialNumber: text('serial_number'),
  issuer: text('issuer'),
  ip: text('ip'),
  result: json<AuthenticationResult>('result'),
  /** Certificates from the signer to a trust anchor, base64 of DER. */
  path: optional(json<readonly string[]>('path')),
  /** When the signer's certificate was last known to be good. */
  goodAt: optional(integer('good_at')),
  endedAt: optional(integer('ended_at')),
})
type StoredAuthentication = Stored<typeof authenticationsTable>

/** Somebody in one context: a person, or the same person as an employee. */
export interface Holder {
  readonly iin: string
  readonly bin?: string | undefined
}

/** Keeps every authentication that began a session, and what it answered. */
export class AuthenticationStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof AuthenticationStore.inject>) {}

  /** Answers the number of the authentication. */
  async add(authentication: Omit<StoredAuthentication, 'endedAt'>): Promise<number> {
    const { userId, businessId = '' } = authentication.result
    const row = { user_id: userId, business_id: businessId, ...authenticationsTable.row(authentication) }
    const [id] = await this.use.database.query(authenticationsTable.name).insert(row)
    return Number(id)
  }

  /** What an authentication of this holder answered. */
  async result(id: number, holder: Holder): Promise<AuthenticationResult | undefined> {
    const row = await this.of(holder)
      .where({ id })
      .first(...authenticationsTable.only('result'))
    return row && authenticationsTable.read(row).result
  }

  /** How the session stands that an authentication began; `undefined` where there is none. */
  async state(
    id: number,
  ): Promise<Omit<StoredAuthentication, 'result' | 'serialNumber' | 'issuer' | 'ip'> | undefined> {
    const row = await this.use.database
      .query(authenticationsTable.name)
      .where({ id })
      .first(...authenticationsTable.only('authAt', 'path', 'goodAt', 'endedAt'))
    return row && authenticationsTable.read(row)
  }

  async markGood(id: number, goodAt: number): Promise<void> {
    await this.update(id, { goodAt })
  }

  /** Ends the session; one that has ended stays as it is. */
  async end(id: number, endedAt: number): Promise<void> {
    await this.update(id, { endedAt })
  }

  private async update(id: number, values: Partial<StoredAuthentication>): Promise<void> {
    await this.use.database.transaction(async () => {
      await this.use.database
        .query(authenticationsTable.name)
        .where({ id, ended_at: null })
        .update(authenticationsTable.row(values))
    })
  }

  async count(holder: Holder): Promise<number> {
    const row = await this.of(holder).count({ total: '*' }).first()
    return Number(row?.total ?? 0)
  }

  /** Newest first. */
  async newest(holder: Holder, limit: number): Promise<AuthenticationEvent[]> {
    const rows = await this.of(holder)
      .orderBy('id', 'desc')
      .limit(limit)
      .select(...authenticationsTable.only('authAt', 'serialNumber', 'issuer', 'ip'))
    return rows.map((row) => authenticationsTable.read(row))
  }

  /** Forgets up to `most` of the authentications before a time, the oldest first; tells how many. */
  forget(before: number, most: number): Promise<number> {
    return this.use.database.transaction(async () => {
      const { query } = this.use.database
      const oldest = await query(authenticationsTable.name).orderBy('id').limit(most).select('id', 'auth_at')
      const ids = oldest.filter(({ auth_at }) => Number(auth_at) < before).map(({ id }) => id)
      return ids.length === 0 ? 0 : query(authenticationsTable.name).whereIn('id', ids).delete()
    })
  }

  private of({ iin, bin = '' }: Holder) {
    return this.use.database.query(authenticationsTable.name).where({ user_id: iin, business_id: bin })
  }
}

const BATCH = 1000

/** Keeps the authentication log from growing for ever. */
export class TrimAuthentications {
  static readonly task = { name: 'trimAuthentications', schedule: '41 * * * *' }
  static readonly inject = { authentications: AuthenticationStore, limits: AuthenticationLimits, clock: Clock }

  constructor(private readonly use: Injected<typeof TrimAuthentications.inject>) {}

  async run(): Promise<void> {
    const before = this.use.clock.now() - this.use.limits.authenticationLogMs
    while ((await this.use.authentications.forget(before, BATCH)) === BATCH) {}
  }
}
