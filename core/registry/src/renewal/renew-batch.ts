import { RegistryError } from '@signed-registry/verifier'
import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { TrustStore } from '../signatures/index.js'
import { type BatchProof, BatchRecords, type BatchTrees } from './batch-records.js'
import { BatchStore } from './batch-store.js'
import { ClosingTrees } from './closing-trees.js'
import { NotRenewed } from './not-renewed.js'
import { ProofEndings } from './proof-endings.js'
import { RehashBatch } from './rehash-batch.js'
import { RenewalSettings } from './renewal-settings.js'
import type { Batch, Chain } from './renewal-tables.js'
import { isRevokedSince } from './revoked-authority.js'
import { StampBatch } from './stamp-batch.js'
import { TreeDigests } from './tree-digests.js'

const DAY_MS = 24 * 60 * 60_000
/** A batch that grows waits as long for more, so that each week one time stamp is enough. */
const GATHER_MS = 7 * DAY_MS
/** Time stamps of one tree above which none is added at will: readers take no more than 128. */
const MAX_FORCED = 64

/** How a run renews. */
export interface Run {
  /** When an administrator asked for everything that was not renewed since; what is due alone where nobody did. */
  readonly requestedAt: number | undefined
  readonly isStopped: () => boolean
}

type Stamped = NonNullable<BatchTrees['stamped']>

/** Renews the records of one batch: by a first time stamp, by one more, or by another digest. */
export class RenewBatch {
  static readonly inject = {
    batches: BatchStore,
    records: BatchRecords,
    trees: ClosingTrees,
    endings: ProofEndings,
    rehash: RehashBatch,
    stamping: StampBatch,
    digests: TreeDigests,
    trustStore: TrustStore,
    settings: RenewalSettings,
    clock: Clock,
    logger: Logger,
  }

  constructor(private readonly use: Injected<typeof RenewBatch.inject>) {}

  /** Does what is due. Rejects with `NotRenewed` where an authority does not let it, and with `MovedOn`. */
  async run(batch: Batch, run: Run): Promise<void> {
    const { stamped, pending } = await this.use.records.trees(batch.batch)
    if (stamped === undefined) {
      if (pending === undefined) return
      if (pending.chain === 0) return this.first(batch, pending, run)
      return this.goOn(batch, pending, run)
    }
    const proof = await this.use.records.proof(batch)
    if (proof instanceof RegistryError) return this.mend(batch, stamped, { proof, pending, run })
    if (proof === undefined) return
    // What was to begin anew is good again: its clock or its trust were wrong.
    if (pending !== undefined && pending.firstChain === pending.chain)
      await this.use.batches.cutOff(batch.batch, newestOf(stamped))
    else if (pending !== undefined) return this.goOn(batch, pending, run)
    return this.renew(batch, stamped, proof, run)
  }

  /** The first time stamp over the data objects: when the first of the signatures ends soon by itself. */
  private async first(batch: Batch, chain: Chain, run: Run): Promise<void> {
    const { settings, clock, batches, digests, trees, stamping } = this.use
    if (batch.members === 0) return
    const isForced = run.requestedAt !== undefined
    const now = clock.now()
    const endings = await this.use.endings.of(batch.dependsOn)
    const first = Math.min(...endings.map(({ endsAt }) => endsAt))
    if (!isForced && first - settings.leadMs > now) return
    const isLast = first - GATHER_MS <= now || batch.sealedAt !== undefined
    if (!isForced && !isLast && !(await this.hasGathered(batch))) return
    if (batch.sealedAt === undefined) await batches.seal(batch)
    // It may have grown for years.
    if (digests.until(chain.digestOid) <= now + settings.leadMs) return this.begin(batch, chain.chain + 1, run)
    const root = await trees.close(batch.batch, chain.chain)
    // What has ended already cannot be outlasted.
    const authorities = endings.map(({ ends }) => ends.authority).filter((end) => end > now)
    const until = Math.min(...authorities, Number.MAX_SAFE_INTEGER)
    const isEnough = isForced || until - settings.leadMs > now
    await stamping.first(chain, root, { until: authorities.length === 0 ? now : until, isEnough })
  }

