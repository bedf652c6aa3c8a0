import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import { integer, type Stored, table, text, word } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { REFUSABLE, type Refusable } from './news.js'

const refusals = table('registry_mail_refusals', {
  recipient: text('recipient'),
  kind: word('kind', REFUSABLE),
  refusedAt: integer('refused_at'),
})
const bounces = table('registry_mail_bounces', {
  recipient: text('recipient'),
  bouncedAt: integer('bounced_at'),
  reason: text('reason'),
})
/** Why an address gets no more mail. */
export type Bounce = Omit<Stored<typeof bounces>, 'recipient'>

const MAX_REASON = 500

/** Keeps which recipients, by their codes, refuse what, and which addresses do not exist any more. */
export class RecipientStore {
  static readonly inject = { database: Database, clock: Clock }

  constructor(private readonly use: Injected<typeof RecipientStore.inject>) {}

  async refuse(recipient: string, kind: Refusable): Promise<void> {
    const row = refusals.row({ recipient, kind, refusedAt: this.use.clock.now() })
    await insertOrLose(this.use.database.query(refusals.name).insert(row))
  }

  /** Takes the refusal of one kind back, or of all. */
  async accept(recipient: string, kind?: Refusable): Promise<void> {
    const where = { recipient, ...(kind && { kind }) }
    await this.use.database.query(refusals.name).where(where).delete()
  }

  async refusedKinds(recipient: string): Promise<Refusable[]> {
    const rows: Record<string, unknown>[] = await this.use.database
      .query(refusals.name)
      .where({ recipient })
      .orderBy('kind')
      .select(refusals.columns)
    return rows.map((row) => refusals.read(row).kind)
  }

  /** Notes that mail to an address cannot arrive. */
  async bounced(recipient: string, reason: string): Promise<void> {
    const row = bounces.row({ recipient, bouncedAt: this.use.clock.now(), reason: reason.slice(0, MAX_REASON) })
    await insertOrLose(this.use.database.query(bounces.name).insert(row))
  }

  async bounceOf(recipient: string): Promise<Bounce | undefined> {
    const row: Record<string, unknown> | undefined = await this.use.database
      .query(bounces.name)
      .where({ recipient })
      .first(bounces.columns)
    return row && bounces.read(row)
  }

  /** Lets mail go to an address again that bounced. */
  async forgetBounce(recipient: string): Promise<void> {
    await this.use.database.query(bounces.name).where({ recipient }).delete()
  }
}
