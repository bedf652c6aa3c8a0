import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import {
  type Batch,
  batchesTable,
  type Chain,
  chainsTable,
  hashesTable,
  type Member,
  membersTable,
  type Stamp,
  stampsTable,
} from './renewal-tables.js'
import { BLOCK } from './tree-blocks.js'

/** Another host has moved on meanwhile: nothing was stored. */
export class MovedOn extends Error {}

/** Stores batches of signatures, the trees over them and their time stamps. */
export class BatchStore {
  static readonly inject = { database: Database, clock: Clock }

  constructor(private readonly use: Injected<typeof BatchStore.inject>) {}

  /** Every batch, the oldest first. */
  async all(): Promise<Batch[]> {
    const sql = `select ${batchesTable.columns.join(', ')} from registry_renewal_batches order by batch`
    return (await this.use.database.rows(sql, [])).map((row) => batchesTable.read(row))
  }

  /** The batch that grows, begun where there is none. */
  async growing(): Promise<Batch> {
    const last = (await this.all()).at(-1)
    if (last !== undefined && last.sealedAt === undefined) return last
    const batch: Batch = {
      batch: (last?.batch ?? 0) + 1,
      members: 0,
      lastSignId: last?.lastSignId ?? 0,
      ...{ sealedAt: undefined, dependsOn: [], lostAt: undefined, lostFor: undefined },
    }
    await this.use.database.insert(batchesTable.name, [batchesTable.row(batch)], 'skip')
    return batch
  }

  /** Moves a batch on from how it was read, in the caller's transaction. Rejects with `MovedOn`. */
  async moveOn({ batch, members }: Batch, after: Partial<Batch>): Promise<void> {
    const changed = await this.use.database
      .query(batchesTable.name)
      .where(batchesTable.row({ batch, members }))
      .whereNull('sealed_at')
      .update(batchesTable.row(after))
    if (Number(changed) !== 1) throw new MovedOn()
  }

  /** Keeps a batch that grows from growing on, as it is. Rejects with `MovedOn`. */
  async seal(batch: Batch): Promise<void> {
    await this.moveOn(batch, { sealedAt: this.use.clock.now() })
  }

  async addMembers(members: readonly Member[]): Promise<void> {
    await this.use.database.insert(
      membersTable.name,
      members.map((one) => membersTable.row(one)),
    )
  }

  /** Members of a batch from a place on, in their order. */
  async membersFrom(batch: number, place: number, limit: number): Promise<Member[]> {
    const which = `where batch = ? and place >= ? order by place limit ${Math.trunc(limit)}`
    const sql = `select ${membersTable.columns.join(', ')} from registry_renewal_members ${which}`
    return (await this.use.database.rows(sql, [batch, place])).map((row) => membersTable.read(row))
  }

  /** The trees of batches, the oldest first. */
  async chains(batch: number): Promise<Chain[]> {
    const sql = `select ${chainsTable.columns.join(', ')} from registry_renewal_chains where batch = ? order by chain`
    return (await this.use.database.rows(sql, [batch])).map((row) => chainsTable.read(row))
  }

  /** Begins a tree; from then on the time stamps of those before stay as they are. */
  async beginChain(begun: Omit<Chain, 'hashed' | 'root'>): Promise<void> {
    const { batch } = begun
    const row = chainsTable.row({ ...begun, hashed: 0, root: undefined })
    await this.use.database.transaction(async () => {
      await this.lock(batch)
      await this.use.database.insert(chainsTable.name, [row], 'skip')
    })
  }

  /** Adds hashes behind those of a tree, in the caller's transaction; at most to the end of a block. Rejects with `MovedOn`. */
  async addHashes({ batch, chain, hashed }: Chain, hashes: Uint8Array, count: number): Promise<void> {
    const { database } = this.use
    const changed = await database
      .query(chainsTable.name)
      .where(chainsTable.row({ batch, chain, hashed }))
      .whereNull('root')
      .update(chainsTable.row({ hashed: hashed + count }))
    if (Number(changed) !== 1) throw new MovedOn()
    const place = { batch, chain, level: 0, index: Math.floor(hashed / BLOCK) }
    const [known] = hashed % BLOCK === 0 ? [] : await this.blocks(batch, chain, [[0, place.index]])
    const block = Buffer.concat([...(known === undefined ? [] : [known]), hashes])
    if (known === undefined) return this.addBlock({ ...place, hashes: block })
    await database
      .query(hashesTable.name)
      .where(hashesTable.row(place))
      .update(hashesTable.row({ hashes: block }))
  }

