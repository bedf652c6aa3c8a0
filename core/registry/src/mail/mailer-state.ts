import { Database } from '../database/database.js'
import { integer, table, text } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'

const states = table('registry_mailer_state', {
  name: text('name'),
  refusals: integer('refusals'),
  recipient: text('recipient'),
  notedAt: integer('noted_at'),
})
const NAME = 'mailer'
/** A minute, and what the repeat of the first attempt after a minute may be late. */
const KNOWN_MS = 70_000
/** Recipients refused one after the other: one alone may be refused for a reason of its own. */
const EVERYBODY = 2

/** Remembers for a minute that the mail server takes nothing; hosts of one database tell each other. */
export class MailerState {
  static readonly inject = { database: Database, clock: Clock }

  constructor(private readonly use: Injected<typeof MailerState.inject>) {}

  /** The server took a mail. */
  async accepted(): Promise<void> {
    if ((await this.find()) !== undefined) await this.rows().where({ name: NAME }).delete()
  }

  /** The server did not answer, or takes nothing from us. */
  async failed(): Promise<void> {
    await this.note(EVERYBODY, '')
  }

  /** The server refused a recipient, by its code, whose mailbox may well exist. */
  async refused(recipient: string): Promise<void> {
    const known = await this.known()
    const isAgain = known?.recipient === recipient
    await this.note((known?.refusals ?? 0) + (isAgain ? 0 : 1), recipient)
  }

  /** True when mails are not taken, as far as the last minute told. */
  async takesNothing(): Promise<boolean> {
    return ((await this.known())?.refusals ?? 0) >= EVERYBODY
  }

  private async note(refusals: number, recipient: string): Promise<void> {
    const row = states.row({ name: NAME, refusals, recipient, notedAt: this.use.clock.now() })
    await this.rows().insert(row).onConflict('name').merge()
  }

  private async known() {
    const state = await this.find()
    return state !== undefined && Math.abs(this.use.clock.now() - state.notedAt) <= KNOWN_MS ? state : undefined
  }

  private async find() {
    const row: Record<string, unknown> | undefined = await this.rows().where({ name: NAME }).first(states.columns)
    return row && states.read(row)
  }

  private rows() {
    return this.use.database.query(states.name)
  }
}
