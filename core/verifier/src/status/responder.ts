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
 * The authorised responder that signed a response about the first certificate of a path (RFC 6960 section 4.2.2.2): one trusted
 * by the operator, the issuer itself, or a delegate certified by the issuer's key for OCSP signing. `isGood` tells whether
 * anything besides CRLs proves a delegate's good status. Throws
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

/** Embedded certificates are not signed data: malformed ones are ignored. */
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
    // The status of the responder's certificate must not be mistaken for that of the certificate in question.
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

/** The issuer's path has been validated: here the issuer is the anchor, without intermediates. */
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

/** Trust with the issuer as the only anchor; without CRLs the same object each time, so that cached paths are found. */
function trustIn(issuer: Certificate, { crls = [] }: Trust): Trust {
  if (crls.length > 0) return { anchors: [issuer], intermediates: [], crls }
  const trust = anchored.get(issuer) ?? { anchors: [issuer], intermediates: [] }
  anchored.set(issuer, trust)
  return trust
}
