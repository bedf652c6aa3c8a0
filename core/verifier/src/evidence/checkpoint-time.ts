import { RegistryError } from '../error.js'
import { hasEnded, type TsaExpiry } from '../proven-times.js'
import {
  type TimeStamp,
  type TimeStampContext,
  verifyTimeStamp,
  verifyTimeStampToken,
} from '../timestamp/verify-time-stamp.js'
import { sha256 } from './hashes-of.js'
import type { OpenStamped } from './open-log.js'
import { isStatedTime } from './statement.js'

/** What a time stamp proves. */
export type CheckpointTime =
  /** It was made then, milliseconds since the epoch, and what it is over existed. */
  | { readonly state: 'proved'; readonly time: number }
  /** It proves no time here: such as that its authority is not trusted. */
  | { readonly state: 'notProved'; readonly reason: string }
  /** It is not over the checkpoint, or no time stamp at all. */
  | { readonly state: 'wrong'; readonly reason: string }
  | { readonly state: 'none' }

/** Between the registry's clock and that of an authority, with the time in between, milliseconds. */
const TOLERANCE = 5 * 60_000

/** Whether a time of registration is more than five minutes outside of the two times that are proved, or is no time. */
export function isOutside(
  registered: string | undefined,
  loggedAfter: number | undefined,
  loggedBefore: CheckpointTime,
): boolean {
  if (registered === undefined || !isStatedTime(registered)) return true
  const time = Date.parse(registered)
  const isEarly = loggedAfter !== undefined && time < loggedAfter - TOLERANCE
  const isLate = loggedBefore.state === 'proved' && time > loggedBefore.time + TOLERANCE
  return isEarly || isLate
}

/** Refusals of a time stamp that no other trust or time would lift. */
export const WRONG: ReadonlySet<string> = new Set([
  'imprint',
  'malformed',
  'contentType',
  'contentMissing',
  'notExactlyOneSigner',
  'tooLarge',
  'messageDigest',
  'signatureValue',
])

const NO_STAMP = new Uint8Array()

/** Judges the time stamps over checkpoints as those of signatures are, each once. */
export class CheckpointTimes {
  private readonly known = new Map<string, CheckpointTime>()
  /** Proofs share their checkpoints, which are hashed once. */
  private readonly hashes = new WeakMap<Uint8Array, string>()

  constructor(private readonly context: TimeStampContext & { readonly tsaExpiry?: TsaExpiry | undefined }) {}

  of(checkpoint: OpenStamped): CheckpointTime {
    const key = [checkpoint.note, checkpoint.stamp ?? NO_STAMP].map((octets) => this.hashOf(octets)).join()
    const time = this.known.get(key) ?? this.judge(checkpoint)
    this.known.set(key, time)
    return time
  }

  private hashOf(octets: Uint8Array): string {
    const hash = this.hashes.get(octets) ?? sha256(octets)
    this.hashes.set(octets, hash)
    return hash
  }

  /** When a token was made, whatever it is over. */
  ofToken(token: Uint8Array): CheckpointTime {
    return this.judged(() => verifyTimeStampToken(token, this.context))
  }

  private judge({ note, stamp }: OpenStamped): CheckpointTime {
    if (stamp === undefined) return { state: 'none' }
    return this.judged(() => verifyTimeStamp(stamp, note, this.context))
  }

  private judged(verify: () => TimeStamp): CheckpointTime {
    try {
      const found = verify()
      const isOver = this.context.tsaExpiry !== 'accept' && hasEnded(found, this.context.now)
      return isOver ? { state: 'notProved', reason: 'authorityEnded' } : { state: 'proved', time: found.genTime }
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      const reason = String(error.details?.reason ?? error.code)
      return { state: WRONG.has(reason) ? 'wrong' : 'notProved', reason }
    }
  }
}
