import { defaultAlgorithmPolicy, requireTrusted } from '../algorithms/policy.js'
import { signatureScheme } from '../algorithms/signature-scheme.js'
import { DerError } from '../der/reader.js'
import { RegistryError } from '../error.js'
import { ocspRefusal } from '../evidence-refusal.js'
import { itemAt } from '../item-at.js'
import { buildPath } from '../path/build-path.js'
import type { Trust } from '../path/trust.js'
import { Certificate } from '../x509/certificate.js'
import type { BasicOcspResponse, ResponderId } from './basic-ocsp-response.js'
import { issuerHashes } from './cert-id.js'
import type { StatusContext } from './status-context.js'

const SHA_1 = '1.3.14.3.2.26'
const ID_KP_OCSP_SIGNING = '1.3.6.1.5.5.7.3.9'

/**
 * The certificate whose key signed an answer about the first certificate of a path, when it may speak for the issuer
 * (RFC 6960 section 4.2.2.2): one that the operator trusts to, the issuer itself, or a delegate that the issuer's own key
 * certified for OCSP signing. `isGood` tells whether anything but CRLs shows a delegate to be good. Throws
 * `invalidOcspData`, `algorithmNotTrusted`.
 */
export function authorisedResponder(
  basic: BasicOcspResponse,
  path: readonly Certificate[],
  context: StatusContext,
  isGood: (delegate: Certificate) => boolean,
): Certificate {
  const issuer = itemAt(path, 1)
  const trusted = context.trust.responders ?? []
  const embedded = basic.certificates.flatMap(readable)
  const named = [...new Set([...trusted, ...embedded, ...(context.candidates ?? []), issuer])].filter((certificate) =>
    isNamed(basic.responder, certificate),
  )
  if (named.length === 0) throw ocspRefusal('responderNotFound')
  const signers = named.filter((certificate) => isSignedBy(basic, certificate, context))
  if (signers.length === 0) throw ocspRefusal('signature')
  const itself = signers.some(({ spki }) => Buffer.compare(spki, issuer.spki) === 0)
  const signer = itself ? issuer : itemAt(signers, 0)
  if (basic.producedAt < signer.notBefore || basic.producedAt > signer.notAfter) {
    throw ocspRefusal('responderNotValid', { producedAt: basic.producedAt, responder: signer.subject.toString() })
  }
  if (!itself && !trusted.some(({ fingerprint }) => fingerprint === signer.fingerprint))
    assertDelegate(signer, basic.producedAt, issuer, context, isGood)
  return signer
}

/** Nobody signed which certificates came along: one that cannot be read is none. */
function readable(der: Uint8Array): Certificate[] {
  try {
    return [Certificate.parse(der)]
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}

function isNamed(id: ResponderId, certificate: Certificate): boolean {
  if ('name' in id) return id.name.equals(certificate.subject)
  return issuerHashes(certificate, SHA_1).key.equals(id.keyHash)
}

function isSignedBy(basic: BasicOcspResponse, certificate: Certificate, { algorithms, now }: StatusContext): boolean {
  const key = certificate.publicKey
  const scheme = signatureScheme(basic.signatureAlgorithm, key)
  requireTrusted(algorithms ?? defaultAlgorithmPolicy, scheme, key, now)
  return key.verify(scheme, basic.tbs, basic.signature)
}

function assertDelegate(
  responder: Certificate,
  time: number,
  issuer: Certificate,
  context: StatusContext,
  isGood: (delegate: Certificate) => boolean,
): void {
  const facts = { responder: responder.subject.toString() }
  const { extKeyUsage, keyUsage } = responder.extensions
  if (!responder.issuer.equals(issuer.subject)) throw ocspRefusal('responderOfAnotherIssuer', facts)
  if (extKeyUsage?.oids.includes(ID_KP_OCSP_SIGNING) !== true) throw ocspRefusal('responderUsage', facts)
  if (keyUsage !== undefined && !keyUsage.has('digitalSignature') && !keyUsage.has('nonRepudiation')) {
    throw ocspRefusal('responderUsage', facts)
  }
  try {
    assertIssued(responder, time, issuer, context)
  } catch (error) {
    // That the responder's certificate is revoked says nothing of the certificate in question.
    if (!(error instanceof RegistryError) || error.code !== 'invalidCertificateStatus') throw error
    const { reason, ...more } = error.details ?? {}
    if (reason !== 'revoked' && isGood(responder)) return
    throw ocspRefusal(
      reason === 'revoked' ? 'responderRevoked' : 'responderStatusUnknown',
      { ...more, ...facts },
      error,
    )
  }
}

/** The issuer's own path has been judged: here it is the anchor, and nothing may stand between. */
function assertIssued(
  responder: Certificate,
  time: number,
  issuer: Certificate,
  { trust, now, algorithms, evidence }: StatusContext,
): void {
  const crlUse = responder.extensions.ocspNoCheck ? 'whenKnown' : 'required'
  buildPath(responder, { trust: trustIn(issuer, trust), time, now, algorithms, crlUse, crls: evidence?.crls })
}

const anchored = new WeakMap<Certificate, Trust>()

/** Trust in one issuer alone, the same object each time where there are no CRLs, so that paths to it are found again. */
function trustIn(issuer: Certificate, { crls = [] }: Trust): Trust {
  if (crls.length > 0) return { anchors: [issuer], intermediates: [], crls }
  const trust = anchored.get(issuer) ?? { anchors: [issuer], intermediates: [] }
  anchored.set(issuer, trust)
  return trust
}
