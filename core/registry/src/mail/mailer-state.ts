import { Database } from '../database/database.js'
import { integer, type Stored, table, text } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'

const states = table('registry_mailer_state', {
  name: text('name'),
  refusals: integer('refusals'),
  recipient: text('recipient'),
  notedAt: integer('noted_at'),
})
type State = Stored<typeof states>
const NAME = 'mailer'
const UNKNOWN: State = { name: NAME, refusals: 0, recipient: '', notedAt: 0 }
/** A minute, and what the repeat of the first attempt after a minute may be late. */
const KNOWN_MS = 70_000
/** Recipients refused one after the other: one alone may be refused for a reason of its own. */
const EVERYBODY = 2

/** Remembers for a minute that the mail server takes nothing; hosts of one database tell each other. */
export class MailerState {
  static readonly inject = { database: Database, clock: Clock, logger: Logger }

  constructor(private readonly use: Injected<typeof MailerState.inject>) {}

  /** The server took a mail. */
  async accepted(): Promise<void> {
    await this.keep(async () => {
      if ((await this.find()) !== undefined) await this.rows().where({ name: NAME }).delete()
    })
  }

  /** The server did not answer, or takes nothing from us. */
  async failed(): Promise<void> {
    await this.keep(() => this.note(() => EVERYBODY, ''))
  }

  /** The server refused a recipient, by its code, whose mailbox may well exist. */
  async refused(recipient: string): Promise<void> {
    await this.keep(() =>
      this.note(({ refusals, ...last }) => refusals + (last.recipient === recipient ? 0 : 1), recipient),
    )
  }

  /** True when mails are not taken, as far as the last minute told. */
  async takesNothing(): Promise<boolean> {
    return this.current(await this.find()).refusals >= EVERYBODY
  }

  /** A state that is not kept must not make a mail that was sent go out again. */
  private async keep(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => {
      this.use.logger.warn('The state of the mail server was not kept', { error })
    })
  }

  /** Attempts end at once on several hosts: the row is locked while it is counted up. */
  private async note(count: (state: State) => number, recipient: string): Promise<void> {
    await this.use.database.transaction(async () => {
      await this.rows().insert(states.row(UNKNOWN)).onConflict('name').ignore()
      const state = this.current(await this.find({ locked: true }))
      const noted = { refusals: count(state), recipient, notedAt: this.use.clock.now() }
      await this.rows().where({ name: NAME }).update(states.row(noted))
    })
  }

  /** What still holds of a state. */
  private current(state: State | undefined): State {
    return state !== undefined && Math.abs(this.use.clock.now() - state.notedAt) <= KNOWN_MS ? state : UNKNOWN
  }

  private async find({ locked = false } = {}): Promise<State | undefined> {
    const query = this.rows().where({ name: NAME })
    const row: Record<string, unknown> | undefined = await (locked ? query.forUpdate() : query).first(states.columns)
    return row && states.read(row)
  }

  private rows() {
    return this.use.database.query(states.name)
  }
}