  async addBlock(block: Parameters<typeof hashesTable.row>[0]): Promise<void> {
    await this.use.database.insert(hashesTable.name, [hashesTable.row(block)], 'skip')
  }

  /** Blocks of a tree by level and number, in this order; `undefined` for what is not there. */
  async blocks(
    batch: number,
    chain: number,
    wanted: readonly (readonly [level: number, index: number])[],
  ): Promise<(Uint8Array | undefined)[]> {
    const which = wanted.map(() => '(level = ? and idx = ?)').join(' or ')
    const sql = `select ${hashesTable.columns.join(', ')} from registry_renewal_hashes where batch = ? and chain = ? and (${which})`
    const rows = await this.use.database.rows(sql, [batch, chain, ...wanted.flat()])
    const found = rows.map((row) => hashesTable.read(row))
    return wanted.map(([level, index]) => found.find((one) => one.level === level && one.index === index)?.hashes)
  }

  /** Notes the root of a tree that all members are in. */
  async close({ batch, chain, hashed }: Chain, root: Uint8Array): Promise<void> {
    const { database } = this.use
    await database.query(chainsTable.name).where(chainsTable.row({ batch, chain, hashed })).update({ root })
  }

  /** The time stamps of a batch by chain, the oldest first. */
  async stamps(batch: number): Promise<Stamp[]> {
    const sql = `select ${stampsTable.columns.join(', ')} from registry_renewal_stamps where batch = ? order by chain, stamp`
    return (await this.use.database.rows(sql, [batch])).map((row) => stampsTable.read(row))
  }

  /** Takes back a tree that no time stamp covers, or all that came after a time stamp which still holds. */
  async cutOff(batch: number, after: { readonly chain: number; readonly stamp: number }): Promise<void> {
    const { chain, stamp } = after
    await this.use.database.transaction(async () => {
      await this.lock(batch)
      for (const table of [chainsTable.name, hashesTable.name, stampsTable.name])
        await this.use.database.query(table).where({ batch }).andWhere('chain', '>', chain).delete()
      await this.use.database.query(stampsTable.name).where({ batch, chain }).andWhere('stamp', '>', stamp).delete()
    })
  }

  /**
   * Adds a time stamp to the newest tree of a batch; `covered` is the one before, as it was hashed, and `lostFor` why its records
   * begin anew. Rejects with `MovedOn` where another host was faster.
   */
  async addStamp(stamp: Stamp, covered: Stamp | undefined, lostFor?: string): Promise<void> {
    const { batch, chain } = stamp
    await this.use.database.transaction(async () => {
      await this.lock(batch)
      const own = (await this.stamps(batch)).filter((one) => one.chain === chain)
      const last = own.at(-1)
      const isSame = Buffer.compare(last?.token ?? NOTHING, covered?.token ?? NOTHING) === 0
      if (own.length !== stamp.stamp || !isSame || !(await this.isNewest(batch, chain))) throw new MovedOn()
      await this.use.database.insert(stampsTable.name, [stampsTable.row(stamp)])
      if (lostFor === undefined) return
      const lost = batchesTable.row({ lostAt: this.use.clock.now(), lostFor })
      await this.use.database.query(batchesTable.name).where(batchesTable.row({ batch })).update(lost)
    })
  }

  /** Puts another form of its token in the place of the newest time stamp, unless something covers it. Rejects with `MovedOn`. */
  async complete({ batch, chain, stamp }: Stamp, token: Uint8Array): Promise<void> {
    await this.use.database.transaction(async () => {
      await this.lock(batch)
      const own = (await this.stamps(batch)).filter((one) => one.chain === chain)
      if (own.length !== stamp + 1 || !(await this.isNewest(batch, chain))) throw new MovedOn()
      const row = stampsTable.row({ token })
      await this.use.database.query(stampsTable.name).where(stampsTable.row({ batch, chain, stamp })).update(row)
    })
  }

  private async isNewest(batch: number, chain: number): Promise<boolean> {
    return (await this.chains(batch)).at(-1)?.chain === chain
  }

  /** Keeps other hosts from changing trees and time stamps of a batch until the transaction ends. */
  private async lock(batch: number): Promise<void> {
    await this.use.database.query(batchesTable.name).where(batchesTable.row({ batch })).forUpdate().first('batch')
  }
}

const NOTHING = new Uint8Array()
