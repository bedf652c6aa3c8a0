import { Clock } from '../kernel/clock.js'
import { Checks } from './checks.js'
import { decodeSignature } from './cms/decode-signature.js'
import { readCms } from './cms/read-cms.js'
import { CollectEvidence } from './collect-evidence.js'
import { readElement } from './der/reader.js'
import { signatureErrors } from './errors.js'
import { TrustStore } from './ports.js'
import type { ReadSignature } from './signature.js'
import { signatureFacts } from './signature-facts.js'
import { type Evidence, type SignatureInput, SignatureVerifier, type VerifiedSignature } from './signature-verifier.js'
import type { SignatureProof } from './verify-evidence.js'
import { requireSignature, verifySignature } from './verify-signature.js'
import { Certificate } from './x509/certificate.js'
import { readXmlSignature } from './xml/read-xml-signature.js'

/** Judges signatures by the configured trust, with evidence of their own or from the configured authorities. */
export class StandardSignatureVerifier extends SignatureVerifier {
  static readonly inject = [CollectEvidence, TrustStore, Clock] as const

  constructor(
    private readonly evidence: CollectEvidence,
    private readonly trustStore: TrustStore,
    private readonly clock: Clock,
  ) {
    super()
  }

  read({ signType = 'cms', signature }: SignatureInput): ReadSignature {
    if (signType === 'cms') return readCms(decodeSignature(signature))
    if (signType === 'xml') return readXmlSignature(signature)
    throw signatureErrors.error('signatureTypeNotSupported', { signType })
  }

  async prove(signature: ReadSignature): Promise<VerifiedSignature> {
    const checks = new Checks()
    requireSignature(signature, { trust: this.trustStore.trust(), now: this.clock.now() }, checks)
    const proof = await this.evidence.execute(signature, { checks })
    return {
      facts: signatureFacts(signature, proof),
      evidence: {
        signType: signature.signType,
        signature: signature.kept,
        timeStamp: proof.timeStamp.token,
        ocsp: proof.status.response,
        certificates: issuingCertificates(signature, proof),
      },
      signedDigests: new Map(signature.digests.map(({ oid, value }) => [oid, value])),
      fingerprint: signature.fingerprint,
      content: signature.content,
    }
  }

  verifyAgain({ signType, signature, timeStamp, ocsp, certificates }: Evidence): void {
    const read = signType === 'cms' ? readCms(signature) : readXmlSignature(Buffer.from(signature).toString('utf8'))
    const context = {
      trust: this.trustStore.trust(),
      now: this.clock.now(),
      candidates: readCertificates(certificates),
    }
    verifySignature(read, { timeStamp, ocsp }, context)
  }
}

/** Issuing certificates of both paths that came out of the configuration, which may be another one some day. */
function issuingCertificates({ certificates }: ReadSignature, { path, timeStamp }: SignatureProof): Uint8Array {
  const carried = new Set([...certificates, ...timeStamp.certificates].map(({ fingerprint }) => fingerprint))
  const issuing = [...path.certificates.slice(1, -1), ...timeStamp.path.certificates.slice(1, -1)]
  const missing = new Map(issuing.map((certificate) => [certificate.fingerprint, certificate.der]))
  return Buffer.concat([...missing].flatMap(([fingerprint, der]) => (carried.has(fingerprint) ? [] : [der])))
}

function readCertificates(bytes: Uint8Array): Certificate[] {
  const certificates: Certificate[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const element = readElement(bytes, offset)
    certificates.push(Certificate.read(element))
    offset = element.end
  }
  return certificates
}
