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
  sessionId: text('session_id'),
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
type SessionState = Pick<StoredAuthentication, 'authAt' | 'result' | 'path' | 'goodAt' | 'endedAt'>

/** A person, or the same person as an employee; with their session when they call within one. */
export interface Holder {
  readonly iin: string
  readonly bin?: string | undefined
  readonly authorities?: readonly string[]
  readonly sessionId?: string
}

/** Stores every authentication that began a session, and its result. A session belongs to its holder only. */
export class AuthenticationStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof AuthenticationStore.inject>) {}

  async add(authentication: Omit<StoredAuthentication, 'endedAt'>): Promise<void> {
    const { userId, businessId = '' } = authentication.result
    const row = { user_id: userId, business_id: businessId, ...authenticationsTable.row(authentication) }
    await this.use.database.query(authenticationsTable.name).insert(row)
  }

  /** The result of the authentication that began the holder's session. */
  async result(holder: Holder): Promise<AuthenticationResult | undefined> {
    return (await this.state(holder))?.result
  }

  /** The state of the holder's session; `undefined` if they have none with these roles. */
  async state(holder: Holder): Promise<SessionState | undefined> {
    if (holder.sessionId === undefined) return undefined
    const row = await this.session(holder).first(
      ...authenticationsTable.only('authAt', 'result', 'path', 'goodAt', 'endedAt'),
    )
    const state = row && authenticationsTable.read(row)
    return state && isSame(holder.authorities ?? state.result.extKeyUsages, state.result.extKeyUsages)
      ? state
      : undefined
  }

  async markGood(holder: Holder, goodAt: number): Promise<void> {
    await this.update(holder, { goodAt })
  }

  /** Ends the session, unless it has ended already. */
  async end(holder: Holder, endedAt: number): Promise<void> {
    await this.update(holder, { endedAt })
  }

  private async update(holder: Holder, values: Partial<StoredAuthentication>): Promise<void> {
    if (holder.sessionId === undefined) return
    await this.use.database.transaction(async () => {
      await this.session(holder).where({ ended_at: null }).update(authenticationsTable.row(values))
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

  /** Deletes up to `most` of the authentications before a time, the oldest first; returns how many. */
  forget(before: number, most: number): Promise<number> {
    return this.use.database.transaction(async () => {
      const { query } = this.use.database
      const oldest = await query(authenticationsTable.name).orderBy('id').limit(most).select('id', 'auth_at')
      const ids = oldest.filter(({ auth_at }) => Number(auth_at) < before).map(({ id }) => id)
      return ids.length === 0 ? 0 : query(authenticationsTable.name).whereIn('id', ids).delete()
    })
  }

  private session(holder: Holder) {
    return this.of(holder).where({ session_id: holder.sessionId })
  }

  private of({ iin, bin = '' }: Holder) {
    return this.use.database.query(authenticationsTable.name).where({ user_id: iin, business_id: bin })
  }
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at])

const BATCH = 1000

/** Deletes old entries of the authentication log. */
export class TrimAuthentications {
  static readonly task = { name: 'trimAuthentications', schedule: '41 * * * *' }
  static readonly inject = { authentications: AuthenticationStore, limits: AuthenticationLimits, clock: Clock }

  constructor(private readonly use: Injected<typeof TrimAuthentications.inject>) {}

  async run(): Promise<void> {
    const before = this.use.clock.now() - this.use.limits.authenticationLogMs
    while ((await this.use.authentications.forget(before, BATCH)) === BATCH) {}
  }
}
