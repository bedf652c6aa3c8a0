import { genTimeOf } from './cms/gen-time.js'
import { type DocumentContent, digestOf } from './document-content.js'
import { RegistryError } from './error.js'
import type { CarriedTimeStamp, ReadSignature, UnusedEvidence } from './signature.js'
import {
  type TimeStamp,
  type TimeStampContext,
  verifyTimeStamp,
  verifyTimeStampToken,
} from './timestamp/verify-time-stamp.js'

/**
 * How to treat a time stamp whose authority's certificate has expired: `needsProof` ignores it, since nobody protects that key
 * any longer; `accept` accepts it (RFC 3161 section 4; EN 319 102-1, proof of existence).
 */
export type TsaExpiry = 'needsProof' | 'accept'

/** Time stamps of one signature that are validated. */
const MAX_TIME_STAMPS = 32
/** Errors found before any expensive computation: such time stamps do not count towards the limit. */
const CHEAP: ReadonlySet<string> = new Set(['imprint', 'malformed', 'contentType', 'contentMissing', 'tooLarge'])

/** When a signature was made, as far as time stamps prove it. */
export interface ProvenTimes {
  /** Valid signature time stamps, earliest first: the signature is older than each. */
  readonly stamps: readonly TimeStamp[]
  /** The latest content time stamp: the signature is younger. */
  readonly content: TimeStamp | undefined
  /** Time stamps that do not count, and why. */
  readonly unused: readonly UnusedEvidence[]
}

/** Validates all time stamps of a signature, and one given besides; invalid ones are reported as unused. */
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
      return context.tsaExpiry !== 'accept' && hasEnded(stamp, context.existedAt ?? context.now)
        ? 'authorityEnded'
        : stamp
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

/** What a judgement comes to, or the reason that it was refused with. */
export function reasonOr<T>(judge: () => T | string): T | string {
  try {
    return judge()
  } catch (error) {
    if (error instanceof RegistryError) return String(error.details?.reason ?? error.code)
    throw error
  }
}

/** Whether a certificate on the authority's path has expired by a time (ms). */
export const hasEnded = ({ path }: TimeStamp, at: number): boolean =>
  path.certificates.some(({ notAfter }) => notAfter < at)

/** What a content time stamp is over is compared where the content is at hand; it is older than the signature in any case. */
function isOver({ info }: TimeStamp, content: DocumentContent | undefined): boolean {
  const own = content && digestOf(content, info.imprint.digestOid)
  return own === undefined || Buffer.compare(own, info.imprint.value) === 0
}

/** Whether a signature time stamp precedes the content time stamp by more than clocks may differ. */
export function isOutOfOrder(stamp: TimeStamp, content: TimeStamp | undefined): boolean {
  if (content === undefined) return false
  return stamp.genTime + (stamp.info.accuracy ?? 0) < content.genTime - (content.info.accuracy ?? 0)
}
