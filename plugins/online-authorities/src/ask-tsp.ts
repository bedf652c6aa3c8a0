import { randomBytes } from 'node:crypto'
import { type Finding, publicAddress, RegistryError, type SignaturePolicy, systemClock } from '@signed-registry/core'
import {
  buildTimeStampRequest,
  certificatesEnd,
  digest,
  readTimeStampResponse,
  verifyTimeStamp,
} from '@signed-registry/verifier'
import { ConfiguredTrust } from './configured-trust.js'
import { OnlineTimestampSource } from './online-sources.js'
import { type OnlineAuthoritiesOptions, TIMEOUT_MS } from './options.js'
import { failureOf } from './what-came.js'

const MAX_SKEW_MS = 5000
/** Registrations refuse older stamps. */
const MAX_AGE_MS = 5 * 60_000
const SHA_256 = '2.16.840.1.101.3.4.2.1'
const NONCE_BYTES = 16

/** What a time-stamping authority answered; `certificatesEnd` is when its certificate or one above it ends, milliseconds. */
export interface TspFinding extends Finding {
  readonly certificatesEnd?: number
}

type Asked = Pick<OnlineAuthoritiesOptions, 'tspUrl' | 'tspPolicy' | 'timeoutMs' | 'trustAnchors' | 'trustedResponders'>

/** How an authority is asked, and by which policy its answers are judged; by the default one unless given. */
export interface AskOptions {
  readonly policy?: SignaturePolicy | undefined
  readonly signal?: AbortSignal
}

/**
 * Asks for a time stamp over random bytes, as registrations do, judges it, and compares this machine's clock with the authority's.
 * Counts in no statistics, and nothing keeps the stamp.
 */
export async function askTsp(
  authorities: Asked,
  digestOid = SHA_256,
  { policy, signal = AbortSignal.timeout(TIMEOUT_MS) }: AskOptions = {},
): Promise<TspFinding> {
  const { tspPolicy, trustAnchors, trustedResponders } = authorities
  const url = publicAddress(authorities.tspUrl)
  const source = new OnlineTimestampSource(authorities)
  const asked = Date.now()
  try {
    const nonce = randomBytes(NONCE_BYTES)
    // A positive integer without a leading zero.
    nonce[0] = 1
    const imprinted = randomBytes(NONCE_BYTES)
    const request = { digestOid, policy: tspPolicy, nonce }
    const imprint = digest(digestOid, imprinted)
    const answer = await source.timestamp(buildTimeStampRequest({ ...request, imprint }), { signal })
    const response = readTimeStampResponse(answer)
    if (response.token === undefined)
      return { state: 'fail', text: `${url} refuses: ${[response.status, ...response.failures].join(', ')}` }
    const trust = new ConfiguredTrust(trustAnchors, systemClock, trustedResponders).trust()
    const stamp = verifyTimeStamp(response.token, imprinted, { ...policy, trust, now: Date.now(), request })
    return { ...clocksFinding(url, asked, stamp.genTime), certificatesEnd: certificatesEnd(stamp) }
  } catch (error) {
    const ahead = error instanceof RegistryError && error.details?.reason === 'genTimeInFuture'
    return ahead ? aheadFinding(url, Number(error.details?.genTime)) : failureOf(url, error)
  } finally {
    source.close()
  }
}

/** Refused before its signer was looked at: whose clock it is that is wrong nobody has proved. */
const aheadFinding = (url: string, genTime: number): Finding => ({
  state: 'fail',
  text: `${url}: its answer is dated ${Math.round((genTime - Date.now()) / 1000)} s ahead of this machine, and refused; set the clock of this machine, or name another authority`,
})

function clocksFinding(url: string, asked: number, genTime: number): Finding {
  const now = Date.now()
  const skew = asked < genTime ? genTime - now : asked - genTime
  const text = `${url} answers; the clocks differ by ${Math.max(0, Math.round(skew / 1000))} s`
  if (now - genTime > MAX_AGE_MS)
    return {
      state: 'fail',
      text: `${text}: its stamps are refused; set the clock of this machine, or name another authority`,
    }
  return { state: skew > MAX_SKEW_MS ? 'warn' : 'ok', text }
}
