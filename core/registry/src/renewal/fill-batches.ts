import { digest } from '@signed-registry/verifier'
import { Database } from '../database/database.js'
import { RevocationListStore, type SignatureRecord, SignatureStore } from '../documents/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { BatchStore } from './batch-store.js'
import { ClosingTrees } from './closing-trees.js'
import { DataObjects } from './data-objects.js'
import { dependenceOf, joined } from './dependence.js'
import { ProofEndings } from './proof-endings.js'
import { RenewalSettings } from './renewal-settings.js'
import type { Batch, ObjectRest } from './renewal-tables.js'
import { BLOCK } from './tree-blocks.js'
import { TreeDigests } from './tree-digests.js'

const HOUR_MS = 60 * 60_000
/** Signatures in one transaction: on SQLite others wait for it. */
const AT_ONCE = 64
/** By then no transaction is under way any more that has taken an earlier `signId`, and the log has a stamped checkpoint. */
const AGE_MS = 2 * HOUR_MS
/** After that a signature is covered without what is still missing of its proof. */
const LONGEST_WAIT_MS = 7 * 24 * HOUR_MS

/** Puts signatures into batches, in their order, and their data objects into the tree of the batch: nothing is stamped yet. */
export class FillBatches {
  static readonly inject = {
    signatures: SignatureStore,
    objects: DataObjects,
    batches: BatchStore,
    trees: ClosingTrees,
    endings: ProofEndings,
    digests: TreeDigests,
    lists: RevocationListStore,
    database: Database,
    settings: RenewalSettings,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof FillBatches.inject>) {}

  /** Goes on until all signatures are in batches, or `isStopped`. Rejects with `MovedOn` where another host does the same. */
  async run(isStopped: () => boolean): Promise<void> {
    while (!isStopped()) if (!(await this.fill())) return
  }

  /** Adds the next signatures, all or none; false where there are none. */
  private async fill(): Promise<boolean> {
    const { batches, settings, signatures } = this.use
    const batch = await batches.growing()
    const room = Math.min(AT_ONCE, BLOCK - (batch.members % BLOCK), settings.batchSize - batch.members)
    const found = await signatures.inOrder(batch.lastSignId, room)
    const ready = await this.ready(found)
    if (ready.length > 0) await this.add(batch, ready)
    return ready.length > 0 && ready.length === found.length
  }

  /** Those that come next and are old enough, each with what its data object has besides. */
  private async ready(found: readonly SignatureRecord[]): Promise<(readonly [SignatureRecord, ObjectRest])[]> {
    const now = this.use.clock.now()
    const young = found.findIndex(({ storedAt }) => storedAt > now - AGE_MS)
    const old = young < 0 ? found : found.slice(0, young)
    const authorities = new Map<string, readonly string[]>()
    for (const signature of old) {
      const { key } = dependenceOf(signature)
      const found = authorities.get(key) ?? (await this.authorities(signature))
      if (found !== undefined) authorities.set(key, found)
    }
    const rests = await this.use.objects.rests(old, (one) => authorities.get(dependenceOf(one).key) ?? [])
    const ready: (readonly [SignatureRecord, ObjectRest])[] = []
    for (const [index, signature] of old.entries()) {
      const { rest, isPending = true } = rests[index] ?? {}
      // What an object lacks it lacks for ever: a root that is missing today, or a stamp over the log, is waited for.
      const isWhole = !isPending && authorities.has(dependenceOf(signature).key)
      if (rest === undefined || (!isWhole && signature.storedAt > now - LONGEST_WAIT_MS)) break
      ready.push([signature, rest])
    }
    return ready
  }

  /** Keeps the certificates above a time stamp, and answers their fingerprints; `undefined` where it does not verify. */
  private async authorities(signature: SignatureRecord): Promise<string[] | undefined> {
    const { lists, database, endings } = this.use
    const above = await endings.authoritiesOf(signature)
    if (above === undefined) return undefined
    const kept = await database.transaction(() => lists.keep(above))
    return kept.toString('hex').match(/.{64}/g) ?? []
  }

  private async add(batch: Batch, ready: readonly (readonly [SignatureRecord, ObjectRest])[]): Promise<void> {
    const { batches, database, digests, objects, settings, clock } = this.use
    await batches.beginChain({ batch: batch.batch, chain: 0, firstChain: 0, digestOid: digests.next() })
    const [chain] = await batches.chains(batch.batch)
    if (chain === undefined) throw new TypeError(`Batch ${batch.batch} has no tree`)
    const hashes = (await objects.bytes(ready)).map((bytes) => digest(chain.digestOid, bytes))
    const members = batch.members + ready.length
    const last = ready.at(-1)?.[0].signId ?? batch.lastSignId
    const dependsOn = joined(
      batch.dependsOn,
      ready.map(([signature]) => dependenceOf(signature)),
    )
    const isFull = members === settings.batchSize
    await database.transaction(async () => {
      const sealedAt = isFull ? clock.now() : undefined
      await batches.moveOn(batch, { members, lastSignId: last, dependsOn, sealedAt })
      await batches.addMembers(
        ready.map(([{ signId }, rest], index) => ({ signId, batch: batch.batch, place: batch.members + index, rest })),
      )
      await batches.addHashes(chain, Buffer.concat(hashes), hashes.length)
    })
    if (isFull) await this.use.trees.close(batch.batch, 0)
  }
}
