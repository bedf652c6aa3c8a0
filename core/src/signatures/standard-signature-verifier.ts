import { Clock } from '../kernel/clock.js'
import { Checks } from './checks.js'
import { decodeSignature } from './cms/decode-signature.js'
import { readCms } from './cms/read-cms.js'
import { CollectEvidence } from './collect-evidence.js'
import { DerError, readElement } from './der/reader.js'
import { signatureErrors } from './errors.js'
import { TrustStore } from './ports.js'
import type { ReadSignature } from './signature.js'
import { signatureFacts } from './signature-facts.js'
import { defaultSignaturePolicy, SignaturePolicy } from './signature-policy.js'
import { type Evidence, type SignatureInput, SignatureVerifier, type VerifiedSignature } from './signature-verifier.js'
import type { SignatureProof } from './verify-evidence.js'
import { requireSignature, type SignatureContext, verifySignature } from './verify-signature.js'
import { Certificate } from './x509/certificate.js'
import { readXmlSignature } from './xml/read-xml-signature.js'

/** Judges signatures by the configured trust, with evidence of their own or from the configured authorities. */
export class StandardSignatureVerifier extends SignatureVerifier {
  static readonly inject = [CollectEvidence, TrustStore, Clock, SignaturePolicy] as const

  constructor(
    private readonly evidence: CollectEvidence,
    private readonly trustStore: TrustStore,
    private readonly clock: Clock,
    private readonly policy: SignaturePolicy = defaultSignaturePolicy,
  ) {
    super()
  }

  read({ signType = 'cms', signature }: SignatureInput): ReadSignature {
    if (signType === 'cms') return readCms(decodeSignature(signature))
    if (signType === 'xml') return this.readXml(signature)
    throw signatureErrors.error('signatureTypeNotSupported', { signType })
  }

  async prove(signature: ReadSignature): Promise<VerifiedSignature> {
    const checks = new Checks()
    requireSignature(signature, this.context(), checks)
    const proof = await this.evidence.execute(signature, { checks })
    return {
      facts: signatureFacts(signature, proof),
      evidence: {
        signType: signature.signType,
        signature: signature.kept,
        timeStamp: proof.timeStamp.token,
        ocsp: proof.status?.response,
        crls: proof.crlProof?.crls.map(({ der }) => der) ?? [],
        certificates: issuingCertificates(signature, proof),
      },
      signedDigests: new Map(signature.digests.map(({ oid, value }) => [oid, value])),
      fingerprint: signature.fingerprint,
      content: signature.content,
    }
  }

  verifyAgain({ signType, signature, timeStamp, ocsp, crls, certificates }: Evidence): void {
    const read = signType === 'cms' ? readCms(signature) : this.readXml(Buffer.from(signature).toString('utf8'))
    const candidates = readCertificates(certificates)
    verifySignature(read, { timeStamp, ocsp, crls }, { ...this.context(), candidates })
  }

  private readXml(signature: string): ReadSignature {
    return readXmlSignature(signature, { algorithms: this.policy.algorithms, at: this.clock.now() })
  }

  private context(): SignatureContext {
    return { ...this.policy, trust: this.trustStore.trust(), now: this.clock.now() }
  }
}

/** Certificates that came out of the configuration, which may be another one some day: issuers, and signers of CRLs. */
function issuingCertificates({ certificates }: ReadSignature, proof: SignatureProof): Uint8Array {
  const { path, timeStamp, crlProof } = proof
  const carried = new Set([...certificates, ...timeStamp.certificates].map(({ fingerprint }) => fingerprint))
  const issuing = [
    ...path.certificates.slice(1, -1),
    ...timeStamp.path.certificates.slice(1, -1),
    ...(crlProof?.signers ?? []),
  ]
  const missing = new Map(issuing.map((certificate) => [certificate.fingerprint, certificate.der]))
  return Buffer.concat([...missing].flatMap(([fingerprint, der]) => (carried.has(fingerprint) ? [] : [der])))
}

function readCertificates(bytes: Uint8Array): Certificate[] {
  const certificates: Certificate[] = []
  try {
    for (let offset = 0; offset < bytes.length; ) {
      const element = readElement(bytes, offset)
      certificates.push(Certificate.read(element))
      offset = element.end
    }
    return certificates
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw signatureErrors.error('certificatePathNotBuilt', { reason: 'certificateMalformed' }, error)
  }
}
