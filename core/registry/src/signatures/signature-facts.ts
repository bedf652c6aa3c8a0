import { createHash } from 'node:crypto'
import {
  type Certificate,
  type CertificateStatus,
  generalNamesText,
  isNotDer,
  type ReadSignature,
  readIdentity,
  type SignatureProof,
  signatureErrors,
  type TimeStamp,
} from '@signed-registry/verifier'
import type { StatedCoverage } from '@signed-registry/verifier/evidence'
import type { SignerKey, SignerKeys } from './ports.js'
import type { OcspFacts, SignatureCoverage, SignatureFacts, TspFacts } from './schema.js'
import type { VerifiedSignature } from './signature-verifier.js'

/**
 * Facts of a valid signature in the specification's words ("Signature object"). Throws `badSignerCertificate` for a signer
 * without an IIN: documents are signed by people.
 */
export function signatureFacts(signature: ReadSignature, { timeStamp, status }: SignatureProof): SignatureFacts {
  return {
    ...signerFacts(signature),
    signType: signature.signType,
    tsp: tspFacts(timeStamp),
    ...(status === undefined ? {} : { ocsp: ocspFacts(status) }),
  }
}

/**
 * The later of the times of the time stamp and the OCSP answer of a registered signature, milliseconds: what has the hashes
 * of both was made after it.
 */
export function evidenceTime({ tsp, ocsp }: Pick<SignatureFacts, 'tsp' | 'ocsp'>): number | undefined {
  const times = [tsp?.timeStamp, ocsp?.producedAt].filter((time) => time !== undefined)
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Facts from a signer's certificate. Throws `badSignerCertificate` for one without an IIN. */
export function signerFacts(signature: Pick<ReadSignature, 'signer' | 'signAlgorithm'>) {
  const { userId, ...rest } = holderFacts(signature)
  if (userId === undefined) throw signatureErrors.error('badSignerCertificate', { reason: 'userIdMissing' })
  return { userId, ...rest }
}

/** Facts from the certificate of a signer, who need not be a person. Throws `badSignerCertificate` for an unreadable one. */
export function holderFacts(signature: Pick<ReadSignature, 'signer' | 'signAlgorithm'>) {
  try {
    return readHolder(signature)
  } catch (error) {
    if (!isNotDer(error)) throw error
    throw signatureErrors.error('badSignerCertificate', { reason: 'certificateMalformed' }, error)
  }
}

function readHolder({ signer, signAlgorithm }: Pick<ReadSignature, 'signer' | 'signAlgorithm'>) {
  const { userId, businessId, keyStorage } = readIdentity(signer)
  const { subjectAltName } = signer.extensions
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(businessId === undefined ? {} : { businessId }),
    ...certificateFacts(signer, signAlgorithm),
    ...(subjectAltName === undefined
      ? {}
      : {
          subjectAltName: generalNamesText(subjectAltName),
          subjectAltNameStructure: subjectAltName.map(({ type, value }) => ({ type, value })),
        }),
    ...(keyStorage === undefined ? {} : { keyStorage }),
  }
}

/** Facts of a time stamp and its authority (specification, "TSP structure"). */
export const tspFacts = ({ genTime, policy, signer, signAlgorithm }: TimeStamp): TspFacts => ({
  timeStamp: genTime,
  timeStampPolicy: policy,
  ...certificateFacts(signer, signAlgorithm),
})

/** Facts of an OCSP answer and its responder (specification, "OCSP structure"). */
export const ocspFacts = ({
  producedAt,
  thisUpdate,
  nextUpdate,
  responder,
  signAlgorithm,
}: CertificateStatus): OcspFacts => ({
  producedAt,
  thisUpdate,
  ...(nextUpdate === undefined ? {} : { nextUpdate }),
  certStatus: 'good',
  ...certificateFacts(responder, signAlgorithm),
})

function certificateFacts(certificate: Certificate, signAlgorithm: string) {
  const { subject, issuer, extensions, notBefore, notAfter, serialNumber, signatureAlgorithm } = certificate
  return {
    signAlgorithm,
    certSignAlgorithm: signatureAlgorithm.oid,
    serialNumber,
    from: notBefore,
    until: notAfter,
    subject: subject.toString(),
    subjectStructure: nameStructure(subject),
    issuer: issuer.toString(),
    issuerStructure: nameStructure(issuer),
    policyIds: [...(extensions.certificatePolicies ?? [])],
    keyUsages: [...(extensions.keyUsage ?? [])],
    extKeyUsages: [...(extensions.extKeyUsage?.oids ?? [])],
  }
}

/** A name as answers show it. */
export const nameStructure = ({ rdns }: Certificate['subject']) =>
  rdns.map((rdn) => rdn.map((attribute) => ({ ...attribute })))

/** What is stored of a verified signature. Throws `badSignerCertificate` for a signer without an IIN. */
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

/** Certificates from the configuration (issuers, CRL signers), which may change later. */
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

/** What a signature is over as verifiers and bundles say it. */
export const statedCoverage = (coverage: SignatureCoverage): StatedCoverage =>
  coverage.of === 'ranges' ? { of: 'ranges', ranges: coverage.ranges } : { of: 'references', uris: coverage.uris }

/** Digests by which a signer's key and certificate are looked up. */
export const signerKey = ({ spki, fingerprint }: Certificate): SignerKey => ({
  key: createHash('sha256').update(spki).digest(),
  certificate: Buffer.from(fingerprint, 'hex'),
})

/** Whether any store of signatures knows a certificate's key under another certificate. */
export const isKeyUnderOther =
  (keepers: readonly SignerKeys[]) =>
  async (signer: Certificate): Promise<boolean> => {
    const asked = signerKey(signer)
    const answers = await Promise.all(keepers.map((keeper) => keeper.isUnderOther(asked)))
    return answers.includes(true)
  }
