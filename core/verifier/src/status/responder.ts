import { defaultAlgorithmPolicy, requireTrusted } from '../algorithms/policy.js'
import { signatureScheme } from '../algorithms/signature-scheme.js'
import { RegistryError } from '../error.js'
import { ocspRefusal } from '../evidence-refusal.js'
import { itemAt } from '../item-at.js'
import { buildPath } from '../path/build-path.js'
import type { Trust } from '../path/trust.js'
import { Certificate } from '../x509/certificate.js'
import type { BasicOcspResponse, ResponderId } from './basic-ocsp-response.js'
import { issuerHashes } from './cert-id.js'
import type { OcspContext } from './ocsp-context.js'

const SHA_1 = '1.3.14.3.2.26'
const ID_KP_OCSP_SIGNING = '1.3.6.1.5.5.7.3.9'

/**
 * The certificate whose key signed the answer, when it may speak for the issuer (RFC 6960 section 4.2.2.2): the issuer
 * itself, or a delegate that the issuer's own key certified for OCSP signing. Throws `invalidOcspData`, `algorithmNotTrusted`.
 */
export function authorisedResponder(basic: BasicOcspResponse, context: OcspContext): Certificate {
  const embedded = basic.certificates.map((der) => Certificate.parse(der))
  const named = [...new Set([...embedded, context.issuer])].filter((certificate) =>
    isNamed(basic.responder, certificate),
  )
  if (named.length === 0) throw ocspRefusal('responderNotFound')
  const signers = named.filter((certificate) => isSignedBy(basic, certificate, context))
  if (signers.length === 0) throw ocspRefusal('signature')
  const itself = signers.some(({ spki }) => Buffer.compare(spki, context.issuer.spki) === 0)
  const signer = itself ? context.issuer : itemAt(signers, 0)
  if (basic.producedAt < signer.notBefore || basic.producedAt > signer.notAfter) {
    throw ocspRefusal('responderNotValid', { producedAt: basic.producedAt, responder: signer.subject.toString() })
  }
  if (!itself) assertDelegate(signer, basic.producedAt, context)
  return signer
}

function isNamed(id: ResponderId, certificate: Certificate): boolean {
  if ('name' in id) return id.name.equals(certificate.subject)
  return issuerHashes(certificate, SHA_1).key.equals(id.keyHash)
}

function isSignedBy(basic: BasicOcspResponse, certificate: Certificate, { algorithms, now }: OcspContext): boolean {
  const key = certificate.publicKey
  const scheme = signatureScheme(basic.signatureAlgorithm, key)
  requireTrusted(algorithms ?? defaultAlgorithmPolicy, scheme, key, now)
  return key.verify(scheme, basic.tbs, basic.signature)
}

function assertDelegate(responder: Certificate, time: number, context: OcspContext): void {
  const { issuer } = context
  const facts = { responder: responder.subject.toString() }
  const { extKeyUsage, keyUsage } = responder.extensions
  if (!responder.issuer.equals(issuer.subject)) throw ocspRefusal('responderOfAnotherIssuer', facts)
  if (extKeyUsage?.oids.includes(ID_KP_OCSP_SIGNING) !== true) throw ocspRefusal('responderUsage', facts)
  if (keyUsage !== undefined && !keyUsage.has('digitalSignature') && !keyUsage.has('nonRepudiation')) {
    throw ocspRefusal('responderUsage', facts)
  }
  try {
    assertIssued(responder, time, context)
  } catch (error) {
    // That the responder's certificate is revoked says nothing of the certificate in question.
    if (!(error instanceof RegistryError) || error.code !== 'invalidCertificateStatus') throw error
    const { reason, ...more } = error.details ?? {}
    throw ocspRefusal(
      reason === 'revoked' ? 'responderRevoked' : 'responderStatusUnknown',
      { ...more, ...facts },
      error,
    )
  }
}

/** The issuer's own path has been judged: here it is the anchor, and nothing may stand between. */
function assertIssued(responder: Certificate, time: number, { issuer, trust, now, algorithms }: OcspContext): void {
  const revocation = responder.extensions.ocspNoCheck ? 'whenKnown' : 'required'
  buildPath(responder, { trust: trustIn(issuer, trust), time, now, algorithms, revocation })
}

const anchored = new WeakMap<Certificate, Trust>()

/** Trust in one issuer alone, the same object each time where there are no CRLs, so that paths to it are found again. */
function trustIn(issuer: Certificate, { crls = [] }: Trust): Trust {
  if (crls.length > 0) return { anchors: [issuer], intermediates: [], crls }
  const trust = anchored.get(issuer) ?? { anchors: [issuer], intermediates: [] }
  anchored.set(issuer, trust)
  return trust
}
