import {
  certificatesEnd,
  digestTrustedUntil,
  RegistryError,
  type TimeStamp,
  verifyTimeStampToken,
} from '@signed-registry/verifier'
import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { SignaturePolicy, TrustStore } from '../signatures/index.js'
import { BatchStore } from './batch-store.js'
import { ClosingTrees } from './closing-trees.js'
import { NotRenewed } from './not-renewed.js'
import { ProofEndings } from './proof-endings.js'
import { RehashBatch } from './rehash-batch.js'
import { RenewalSettings } from './renewal-settings.js'
import type { Batch, Chain, Stamp } from './renewal-tables.js'
import { isRevokedSince } from './revoked-authority.js'
import { type Outlasting, StampBatch } from './stamp-batch.js'

const DAY_MS = 24 * 60 * 60_000
/** A batch that grows waits as long for more, so that each week one time stamp is enough. */
const GATHER_MS = 7 * DAY_MS

/** Time stamps of one record above which none is added at will: readers take no more than 128. */
const MAX_FORCED = 64

/** How a run renews. */
export interface Run {
  /** Whether everything is renewed, or what is due. */
  readonly isForced: boolean
  readonly isStopped: () => boolean
}

/** Until when the newest time stamp of a batch holds, milliseconds, and why. */
export interface BatchEnds {
  readonly certificates: number
  readonly algorithms: number
  readonly digest: number
}

/** The newest time stamp of a batch. */
export interface NewestStamp extends BatchEnds {
  readonly authority: string
  /** When its first one shows the signatures to have existed, milliseconds. */
  readonly existedAt: number
}

/** The trees of a batch that its records have, and their time stamps. */
interface State {
  readonly chain: Chain | undefined
  readonly stamps: readonly Stamp[]
}

/** Renews the records of one batch: by a first time stamp, by one more, or by another digest. */
export class RenewBatch {
  static readonly inject = {
    batches: BatchStore,
    trees: ClosingTrees,
    endings: ProofEndings,
    rehash: RehashBatch,
    stamping: StampBatch,
    trustStore: TrustStore,
    policy: SignaturePolicy,
    settings: RenewalSettings,
    clock: Clock,
    logger: Logger,
  }

  constructor(private readonly use: Injected<typeof RenewBatch.inject>) {}

  /** Does what is due. Rejects with `NotRenewed` where an authority does not let it, and with `MovedOn`. */
  async run(batch: Batch, run: Run): Promise<void> {
    if (batch.members === 0) return
    const { chain, stamps } = await this.state(batch)
    if (chain === undefined) return this.begin(batch, run)
    const newest = stamps.filter((one) => one.chain === chain.chain).at(-1)
    if (newest !== undefined) return this.renew(batch, chain, stamps, run)
    if (chain.chain === 0) return this.first(batch, chain, run)
    const former = stamps.at(-1)
    if (former === undefined || (await this.isKept(batch, former))) return this.goOn(batch, chain, run)
    return this.begin(batch, run)
  }

  /** The newest time stamp of a batch, and until when it holds; `undefined` where it has none. Throws the refusal of one that does not. */
  async newest(batch: Batch): Promise<NewestStamp | undefined> {
    const { stamps } = await this.state(batch)
    const newest = stamps.at(-1)
    const existedAt = stamps[0]?.genTime
    const chain = (await this.use.batches.chains(batch.batch)).find((one) => one.chain === newest?.chain)
    if (newest === undefined || chain === undefined || existedAt === undefined) return undefined
    return { existedAt, authority: newest.authority.name, ...this.endsOf(chain, this.verify(newest)) }
  }

  private async state(batch: Batch): Promise<State> {
    const [chains, stamps] = [await this.use.batches.chains(batch.batch), await this.use.batches.stamps(batch.batch)]
    return {
      chain: chains.filter((one) => one.chain >= batch.firstChain).at(-1),
      stamps: stamps.filter((one) => one.chain >= batch.firstChain),
    }
  }

  private verify({ token }: Stamp): TimeStamp {
    const { policy, trustStore, clock } = this.use
    return verifyTimeStampToken(token, { ...policy, trust: trustStore.trust(), now: clock.now() })
  }

  private endsOf({ digestOid }: Chain, stamp: TimeStamp): BatchEnds {
    const digest = digestTrustedUntil(this.use.policy.algorithms, digestOid, this.use.clock.now())
    return { certificates: certificatesEnd(stamp), algorithms: stamp.trustedUntil, digest }
  }

