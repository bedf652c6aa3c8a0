import { DerError, readDer } from '../der/reader.js'
import { readGeneralizedTime } from '../der/time.js'
import { extensionOids } from '../x509/extension-oids.js'
import { isCompromise } from '../x509/revoked-entry.js'
import type { Revocation, SingleResponse } from './basic-ocsp-response.js'

/** Between a status and the time that it proves, milliseconds, where not given. */
export const MAX_GAP = 5 * 60_000

/**
 * Whether a revocation counts at a time. Who is called revoked is so by the time of the answer, whatever later date it
 * bears; who lost the key, from the day on that it may have been lost. A hold counts while it is current, and no newer
 * statement ends it.
 */
export function isRevokedAt(
  single: SingleResponse,
  time: number,
  others: readonly SingleResponse[],
  maxGap: number = MAX_GAP,
): boolean {
  const { status, thisUpdate } = single
  if (typeof status !== 'object' || Math.min(revokedFrom(single, status), thisUpdate) > time) return false
  if (status.reason !== 'certificateHold' || thisUpdate > time) return true
  const isEnded = others.some(
    (other) => other.status === 'good' && other.thisUpdate > thisUpdate && other.thisUpdate <= time,
  )
  return !isEnded && coversTime(single, time, maxGap)
}

/** A statement is about the time that it was made at, and about all until its next update; a newer one is about all before. */
export const coversTime = (
  { thisUpdate, nextUpdate }: SingleResponse,
  time: number,
  maxGap: number = MAX_GAP,
): boolean => thisUpdate > time || time - thisUpdate <= maxGap || (nextUpdate !== undefined && time <= nextUpdate)

/** The invalidity date of an answer stands in the extension of CRL entries (RFC 6960 section 4.4.5). */
function revokedFrom({ extensions }: SingleResponse, { revokedAt, reason }: Revocation): number {
  const invalidity = isCompromise(reason) ? extensions.get(extensionOids.invalidityDate) : undefined
  if (invalidity === undefined) return revokedAt
  try {
    return Math.min(revokedAt, readGeneralizedTime(readDer(invalidity.value)))
  } catch (error) {
    if (error instanceof DerError) return revokedAt
    throw error
  }
}
