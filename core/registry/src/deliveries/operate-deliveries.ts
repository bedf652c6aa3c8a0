import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import type { Delivery, DeliveryState } from './delivery.js'
import { DELIVERIES } from './delivery.js'

const PAGE = 200

/** Which deliveries of all owners an operator lists. */
export interface OperatorQuery {
  readonly state: DeliveryState
  readonly channel?: string | undefined
  readonly owner?: string | undefined
}

/** Which deliveries an operator repeats: those named, or those that failed. */
export type OperatorSelection =
  | { readonly ids: readonly string[] }
  | { readonly channel?: string | undefined; readonly owner?: string | undefined; readonly since?: number | undefined }

/** Lists and repeats deliveries for the operator of the service. */
export class OperateDeliveries {
  static readonly inject = { database: Database, clock: Clock }

  constructor(private readonly use: Injected<typeof OperateDeliveries.inject>) {}

  /** Channel by channel, in the order of their next attempts, or of completion. */
  async *list({ state, channel, owner }: OperatorQuery): AsyncGenerator<Delivery> {
    const channels: string[] =
      channel === undefined ? await this.rows().distinct('channel').pluck('channel') : [channel]
    for (const one of channels.sort()) {
      let last: Delivery | undefined
      do {
        const page = this.rows().where({ channel: one, state, ...(owner !== undefined && { owner }) })
        if (last !== undefined) void page.andWhereRaw('(next_at, id) > (?, ?)', [last.nextAt, last.id])
        const rows: Record<string, unknown>[] = await page
          .orderBy(['next_at', 'id'])
          .limit(PAGE)
          .select(DELIVERIES.columns)
        const deliveries = rows.map((row) => DELIVERIES.read(row))
        yield* deliveries
        last = deliveries.at(-1)
      } while (last !== undefined)
    }
  }

  /** Marks what is not under way as due, with the same identifiers, for a running registry to send. Returns how many. */
  async again(selection: OperatorSelection): Promise<number> {
    const restart = DELIVERIES.row({ state: 'waiting', failures: 0, nextAt: this.use.clock.now(), lease: undefined })
    return this.use.database.transaction(() => this.select(selection).update(restart))
  }

  private select(selection: OperatorSelection) {
    if ('ids' in selection) return this.rows().whereIn('id', selection.ids).whereNot({ state: 'sending' })
    const { channel, owner, since = 0 } = selection
    return this.rows()
      .where({ state: 'failed', ...(channel !== undefined && { channel }), ...(owner !== undefined && { owner }) })
      .andWhere('created_at', '>=', since)
  }

  private rows() {
    return this.use.database.query(DELIVERIES.name)
  }
}
