import { DerError, readDer } from '../der/reader.js'
import { readGeneralizedTime } from '../der/time.js'
import { extensionOids } from '../x509/extension-oids.js'
import { isCompromise } from '../x509/revoked-entry.js'
import type { Revocation, SingleResponse } from './basic-ocsp-response.js'

/** Default maximum gap between a status and the time it is to prove, milliseconds. */
export const MAX_GAP = 5 * 60_000

/**
 * Whether a certificate was revoked at a time: at thisUpdate at the latest, even if the response has a later revocation time; with
 * a compromised key, from the invalidity date on. A hold counts while it is current and no newer response ends it.
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

/** A response covers the time until its next update, and all times before thisUpdate. */
export const coversTime = (
  { thisUpdate, nextUpdate }: SingleResponse,
  time: number,
  maxGap: number = MAX_GAP,
): boolean => thisUpdate > time || time - thisUpdate <= maxGap || (nextUpdate !== undefined && time <= nextUpdate)

/** The invalidity date is a CRL entry extension in the response (RFC 6960 section 4.4.5). */
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
