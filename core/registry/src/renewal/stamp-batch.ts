import { certificatesEnd, RegistryError, type Trust } from '@signed-registry/verifier'
import { coveredTokens, lastingToken } from '@signed-registry/verifier/records'
import type { Injected } from '../kernel/service.js'
import { AskAuthorityStatus, type TimeStamp, TimeStampBytes, TrustStore, VerifyRecords } from '../signatures/index.js'
import { BatchStore } from './batch-store.js'
import { NotRenewed } from './not-renewed.js'
import { RenewalSettings } from './renewal-settings.js'
import type { Chain, Stamp } from './renewal-tables.js'

/** What a new time stamp has to outlast, milliseconds, and whether as much is enough. */
export interface Outlasting {
  readonly until: number
  readonly isEnough: boolean
  /** Until when the algorithms of what is renewed are trusted, where that is why. */
  readonly algorithms?: number
}

/** Gets time stamps over the trees of batches, and over their time stamps before. */
export class StampBatch {
  static readonly inject = {
    batches: BatchStore,
    stamps: TimeStampBytes,
    statuses: AskAuthorityStatus,
    records: VerifyRecords,
    trustStore: TrustStore,
    settings: RenewalSettings,
  }

  constructor(private readonly use: Injected<typeof StampBatch.inject>) {}

  /** The first time stamp of a tree, whose records begin anew where `lostFor` says why. Rejects with `NotRenewed` where no authority gives one that is of use. */
  async first(chain: Chain, root: Uint8Array, outlasting: Outlasting, lostFor?: string): Promise<void> {
    const stamp = await this.ask({ digestOid: chain.digestOid, value: root }, outlasting)
    await this.use.batches.addStamp(stored(chain, 0, stamp), undefined, lostFor)
  }

  /** One more, over all of its chain before. `verified` is the newest one of these, `token` as it is stored. */
  async renew(chain: Chain, own: readonly Stamp[], verified: TimeStamp, outlasting: Outlasting): Promise<void> {
    const completed = await this.complete(own, verified)
    const tokens = completed.map(({ token }) => token)
    const { digestOid, hash } = coveredTokens(chain.digestOid, tokens)
    const stamp = await this.ask({ digestOid, value: hash }, outlasting)
    if (stamp.genTime <= verified.genTime) throw NotRenewed.notLater(stamp.genTime)
    await this.use.batches.addStamp(stored(chain, own.length, stamp), completed.at(-1))
  }

  /** Puts what the newest token is verified with into it, for all who verify it when nobody can be asked any more. */
  async complete(own: readonly Stamp[], verified: TimeStamp): Promise<readonly Stamp[]> {
    const newest = own.at(-1)
    if (newest === undefined) return own
    const { statuses, trustStore } = this.use
    const answer = await statuses.of(verified)
    const answers = answer === undefined ? [] : [answer]
    const token = lastingToken(verified, { crls: crlsOf(trustStore.trust()), answers })
    // Nothing is put in the place of what verifies that does not.
    if (this.use.records.verifyToken(token) instanceof RegistryError) return own
    if (Buffer.compare(token, newest.token) !== 0) await this.use.batches.complete(newest, token)
    return [...own.slice(0, -1), { ...newest, token }]
  }

  private async ask(hash: { readonly digestOid: string; readonly value: Uint8Array }, outlasting: Outlasting) {
    const stamp = await this.use.stamps.stampHash(hash, this.use.settings.timestamps).catch((error: unknown) => {
      throw NotRenewed.byAuthority(error)
    })
    const until = certificatesEnd(stamp)
    const { until: former, isEnough, algorithms } = outlasting
    const isUseless = algorithms !== undefined && stamp.trustedUntil <= algorithms
    if (until < former || (until === former && !isEnough) || isUseless) throw NotRenewed.endsSooner(stamp, until)
    return stamp
  }
}

const crlsOf = ({ crls = [] }: Trust) => crls

const stored = ({ batch, chain }: Chain, stamp: number, { token, genTime, signer, path }: TimeStamp): Stamp => ({
  ...{ batch, chain, stamp, token, genTime },
  authority: { name: signer.subject.toString(), until: certificatesEnd({ path }) },
})
