import type { ReadSignature, SignatureProof } from '@signed-registry/verifier'
import { signatureFacts } from './signature-facts.js'
import type { VerifiedSignature } from './signature-verifier.js'
import { signerKey } from './signer-key.js'

/** What a registration keeps of a signature that was proved good. Throws `badSignerCertificate` for a signer without a personal number. */
export const verifiedSignature = (signature: ReadSignature, proof: SignatureProof): VerifiedSignature => ({
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
  signerKey: signerKey(signature.signer),
  certificateNamed: signature.certificateNamed,
  content: signature.content,
})

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