  /** Whether the batch before is a week old, or there is none. */
  private async hasGathered({ batch }: Batch): Promise<boolean> {
    const before = (await this.use.batches.all()).find((one) => one.batch === batch - 1)
    return before?.sealedAt === undefined || before.sealedAt <= this.use.clock.now() - GATHER_MS
  }

  private async renew(batch: Batch, { chain, stamps }: Stamped, proof: BatchProof, run: Run): Promise<void> {
    const { newest, certificates, algorithms, digest } = proof
    const soon = this.use.clock.now() + this.use.settings.leadMs
    if (digest <= soon) {
      await this.use.stamping.complete(stamps, newest)
      return this.begin(batch, chain.chain + 1, run, chain.firstChain)
    }
    const isAsked = run.requestedAt !== undefined && newest.genTime < run.requestedAt && stamps.length < MAX_FORCED
    const [isByAuthority, isByAlgorithm] = [certificates <= soon, algorithms <= soon]
    if (!isAsked && !isByAuthority && !isByAlgorithm && !isRevokedSince(newest, this.use.trustStore.trust())) return
    await this.use.stamping.renew(chain, stamps, newest, {
      until: certificates,
      isEnough: !isByAuthority || isAsked,
      ...(isByAlgorithm && !isAsked && { algorithms }),
    })
  }

  /**
   * Goes back to the last time stamp that still holds where a later one was lost with its key. Where none holds, records begin
   * anew: they take the place of the former ones when an authority has dated them.
   */
  private async mend(
    batch: Batch,
    stamped: Stamped,
    {
      proof: refusal,
      pending,
      run,
    }: { readonly proof: RegistryError; readonly pending: Chain | undefined; readonly run: Run },
  ): Promise<void> {
    const { batches, records, logger } = this.use
    const reason = String(refusal.details?.because ?? refusal.details?.reason ?? refusal.code)
    if (LOST.has(reason)) {
      const good = [...stamped.stamps].reverse().find((one) => !(records.alone(one) instanceof RegistryError))
      if (good !== undefined) {
        logger.error('A time stamp of evidence records was lost with the key of its authority', { ...batch, reason })
        return batches.cutOff(batch.batch, good)
      }
    } else if (!(run.requestedAt === undefined ? ENDED : ENDED_OR_ASKED).has(reason))
      // Anything else may be the fault of a wrong configuration, and nothing is given up for that.
      throw NotRenewed.notVerified(reason)
    if (pending?.firstChain === pending?.chain && pending !== undefined) return this.goOn(batch, pending, run, reason)
    if (pending !== undefined) await batches.cutOff(batch.batch, newestOf(stamped))
    return this.begin(batch, stamped.chain.chain + 1, run, stamped.chain.chain + 1, reason)
  }

  /** Begins a tree by the digest of the day; its record begins with `firstChain`. */
  private async begin(batch: Batch, chain: number, run: Run, firstChain = chain, lostFor?: string): Promise<void> {
    const digestOid = this.use.digests.next()
    await this.use.batches.beginChain({ batch: batch.batch, chain, firstChain, digestOid })
    const { pending } = await this.use.records.trees(batch.batch)
    if (pending !== undefined) await this.goOn(batch, pending, run, lostFor)
  }

  /** Hashes what a new tree lacks, and gets its first time stamp. */
  private async goOn(batch: Batch, chain: Chain, { isStopped }: Run, lostFor?: string): Promise<void> {
    const root = await this.use.rehash.run(batch, chain, isStopped)
    if (root === undefined) return
    await this.use.stamping.first(chain, root, { until: this.use.clock.now(), isEnough: false }, lostFor)
  }
}

function newestOf({ chain, stamps }: Stamped) {
  return { chain: chain.chain, stamp: stamps.length - 1 }
}

/** Why a time stamp proves nothing any more, whatever the configuration. */
const LOST: ReadonlySet<string> = new Set(['authorityKeyCompromised', 'revoked'])
/** Why records prove nothing any more that were not renewed in time. */
const ENDED: ReadonlySet<string> = new Set(['authorityEnded', 'renewedTooLate'])
/** And by the policy of algorithms, which may be wrong: then only when an administrator asks for it. */
const ENDED_OR_ASKED: ReadonlySet<string> = new Set([
  ...ENDED,
  ...['digestNotTrusted', 'digest', 'scheme', 'keySize', 'curve', 'order'],
])
