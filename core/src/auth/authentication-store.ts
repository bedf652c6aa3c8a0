import { Database } from '../database/database.js'
import type { AuthenticationEvent, AuthenticationResult } from './schema.js'

/** One authentication that began a session. */
export interface NewAuthentication {
  readonly authAt: number
  /** Serial number of the certificate, lower-case hexadecimal. */
  readonly serialNumber: string
  /** RFC 4514. */
  readonly issuer: string
  readonly ip: string
  readonly result: AuthenticationResult
}

/** Somebody in one context: a person, or the same person as an employee. */
export interface Holder {
  readonly iin: string
  readonly bin?: string | undefined
}

interface Row {
  auth_at: number
  serial_number: string
  issuer: string
  ip: string
}

/** Keeps every authentication that began a session, and what it answered. */
export class AuthenticationStore {
  static readonly inject = [Database] as const

  constructor(private readonly database: Database) {}

  /** Answers the number of the authentication. */
  async add({ authAt, serialNumber, issuer, ip, result }: NewAuthentication): Promise<number> {
    const [id] = await this.database.query('registry_authentications').insert({
      user_id: result.userId,
      business_id: result.businessId ?? '',
      auth_at: authAt,
      serial_number: serialNumber,
      issuer,
      ip,
      result: JSON.stringify(result),
    })
    return Number(id)
  }

  /** What an authentication of this holder answered. */
  async result(id: number, holder: Holder): Promise<AuthenticationResult | undefined> {
    const row: { result: string } | undefined = await this.#of(holder).where({ id }).first('result')
    return row && JSON.parse(row.result)
  }

  async count(holder: Holder): Promise<number> {
    const row: { total?: number | string } | undefined = await this.#of(holder).count({ total: '*' }).first()
    return Number(row?.total ?? 0)
  }

  /** Newest first. */
  async newest(holder: Holder, limit: number): Promise<AuthenticationEvent[]> {
    const rows: Row[] = await this.#of(holder)
      .orderBy('id', 'desc')
      .limit(limit)
      .select('auth_at', 'serial_number', 'issuer', 'ip')
    return rows.map((row) => ({
      authAt: Number(row.auth_at),
      serialNumber: row.serial_number,
      issuer: row.issuer,
      ip: row.ip,
    }))
  }

  #of({ iin, bin = '' }: Holder) {
    return this.database.query('registry_authentications').where({ user_id: iin, business_id: bin })
  }
}
