import { createHash } from 'node:crypto'
import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import { integer, table, text } from '../database/table.js'
import type { Owner } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'

const contacts = table('registry_mail_contacts', {
  payer: text('payer'),
  recipient: text('recipient'),
  since: integer('since'),
})
/** After this an address counts as new again. */
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1000
const CODE_BYTES = 16
const ROWS_AT_ONCE = 500

/** Remembers for a month who has written to which address, by hashes of the addresses. */
export class MailContacts {
  static readonly inject = { database: Database, clock: Clock }

  constructor(private readonly use: Injected<typeof MailContacts.inject>) {}

  /** Stores addresses in the caller's transaction; answers how many were new to the payer. */
  async meet(payer: Owner, addresses: readonly string[]): Promise<number> {
    const codes = addresses.map((address) => codeOf(payer, address)).sort()
    const known: string[] = await this.rows().where({ payer }).whereIn('recipient', codes).pluck('recipient')
    const since = this.use.clock.now()
    let fresh = 0
    for (const recipient of codes) {
      if (known.includes(recipient)) continue
      if (await insertOrLose(this.rows().insert(contacts.row({ payer, recipient, since })))) fresh += 1
    }
    return fresh
  }

  async forget(): Promise<void> {
    const { database, clock } = this.use
    for (;;) {
      const forgotten = await database.transaction(async () => {
        const old = () => this.rows().where('since', '<=', clock.now() - REMEMBERED_MS)
        const some = await old()
          .limit(ROWS_AT_ONCE)
          .select<{ payer: string; recipient: string }[]>('payer', 'recipient')
        for (const one of some) await this.rows().where(one).delete()
        return some.length
      })
      if (forgotten < ROWS_AT_ONCE) return
    }
  }

  private rows() {
    return this.use.database.query(contacts.name)
  }
}

/** An address has a different code for each payer. */
const codeOf = (payer: Owner, address: string): string =>
  createHash('sha256').update(`${payer} ${address}`).digest().subarray(0, CODE_BYTES).toString('base64url')
