import { randomBytes } from 'node:crypto'
import { type Finding, publicAddress, RegistryError, type SignaturePolicy, systemClock } from '@signed-registry/core'
import {
  buildOcspRequest,
  type Certificate,
  readOcspResponse,
  responderOfAny,
  signatureScheme,
  type Trust,
  verifyOcsp,
} from '@signed-registry/verifier'
import type { AskOptions } from './ask-tsp.js'
import { ConfiguredTrust } from './configured-trust.js'
import { OnlineStatusSource } from './online-sources.js'
import { type OnlineAuthoritiesOptions, TIMEOUT_MS } from './options.js'
import { failureOf } from './what-came.js'

const NONCE_BYTES = 16

/** A certificate of an authority, and its issuer. */
interface Issued {
  readonly certificate: Certificate
  readonly issuer: Certificate
}

/** What its answer is judged by. */
interface JudgedBy extends Partial<SignaturePolicy> {
  readonly trust: Trust
}

/**
 * Asks the configured responder about an issuing CA, or those that issuing CAs name and that may be asked. Counts in no statistics,
 * and nothing keeps the answers. Finds nothing where nobody can be asked.
 */
export async function askOcsp(
  authorities: OnlineAuthoritiesOptions,
  { policy, signal = AbortSignal.timeout(TIMEOUT_MS) }: AskOptions = {},
): Promise<Finding[]> {
  const trust = new ConfiguredTrust(authorities.trustAnchors, systemClock, authorities.trustedResponders).trust()
  const source = new OnlineStatusSource(authorities)
  try {
    const questions = new Map<string, Issued>()
    for (const one of issuedIn(trust)) {
      const url = source.urlFor(one.certificate)
      if (url !== undefined && !questions.has(url)) questions.set(url, one)
    }
    return await Promise.all(
      [...questions].map(([url, about]) => ask(source, url, { ...policy, ...about, trust }, signal)),
    )
  } finally {
    source.close()
  }
}

/**
 * Authorities that have not ended: issuing CAs, then anchors, and last those of their own name, of which a responder may know nothing.
 * A CA that was renewed with its key stands for itself while it has not ended.
 */
function issuedIn({ anchors, intermediates }: Trust): Issued[] {
  const all = [...intermediates, ...anchors]
  const issued = all.flatMap((certificate) => {
    const signers = all.filter((one) => hasSigned(one, certificate))
    const issuer = signers.find(isValid) ?? signers[0]
    return issuer === undefined ? [] : [{ certificate, issuer }]
  })
  const valid = issued.filter(({ certificate }) => isValid(certificate))
  return (valid.length > 0 ? valid : issued).toSorted((a, b) => Number(isSelfIssued(a)) - Number(isSelfIssued(b)))
}

const isValid = ({ notBefore, notAfter }: Certificate): boolean => notBefore <= Date.now() && notAfter > Date.now()
const isSelfIssued = ({ certificate }: Issued): boolean => certificate.subject.key === certificate.issuer.key

/** A renewed CA has the name of the one before: only its key tells which of them issued a certificate. */
function hasSigned(issuer: Certificate, certificate: Certificate): boolean {
  if (issuer.subject.key !== certificate.issuer.key) return false
  try {
    const key = issuer.publicKey
    return key.verify(signatureScheme(certificate.signatureAlgorithm, key), certificate.tbs, certificate.signature)
  } catch (error) {
    // By an algorithm that is not known here: no answer could be judged by this issuer.
    if (error instanceof RegistryError) return false
    throw error
  }
}

async function ask(
  source: OnlineStatusSource,
  url: string,
  about: Issued & JudgedBy,
  signal: AbortSignal,
): Promise<Finding> {
  const address = publicAddress(url)
  const { certificate, issuer } = about
  try {
    const nonce = randomBytes(NONCE_BYTES)
    const request = buildOcspRequest({ certificate, issuer, nonce })
    const { status, basic } = readOcspResponse(await source.status(url, request, { signal }))
    if (basic !== undefined) return judge(address, basic, { ...about, nonce })
    const text = `${address} answers (${status})`
    // A responder may well know nothing of a CA; this answer is not signed, so it proves nothing either.
    if (status === 'unauthorized')
      return { state: 'warn', text: `${text}: whether it works for those who sign shows when it is used` }
    return { state: 'fail', text: `${text}: ask its operator, or name another one` }
  } catch (error) {
    return failureOf(url, error)
  }
}

function judge(address: string, basic: Uint8Array, about: Issued & JudgedBy & { nonce: Uint8Array }): Finding {
  const now = Date.now()
  try {
    verifyOcsp(basic, { ...about, now, time: now })
    return { state: 'ok', text: `${address} answers (good)` }
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    const reason = String(error.details?.reason)
    if (error.code === 'invalidCertificateStatus' && reason === 'revoked')
      return { state: 'warn', text: `${address} answers: ${about.certificate.subject} is revoked; ask the authority` }
    if (error.code === 'invalidCertificateStatus') return { state: 'ok', text: `${address} answers (${reason})` }
    if (!reason.startsWith('responder')) throw error
    // The responder of another CA of ours, which this one has not authorised.
    responderOfAny(basic, { ...about, now })
    return { state: 'ok', text: `${address} answers for another authority` }
  }
}
