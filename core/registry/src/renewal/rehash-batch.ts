import { setTimeout as pause } from 'node:timers/promises'
import { digest } from '@signed-registry/verifier'
import { Database } from '../database/database.js'
import { type SignatureRecord, SignatureStore } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import { BatchStore, MovedOn } from './batch-store.js'
import { ClosingTrees } from './closing-trees.js'
import { DataObjects } from './data-objects.js'
import { coveredByNewChain, EvidenceRecords } from './evidence-records.js'
import type { Batch, Chain, Member } from './renewal-tables.js'
import { BLOCK } from './tree-blocks.js'

/** Members that are read and hashed before others have their turn. */
const AT_ONCE = 16

/**
 * Hashes the data objects of a batch by another digest, each with its chains before (RFC 4998, 5.2, hash-tree renewal). No
 * original is needed: a data object has the hashes that were fixed of it.
 */
export class RehashBatch {
  static readonly inject = {
    batches: BatchStore,
    objects: DataObjects,
    records: EvidenceRecords,
    trees: ClosingTrees,
    signatures: SignatureStore,
    database: Database,
  }

  constructor(private readonly use: Injected<typeof RehashBatch.inject>) {}

  /** Goes on where the tree stands; answers its root, and `undefined` where it `isStopped`. */
  async run(batch: Batch, chain: Chain, isStopped: () => boolean): Promise<Uint8Array | undefined> {
    let { hashed } = chain
    while (hashed < batch.members) {
      if (isStopped()) return undefined
      const members = await this.use.batches.membersFrom(batch.batch, hashed, BLOCK - (hashed % BLOCK))
      const hashes = await this.hashes(batch, chain, members)
      if (hashes.length === 0) throw new MovedOn()
      const at = { ...chain, hashed }
      await this.use.database.transaction(() => this.use.batches.addHashes(at, Buffer.concat(hashes), hashes.length))
      hashed += hashes.length
    }
    return this.use.trees.close(batch.batch, chain.chain)
  }

  private async hashes(batch: Batch, chain: Chain, members: readonly Member[]): Promise<Uint8Array[]> {
    const { digestOid } = chain
    const hashes: Uint8Array[] = []
    for (let first = 0; first < members.length; first += AT_ONCE) {
      const some = members.slice(first, first + AT_ONCE)
      const objects = await this.objects(some)
      const chains = await this.use.records.before(
        chain,
        some.map(({ place }) => place),
      )
      for (const { signId, place } of some) {
        const object = objects.get(signId)
        // What was forgotten has no record any more; something has to stand in its place.
        const hash = digest(digestOid, object ?? Buffer.from(`forgotten ${batch.batch} ${place}`))
        hashes.push(coveredByNewChain(digestOid, hash, chains.get(place) ?? []))
      }
      await pause(3)
    }
    return hashes
  }

  private async objects(members: readonly Member[]): Promise<ReadonlyMap<number, Uint8Array>> {
    const found = await this.use.signatures.withEvidence(members.map(({ signId }) => signId))
    const byId = new Map<number, SignatureRecord>(found.map((one) => [one.signId, one]))
    const known = members.flatMap(({ signId, rest }) => {
      const signature = byId.get(signId)
      return signature === undefined ? [] : [[signature, rest] as const]
    })
    const objects = await this.use.objects.bytes(known)
    return new Map(known.map(([{ signId }], index) => [signId, objects[index] ?? new Uint8Array()]))
  }
}
