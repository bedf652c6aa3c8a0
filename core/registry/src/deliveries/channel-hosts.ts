import type { Database } from '../database/database.js'
import { newId } from '../kernel/ids.js'
import type { DeliveryTimes } from './channel.js'
import { newIdIn, type Share, shareOf } from './share.js'

const TABLE = 'registry_delivery_hosts'
/** How often, per life of a lease, a host says that it is there. */
const RENEWALS_PER_LEASE = 6
/** The part of a lease after which a host that says nothing is gone. */
const GONE_AFTER = 2 / 3
/** How often a host takes another name, and with it mostly another share: what one host cannot send, others try then. */
const RENAMED_MS = 30 * 60_000

/**
 * This host among those that take deliveries of a channel. Each says that it is there by counting on in a row of its own;
 * who sees no change for a while takes it for gone. No clocks are compared, so a wrong one changes no share. While hosts
 * disagree for a moment, claims overlap: that costs work, and the lease of a delivery is still held by one.
 */
export class ChannelHosts {
  private name = newId()
  private turn = 0
  private namedAt: number
  private renewedAt = Number.NEGATIVE_INFINITY
  private lookedAt = Number.NEGATIVE_INFINITY
  private mine: Share | undefined
  /** The last change of each host, by the process's own time. */
  private readonly changes = new Map<string, { readonly turn: number; readonly at: number }>()

  constructor(
    private readonly database: Database,
    private readonly channel: string,
    private readonly times: Pick<DeliveryTimes, 'pollMs' | 'leaseMs'>,
    /** Milliseconds that only ever go on. */
    private readonly elapsed: () => number = () => performance.now(),
  ) {
    this.namedAt = elapsed()
  }

  /**
   * The share of this host, `undefined` for everything; looks again once per poll. To be called before each claim and at no
   * other time: a host that claims nothing is not to keep a share from others.
   */
  async share(): Promise<Share | undefined> {
    const now = this.elapsed()
    if (now - this.lookedAt < this.times.pollMs) return this.mine
    if (now - this.renewedAt >= this.times.leaseMs / RENEWALS_PER_LEASE) await this.renew(now)
    this.mine = await this.look(now)
    this.lookedAt = now
    return this.mine
  }

  /** A new identifier in the share of this host, which need not wait until it looks again. */
  newId(): string {
    return this.mine === undefined ? newId() : newIdIn(this.mine)
  }

  /** Leaves the share to others at once. */
  async leave(): Promise<void> {
    this.renewedAt = Number.NEGATIVE_INFINITY
    this.lookedAt = Number.NEGATIVE_INFINITY
    await this.rows().where({ host: this.name }).delete()
  }

  private async renew(now: number): Promise<void> {
    const { name: before } = this
    const isRenamed = now - this.namedAt >= RENAMED_MS
    const name = isRenamed ? newId() : before
    const turn = this.turn + 1
    await this.database.transaction(async () => {
      if (isRenamed) await this.rows().where({ host: before }).delete()
      const kept: number = await this.rows().where({ host: name }).update({ turn })
      if (kept === 0) await this.database.insert(TABLE, [{ channel: this.channel, host: name, turn }])
    })
    if (isRenamed) this.namedAt = now
    this.name = name
    this.turn = turn
    this.renewedAt = now
  }

  private async look(now: number): Promise<Share | undefined> {
    const rows: { host: string; turn: number }[] = await this.rows().select('host', 'turn')
    for (const { host, turn } of rows)
      if (this.changes.get(host)?.turn !== turn) this.changes.set(host, { turn, at: now })
    for (const known of this.changes.keys()) if (!rows.some(({ host }) => host === known)) this.changes.delete(known)
    const isGone = ({ host }: { host: string }) =>
      host !== this.name && now - (this.changes.get(host)?.at ?? now) >= this.times.leaseMs * GONE_AFTER
    for (const { host, turn } of rows.filter(isGone)) await this.rows().where({ host, turn }).delete()
    const there = new Set(rows.filter((row) => !isGone(row)).map(({ host }) => host)).add(this.name)
    return shareOf([...there].sort().indexOf(this.name), there.size)
  }

  private rows() {
    return this.database.query(TABLE).where({ channel: this.channel })
  }
}
