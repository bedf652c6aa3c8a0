import type { Certificate, Coverage, FilesVerdict, Identity, RegistryError } from '@signed-registry/verifier'
import { isNotDer, readIdentity, signatureErrors } from '@signed-registry/verifier'
import type { ShownCertificate, ShownSignature } from '../shown-signature.js'
import type { EvidenceQuestion } from './question.js'

type Judged = FilesVerdict['signatures'][number]

/** A verdict as it is sent to the page: plain data, without certificates and evidence. */
export function shownSignature(judged: Judged, language: EvidenceQuestion['language']): ShownSignature {
  const { file, indication, time, document, coverage, signature, proof, missing, unused, unsupported, refusal } = judged
  return {
    ...{ file, indication, time, document, missing },
    ...(coverage && { coverage: shownCoverage(coverage) }),
    ...(signature && { signer: shownSigner(signature.signer) }),
    ...(proof?.timeStamp && { tsp: shownCertificate(proof.timeStamp.signer) }),
    ...(proof?.status && { ocsp: shownCertificate(proof.status.responder) }),
    unasked: judged.unasked.map(shownCertificate),
    unused: unused.map(({ kind, reason, time: made }) => ({ kind, reason, ...(made !== undefined && { time: made }) })),
    ...(unsupported && { unsupported }),
    checks: judged.checks.map(({ check, at, outcome, reason }) => ({ check, at, outcome, ...(reason && { reason }) })),
    ...(refusal && { refusal: shownRefusal(refusal, language) }),
  }
}

const shownCertificate = ({ subject, serialNumber }: Certificate): ShownCertificate => ({
  subject: subject.toString(),
  subjectStructure: subject.rdns,
  serialNumber,
})

function shownSigner(certificate: Certificate): NonNullable<ShownSignature['signer']> {
  const { issuer } = certificate
  const { userId, businessId } = identityIn(certificate)
  return {
    ...shownCertificate(certificate),
    ...{ issuer: issuer.toString(), issuerStructure: issuer.rdns },
    ...(userId !== undefined && { userId }),
    ...(businessId !== undefined && { businessId }),
  }
}

/** Whom it names; nobody where its names cannot be read. */
function identityIn(certificate: Certificate): Partial<Identity> {
  try {
    return readIdentity(certificate)
  } catch (error) {
    if (isNotDer(error)) return {}
    throw error
  }
}

const shownCoverage = (coverage: Coverage): NonNullable<ShownSignature['coverage']> => ({
  of: coverage.of,
  ...(coverage.of === 'ranges' && { ranges: coverage.ranges }),
  ...(coverage.of === 'references' && { uris: coverage.uris }),
})

function shownRefusal(refusal: RegistryError, language: EvidenceQuestion['language']) {
  const { reason } = refusal.details ?? {}
  return {
    code: refusal.code,
    message: refusalSays(refusal, language),
    ...(typeof reason === 'string' && { reason }),
  }
}

/** A refusal in words of the visitor's language, from the verifier's own catalogue. */
export function refusalSays({ code, message }: RegistryError, language: EvidenceQuestion['language']): string {
  const text = Object.entries(signatureErrors.texts).find(([name]) => name === code)?.[1]
  const said = language === 'en' ? text?.message : text?.[language]
  return `${said ?? message}.`
}
