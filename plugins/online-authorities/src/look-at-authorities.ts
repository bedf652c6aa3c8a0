import { randomBytes } from 'node:crypto'
import { type Finding, systemClock } from '@signed-registry/core'
import {
  buildOcspRequest,
  buildTimeStampRequest,
  certificatesEnd,
  digest,
  readOcspResponse,
  readTimeStampResponse,
  verifyTimeStamp,
} from '@signed-registry/verifier'
import { ConfiguredTrust } from './configured-trust.js'
import { OnlineStatusSource, OnlineTimestampSource } from './online-sources.js'
import type { OnlineAuthoritiesOptions } from './options.js'

const DAY = 24 * 60 * 60 * 1000
const WARN_DAYS = 90
const MAX_SKEW_MS = 5000
const SHA_256 = '2.16.840.1.101.3.4.2.1'
const NONCE_BYTES = 16

const options = () => ({ signal: AbortSignal.timeout(10_000) })

/** Trust anchors and issuing CAs, and when they expire. */
export async function lookAtTrust(authorities: OnlineAuthoritiesOptions): Promise<Finding[]> {
  const {
    anchors,
    intermediates,
    crls = [],
  } = new ConfiguredTrust(authorities.trustAnchors, systemClock, authorities.trustedResponders).trust()
  const expiring = [...anchors, ...intermediates].flatMap(({ subject, notAfter }): Finding[] => {
    const days = Math.floor((notAfter - Date.now()) / DAY)
    if (days >= WARN_DAYS) return []
    return [{ state: 'warn', text: `${subject} ${days < 0 ? 'has expired' : `expires in ${days} days`}` }]
  })
  // Those that have ended stay, for what was signed under them.
  if (anchors.every(({ notAfter }) => notAfter <= Date.now()))
    expiring.push({
      state: 'fail',
      text: 'every trust anchor has expired: nobody can sign; add those that took their place',
    })
  const text = `${anchors.length} trust anchors, ${intermediates.length} issuing CAs, ${crls.length} CRLs`
  return [{ state: 'ok', text }, ...expiring]
}

/** What a time-stamping authority answered; `certificatesEnd` is when its certificate or one above it ends, milliseconds. */
export interface TspFinding extends Finding {
  readonly certificatesEnd?: number
}

/** Asks for a time stamp over a hash by this algorithm, judges it, and compares this machine's clock with the authority's. */
export async function askTsp(
  authorities: Pick<OnlineAuthoritiesOptions, 'tspUrl' | 'trustAnchors' | 'trustedResponders'>,
  digestOid = SHA_256,
): Promise<TspFinding> {
  const source = new OnlineTimestampSource({ tspUrl: authorities.tspUrl })
  try {
    const nonce = randomBytes(NONCE_BYTES)
    // A positive integer without a leading zero.
    nonce[0] = 1
    const imprinted = randomBytes(NONCE_BYTES)
    const imprint = digest(digestOid, imprinted)
    const asked = Date.now()
    const answer = await source.timestamp(buildTimeStampRequest({ digestOid, imprint, nonce }), options())
    const response = readTimeStampResponse(answer)
    if (response.token === undefined)
      return {
        state: 'fail',
        text: `${authorities.tspUrl} refuses: ${[response.status, ...response.failures].join(', ')}`,
      }
    const trust = new ConfiguredTrust(authorities.trustAnchors, systemClock, authorities.trustedResponders).trust()
    // Judged as of far ahead of a slow clock: how far it is off is told below.
    const stamp = verifyTimeStamp(response.token, imprinted, {
      trust,
      now: Date.now() + DAY,
      request: { nonce, digestOid },
    })
    const { genTime } = stamp
    const skew = asked < genTime ? genTime - Date.now() : asked - genTime
    const text = `${authorities.tspUrl} answers; the clocks differ by ${Math.max(0, Math.round(skew / 1000))} s`
    return { state: skew > MAX_SKEW_MS ? 'warn' : 'ok', text, certificatesEnd: certificatesEnd(stamp) }
  } finally {
    source.close()
  }
}

/** Asks the configured responder about an issuing CA. */
export async function askOcsp(authorities: OnlineAuthoritiesOptions): Promise<Finding> {
  const { trustAnchors, ocspUrl } = authorities
  if (ocspUrl === undefined) return { state: 'ok', text: 'each certificate names its own responder; none was asked' }
  const { anchors, intermediates } = new ConfiguredTrust(trustAnchors, systemClock).trust()
  const pair = intermediates
    .map((certificate) => ({
      certificate,
      issuer: anchors.find(({ subject }) => subject.key === certificate.issuer.key),
    }))
    .find(({ issuer }) => issuer !== undefined)
  const [certificate, issuer] = [pair?.certificate ?? anchors[0], pair?.issuer ?? anchors[0]]
  if (certificate === undefined || issuer === undefined)
    return { state: 'fail', text: 'there is no trust anchor to ask about' }
  const source = new OnlineStatusSource({ ocspUrl })
  try {
    const request = buildOcspRequest({ certificate, issuer, nonce: randomBytes(NONCE_BYTES) })
    const { status } = readOcspResponse(await source.status(ocspUrl, request, options()))
    // A responder may well know nothing of a CA: that it answers is what was asked.
    return { state: 'ok', text: `${ocspUrl} answers (${status})` }
  } finally {
    source.close()
  }
}
