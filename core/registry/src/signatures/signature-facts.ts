import type {
  Certificate,
  CertificateStatus,
  ReadSignature,
  SignatureProof,
  TimeStamp,
} from '@signed-registry/verifier'
import { generalNamesText, isNotDer, readIdentity, signatureErrors } from '@signed-registry/verifier'
import type { OcspFacts, SignatureFacts, TspFacts } from './schema.js'

/**
 * What a good signature says, in the specification's words ("Signature object").
 * Throws `badSignerCertificate` for a signer without a personal number: documents are signed by people.
 */
export function signatureFacts(signature: ReadSignature, { timeStamp, status }: SignatureProof): SignatureFacts {
  return {
    ...signerFacts(signature),
    signType: signature.signType,
    tsp: tspFacts(timeStamp),
    ...(status === undefined ? {} : { ocsp: ocspFacts(status) }),
  }
}

/** What the certificate of a signer says. Throws `badSignerCertificate` for one without a personal number. */
export function signerFacts(signature: Pick<ReadSignature, 'signer' | 'signAlgorithm'>) {
  const { userId, ...rest } = holderFacts(signature)
  if (userId === undefined) throw signatureErrors.error('badSignerCertificate', { reason: 'userIdMissing' })
  return { userId, ...rest }
}

/** What the certificate of a signer says, who need not be a person. Throws `badSignerCertificate` for one that cannot be read. */
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

/** What a time stamp says, and who made it (specification, "TSP structure"). */
export const tspFacts = ({ genTime, policy, signer, signAlgorithm }: TimeStamp): TspFacts => ({
  timeStamp: genTime,
  timeStampPolicy: policy,
  ...certificateFacts(signer, signAlgorithm),
})

/** What an OCSP answer says, and who made it (specification, "OCSP structure"). */
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