  /** The first time stamp over the data objects: when the first of the signatures ends soon by itself. */
  private async first(batch: Batch, chain: Chain, { isForced }: Run): Promise<void> {
    const { settings, clock, batches, trees, stamping } = this.use
    const now = clock.now()
    const endings = await this.use.endings.of(batch.dependsOn)
    const first = Math.min(...endings.map(({ endsAt }) => endsAt))
    if (!isForced && first - settings.leadMs > now) return
    const isLast = first - GATHER_MS <= now || batch.sealedAt !== undefined
    if (!isForced && !isLast && !(await this.hasGathered(batch))) return
    if (batch.sealedAt === undefined) await batches.seal(batch)
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

  private async renew(batch: Batch, chain: Chain, stamps: readonly Stamp[], run: Run): Promise<void> {
    const own = stamps.filter((one) => one.chain === chain.chain)
    const newest = own.at(-1)
    if (newest === undefined) return
    const now = this.use.clock.now()
    const soon = now + this.use.settings.leadMs
    const verified = await this.stillGood(batch, newest)
    if (verified === undefined) return this.begin(batch, run)
    const ends = this.endsOf(chain, verified)
    if (ends.certificates < now || ends.digest <= now) {
      await this.use.batches.restart(batch, ends.certificates < now ? 'authorityEnded' : 'digestNotTrusted')
      return this.begin(batch, run)
    }
    const isForced = run.isForced && stamps.length < MAX_FORCED
    const isByAuthority = ends.certificates <= soon
    if (ends.digest <= soon) return this.renewByHash(batch, own, verified, run)
    if (
      !run.isForced &&
      !isByAuthority &&
      ends.algorithms > soon &&
      !isRevokedSince(verified, this.use.trustStore.trust())
    )
      return
    const outlasting: Outlasting = { until: ends.certificates, isEnough: !isByAuthority || isForced }
    await this.use.stamping.renew(chain, own, verified, outlasting)
  }

  /** The newest time stamp; `undefined` where its records have to begin anew. */
  private async stillGood(batch: Batch, newest: Stamp): Promise<TimeStamp | undefined> {
    try {
      return this.verify(newest)
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      const reason = String(error.details?.reason ?? error.code)
      // Anything else may be the fault of a wrong configuration.
      if (!LOST.has(reason))
        throw new NotRenewed({ reason: 'authority', text: `The newest time stamp cannot be verified: ${reason}` })
      this.use.logger.error('The evidence records of a batch prove nothing any more, and begin anew', {
        batch: batch.batch,
        reason,
      })
      await this.use.batches.restart(batch, reason)
      return undefined
    }
  }

  /** Whether the newest time stamp of the tree before still holds, so that a new tree may continue it. */
  private async isKept(batch: Batch, former: Stamp): Promise<boolean> {
    const verified = await this.stillGood(batch, former)
    if (verified === undefined) return false
    if (certificatesEnd(verified) >= this.use.clock.now()) return true
    await this.use.batches.restart(batch, 'authorityEnded')
    return false
  }

  /** Begins records anew, over the data objects alone. */
  private async begin(batch: Batch, run: Run): Promise<void> {
    const { batches, settings } = this.use
    const [current = batch] = (await batches.all()).filter((one) => one.batch === batch.batch)
    const chains = await batches.chains(batch.batch)
    if (!chains.some(({ chain }) => chain === current.firstChain))
      await batches.beginChain(batch.batch, current.firstChain, this.digest(settings.leadMs))
    const chain = (await batches.chains(batch.batch)).at(-1)
    if (chain !== undefined) await this.goOn(current, chain, run)
  }

  private async renewByHash(batch: Batch, own: readonly Stamp[], verified: TimeStamp, run: Run): Promise<void> {
    const { batches, settings, stamping } = this.use
    const digestOid = this.digest(settings.leadMs)
    await stamping.complete(own, verified)
    const { length } = await batches.chains(batch.batch)
    await batches.beginChain(batch.batch, length, digestOid)
    const chain = (await batches.chains(batch.batch)).at(-1)
    if (chain !== undefined) await this.goOn(batch, chain, run)
  }

  /** Hashes what a new tree lacks, and gets its first time stamp. */
  private async goOn(batch: Batch, chain: Chain, { isStopped }: Run): Promise<void> {
    const root = await this.use.rehash.run(batch, chain, isStopped)
    if (root === undefined) return
    await this.use.stamping.first(chain, root, { until: this.use.clock.now(), isEnough: false })
  }

  /** The first configured digest that is trusted beyond the time at which it would be renewed again. */
  private digest(leadMs: number): string {
    const { settings, policy, clock } = this.use
    const now = clock.now()
    const found = settings.digests.find((oid) => digestTrustedUntil(policy.algorithms, oid, now) > now + leadMs)
    if (found !== undefined) return found
    throw new NotRenewed({
      reason: 'digest',
      text: 'None of the digests for new trees (RENEWAL_DIGESTS) is trusted for long enough',
    })
  }
}

/** Why a time stamp proves nothing any more, whatever the configuration. */
const LOST: ReadonlySet<string> = new Set(['authorityKeyCompromised', 'revoked'])
