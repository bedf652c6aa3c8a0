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
/** A minute, plus slack for a first retry that comes late. */
const STATE_LIFE_MS = 70_000
/** Successive refusals of different recipients that count as an outage; one recipient may have a reason of its own. */
const MIN_REFUSALS = 2

/** Remembers for a minute, for all hosts of a database, that the mail server accepts no mail. */
export class MailerState {
  static readonly inject = { database: Database, clock: Clock, logger: Logger }

  constructor(private readonly use: Injected<typeof MailerState.inject>) {}

  /** The server accepted a mail. */
  async accepted(): Promise<void> {
    await this.keep(async () => {
      if ((await this.find()) !== undefined) await this.rows().where({ name: NAME }).delete()
    })
  }

  /** The server did not answer or accepts nothing from us. */
  async failed(): Promise<void> {
    await this.keep(() => this.note(() => MIN_REFUSALS, ''))
  }

  /** The server refused a recipient (given by code) whose mailbox may well exist. */
  async refused(recipient: string): Promise<void> {
    await this.keep(() =>
      this.note(({ refusals, ...last }) => refusals + (last.recipient === recipient ? 0 : 1), recipient),
    )
  }

  /** True when the server has accepted no mail within the last minute. */
  async takesNothing(): Promise<boolean> {
    return this.current(await this.find()).refusals >= MIN_REFUSALS
  }

  /** A failure to store the state must not cause a sent mail to be repeated. */
  private async keep(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => {
      this.use.logger.warn('The state of the mail server was not kept', { error })
    })
  }

  /** Locks the row, since several hosts may report at the same time. */
  private async note(count: (state: State) => number, recipient: string): Promise<void> {
    await this.use.database.transaction(async () => {
      await this.rows().insert(states.row(UNKNOWN)).onConflict('name').ignore()
      const state = this.current(await this.find({ locked: true }))
      const noted = { refusals: count(state), recipient, notedAt: this.use.clock.now() }
      await this.rows().where({ name: NAME }).update(states.row(noted))
    })
  }

  /** The state, unless it has expired. */
  private current(state: State | undefined): State {
    return state !== undefined && Math.abs(this.use.clock.now() - state.notedAt) <= STATE_LIFE_MS ? state : UNKNOWN
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
