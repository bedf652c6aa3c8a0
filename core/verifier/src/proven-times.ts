import { genTimeOf } from './cms/gen-time.js'
import { type DocumentContent, digestOf } from './compare-document.js'
import { RegistryError } from './error.js'
import type { CarriedTimeStamp, ReadSignature, UnusedEvidence } from './signature.js'
import {
  type TimeStamp,
  type TimeStampContext,
  verifyTimeStamp,
  verifyTimeStampToken,
} from './timestamp/verify-time-stamp.js'

/**
 * What of a time stamp whose authority's certificate has ended since: `needsProof` does not count it, since nobody
 * guards that key any longer; `accept` takes it as it was (RFC 3161 section 4; EN 319 102-1, proof of existence).
 */
export type TsaExpiry = 'needsProof' | 'accept'

/** Tokens over one signature that are judged. */
const MAX_TIME_STAMPS = 32
/** What is wrong with tokens before anything of them is computed: such cost next to nothing, and are not counted. */
const CHEAP: ReadonlySet<string> = new Set(['imprint', 'malformed', 'contentType', 'contentMissing', 'tooLarge'])

/** When a signature was made, as far as time stamps prove it. */
export interface ProvenTimes {
  /** Stamps over the signature that count, the earliest first: it is older than each. */
  readonly stamps: readonly TimeStamp[]
  /** The latest stamp among what was signed: the signature is younger. */
  readonly content: TimeStamp | undefined
  /** Stamps that do not count, and why. */
  readonly unused: readonly UnusedEvidence[]
}

/** Judges every time stamp of a signature, and one that is given beside it; what does not hold proves nothing, and is named. */
export function provenTimes(
  { carried, signatureValue }: ReadSignature,
  given: Uint8Array | undefined,
  content: DocumentContent | undefined,
  context: TimeStampContext & { readonly tsaExpiry?: TsaExpiry },
): ProvenTimes {
  const unused: UnusedEvidence[] = []
  const [first] = carried.timeStamps
  const beside: CarriedTimeStamp[] =
    given === undefined ? [] : [{ token: given, imprinted: first?.imprinted ?? signatureValue }]
  const stamps: TimeStamp[] = []
  let judged = 0
  for (const { token, imprinted } of [...beside, ...carried.timeStamps]) {
    const found = counted(unused, 'timeStamp', token, () => {
      if (judged === MAX_TIME_STAMPS) return 'tooMany'
      const stamp = verifyTimeStamp(token, imprinted, context)
      return context.tsaExpiry !== 'accept' && hasEnded(stamp, context.now) ? 'authorityEnded' : stamp
    })
    stamps.push(...found)
    if (found.length > 0 || !CHEAP.has(unused.at(-1)?.reason ?? '')) judged = Math.min(judged + 1, MAX_TIME_STAMPS)
  }
  const before = carried.contentTimeStamps.flatMap((token) =>
    counted(unused, 'contentTimeStamp', token, () => {
      const stamp = verifyTimeStampToken(token, context)
      return isOver(stamp, content) ? stamp : 'imprint'
    }),
  )
  return {
    stamps: stamps.sort((a, b) => a.genTime - b.genTime),
    content: before.sort((a, b) => b.genTime - a.genTime)[0],
    unused,
  }
}

function counted(
  unused: UnusedEvidence[],
  kind: UnusedEvidence['kind'],
  token: Uint8Array,
  judge: () => TimeStamp | string,
): TimeStamp[] {
  const found = reasonOr(judge)
  if (typeof found !== 'string') return [found]
  unused.push({ kind, reason: found, time: genTimeOf(token) })
  return []
}

function reasonOr(judge: () => TimeStamp | string): TimeStamp | string {
  try {
    return judge()
  } catch (error) {
    if (error instanceof RegistryError) return String(error.details?.reason ?? error.code)
    throw error
  }
}

/** Whether a certificate on the authority's path has ended by a time (ms), and with it the care for its key. */
export const hasEnded = ({ path }: TimeStamp, at: number): boolean =>
  path.certificates.some(({ notAfter }) => notAfter < at)

/** What a content time stamp is over is compared where the content is at hand; it is older than the signature in any case. */
function isOver({ info }: TimeStamp, content: DocumentContent | undefined): boolean {
  const own = content && digestOf(content, info.imprint.digestOid)
  return own === undefined || Buffer.compare(own, info.imprint.value) === 0
}

/** Whether a signature is said to be older than what was signed with it, by more than the clocks may be off. */
export function isOutOfOrder(stamp: TimeStamp, content: TimeStamp | undefined): boolean {
  if (content === undefined) return false
  return stamp.genTime + (stamp.info.accuracy ?? 0) < content.genTime - (content.info.accuracy ?? 0)
}
