import { certificatesEnd, RegistryError, type TimeStamp } from '@signed-registry/verifier'
import type { RecordProof } from '@signed-registry/verifier/records'
import { RenewedProofs } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import { VerifyRecords } from '../signatures/index.js'
import { BatchStore } from './batch-store.js'
import type { Batch, Chain, Stamp } from './renewal-tables.js'
import { TreeDigests } from './tree-digests.js'

/** The trees of a batch: the newest that time stamps cover, and one after it that none covers yet. */
export interface BatchTrees {
  readonly stamped: { readonly chain: Chain; readonly stamps: readonly Stamp[] } | undefined
  readonly pending: Chain | undefined
}

/** What the records of a batch prove, all of which have the same time stamps. */
export interface BatchProof {
  readonly existedAt: number
  readonly newest: TimeStamp
  /** When the certificates, the algorithms and the digest of its newest time stamp end, milliseconds. */
  readonly certificates: number
  readonly algorithms: number
  readonly digest: number
}

/** Members that are looked through at once for one whose document is still there. */
const AT_ONCE = 8

/** Reads and verifies the records of batches, by the record of one member. */
export class BatchRecords {
  static readonly inject = {
    batches: BatchStore,
    renewed: RenewedProofs,
    records: VerifyRecords,
    digests: TreeDigests,
  }

  constructor(private readonly use: Injected<typeof BatchRecords.inject>) {}

  async trees(batch: number): Promise<BatchTrees> {
    const [chains, stamps] = [await this.use.batches.chains(batch), await this.use.batches.stamps(batch)]
    const newest = stamps.at(-1)
    const chain = chains.find((one) => one.chain === newest?.chain)
    const last = chains.at(-1)
    return {
      stamped: chain && { chain, stamps: stamps.filter((one) => one.chain === chain.chain) },
      pending: last?.chain === chain?.chain ? undefined : last,
    }
  }

  /** What they prove, or the refusal; `undefined` where there are none. */
  async proof(batch: Pick<Batch, 'batch'>): Promise<BatchProof | RegistryError | undefined> {
    const record = await this.sample(batch)
    const found = record && this.use.records.verify(record)
    if (found === undefined || found instanceof RegistryError) return found
    return this.ends(found)
  }

  /** A time stamp by itself, or its refusal; one whose certificates have ended is none. */
  alone({ token }: Stamp): TimeStamp | RegistryError {
    return this.use.records.verifyToken(token)
  }

  private ends({ existedAt, chains }: RecordProof): BatchProof {
    const { digestOid = '', stamps = [] } = chains.at(-1) ?? {}
    const newest = stamps.at(-1)
    if (newest === undefined) throw new TypeError('A record has time stamps')
    const algorithms = newest.trustedUntil
    return {
      existedAt,
      newest,
      certificates: certificatesEnd(newest),
      algorithms,
      digest: this.use.digests.until(digestOid),
    }
  }

  private async sample({ batch }: Pick<Batch, 'batch'>) {
    for (let place = 0; ; place += AT_ONCE) {
      const members = await this.use.batches.membersFrom(batch, place, AT_ONCE)
      const [found] = (await this.use.renewed.of(members.map(({ signId }) => signId))).values()
      if (found !== undefined || members.length < AT_ONCE) return found
    }
  }
}
