import type { RegistryError } from './error.js'

/** Main indications of EN 319 102-1, 5.1.3; and `unsupported` for what is of a form that is not judged here. */
export type Indication = 'TOTAL-PASSED' | 'INDETERMINATE' | 'TOTAL-FAILED' | 'unsupported'

/** A format or feature that is not judged here. */
export type UnsupportedFeature =
  | 'pdf'
  | 'asic'
  | 'jades'
  | 'evidenceRecord'
  | 'transform'
  | 'manifest'
  | 'counterSignature'
  | 'externalReference'
  | 'reference'
  | 'algorithm'
  | 'format'
  | 'size'

/** What is not judged, and what to do about it. */
export interface Unsupported {
  readonly feature: UnsupportedFeature
  /** In English, one sentence for people. */
  readonly advice: string
}

/** Sub-indications of EN 319 102-1, 5.1.3, tables 5 and 6, as far as they are given here. */
export type SubIndication =
  | 'FORMAT_FAILURE'
  | 'HASH_FAILURE'
  | 'SIG_CRYPTO_FAILURE'
  | 'NOT_YET_VALID'
  | 'SIG_CONSTRAINTS_FAILURE'
  | 'CHAIN_CONSTRAINTS_FAILURE'
  | 'CERTIFICATE_CHAIN_GENERAL_FAILURE'
  | 'CRYPTO_CONSTRAINTS_FAILURE'
  | 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE'
  | 'NO_SIGNING_CERTIFICATE_FOUND'
  | 'NO_CERTIFICATE_CHAIN_FOUND'
  | 'REVOKED_NO_POE'
  | 'REVOKED_CA_NO_POE'
  | 'OUT_OF_BOUNDS_NO_POE'
  | 'NO_POE'
  | 'TRY_LATER'
  | 'SIGNED_DATA_NOT_FOUND'
  | 'TIMESTAMP_ORDER_FAILURE'

export interface Indicated {
  readonly indication: Indication
  readonly subIndication: SubIndication | undefined
}

const failed = (subIndication: SubIndication): Indicated => ({ indication: 'TOTAL-FAILED', subIndication })
const open = (subIndication: SubIndication): Indicated => ({ indication: 'INDETERMINATE', subIndication })

export const PASSED: Indicated = { indication: 'TOTAL-PASSED', subIndication: undefined }
export const NOT_COMPARED: Indicated = open('SIGNED_DATA_NOT_FOUND')

const BY_CODE: Readonly<Record<string, Indicated>> = {
  signatureNotParsed: failed('FORMAT_FAILURE'),
  signatureTypeNotSupported: failed('FORMAT_FAILURE'),
  setOrderNonconforming: failed('FORMAT_FAILURE'),
  signatureDoesNotCorrespond: failed('HASH_FAILURE'),
  signatureAlgorithmNotSupported: open('CRYPTO_CONSTRAINTS_FAILURE'),
  digestAlgorithmNotSupported: open('CRYPTO_CONSTRAINTS_FAILURE'),
  certificateSignatureAlgorithmNotSupported: open('CRYPTO_CONSTRAINTS_FAILURE'),
  algorithmNotTrusted: open('CRYPTO_CONSTRAINTS_FAILURE'),
  badSignerCertificate: open('CHAIN_CONSTRAINTS_FAILURE'),
  certificateIssuerUnknown: open('NO_CERTIFICATE_CHAIN_FOUND'),
  certificatePathNotBuilt: open('CERTIFICATE_CHAIN_GENERAL_FAILURE'),
  invalidTspTimeStamp: open('NO_POE'),
  invalidOcspData: open('TRY_LATER'),
  evidenceTimesDiffer: open('TRY_LATER'),
}

/** Refusals for what is only not judged here: reasons of `signatureNotParsed`, and those of other codes. */
const UNSUPPORTED: Readonly<Record<string, UnsupportedFeature>> = {
  ...reasonsOf('size', 'tooLarge', 'tooDeep', 'tooManyAttributes', 'tooManyNodes', 'tooManyElements', 'tooManyObjects'),
  ...reasonsOf('size', 'tooManyPrefixes', 'tooManyCertificates', 'tooManySignatures', 'signatureValueTooLarge'),
  ...reasonsOf('size', 'canonicalFormTooLarge', 'overLimit'),
  ...reasonsOf('transform', 'transformNotAllowed', 'transformAfterCanonicalization'),
  ...reasonsOf('manifest', 'manifest'),
  ...reasonsOf('externalReference', 'externalReference'),
  ...reasonsOf('reference', 'externalFragment', 'xpointer', 'referenceWithoutUri', 'severalDocumentReferences'),
  ...reasonsOf('counterSignature', 'counterSignature', 'counterSignatureContent', 'nestedSignatures'),
  ...reasonsOf('format', 'enveloping', 'notSignatureAlone', 'doctype', 'encoding', 'pemLabel', 'notSignedData'),
  ...reasonsOf('pdf', 'pdf'),
  ...reasonsOf('asic', 'asic'),
  ...reasonsOf('jades', 'jades'),
  ...reasonsOf('evidenceRecord', 'evidenceRecord'),
  'invalidSignature signedAttributesMissing': 'format',
  'invalidSignature contentNotData': 'format',
  'signatureAlgorithmNotSupported unknown': 'algorithm',
  'signatureAlgorithmNotSupported unknownKey': 'algorithm',
  'signatureAlgorithmNotSupported hmac': 'algorithm',
  'signatureAlgorithmNotSupported maskGenerationFunction': 'algorithm',
  'signatureAlgorithmNotSupported canonicalizationMethod': 'algorithm',
  'digestAlgorithmNotSupported unknown': 'algorithm',
  'certificateSignatureAlgorithmNotSupported unknown': 'algorithm',
}

function reasonsOf(feature: UnsupportedFeature, ...reasons: string[]): Readonly<Record<string, UnsupportedFeature>> {
  return Object.fromEntries(reasons.map((reason) => [`signatureNotParsed ${reason}`, feature]))
}

/** What to do about each, in English. */
export const ADVICE: Readonly<Record<UnsupportedFeature, string>> = {
  pdf: 'Check the PDF by itself as a signed file: on the page /check, or by POST /api/checkFile.',
  asic: 'Check the container by itself as a signed file: on the page /check, or by POST /api/checkFile.',
  jades: 'JSON signatures (JAdES) cannot be verified here; ask the signer for a CMS or XML signature.',
  evidenceRecord: 'Evidence records (RFC 4998) cannot be verified here; give the signature that it was made for.',
  transform: 'Ask the signer for a signature without this transform: an enveloped one, or a detached CMS.',
  manifest: 'Signatures on a manifest cannot be verified here; ask for one on the document itself.',
  counterSignature:
    'Counter-signatures are verified where EN 319 132-1 has them, on a signature alone; give it without this one.',
  externalReference: 'Give the files that the signature refers to together with it.',
  reference:
    'Ask the signer for a signature whose references are to the whole document, to an identifier or to a file.',
  algorithm: 'Ask the signer for an algorithm that is listed in docs/verifier.md.',
  format: 'Ask the signer for a CMS with signed attributes (CAdES) over plain data, or for an XML signature (XAdES).',
  size: 'Give a smaller signature: detached, and with no more certificates and evidence than it needs.',
}

/** The format or feature that a refusal is for, and what to do; `undefined` where what was judged is wrong. */
export function unsupportedIn({ code, details }: RegistryError): Unsupported | undefined {
  const feature = UNSUPPORTED[`${code} ${String(details?.reason)}`]
  return feature && { feature, advice: ADVICE[feature] }
}

const BY_REASON: Readonly<Record<string, Indicated>> = {
  'invalidSignature digest': failed('HASH_FAILURE'),
  'invalidSignature messageDigest': failed('HASH_FAILURE'),
  'invalidSignature signatureValue': failed('SIG_CRYPTO_FAILURE'),
  'signatureDoesNotCorrespond coversElement': open('SIG_CONSTRAINTS_FAILURE'),
  'signatureDoesNotCorrespond digestMissing': open('SIGNED_DATA_NOT_FOUND'),
  'invalidSignature signingCertificate': open('SIG_CONSTRAINTS_FAILURE'),
  'badSignerCertificate certificateMissing': open('NO_SIGNING_CERTIFICATE_FOUND'),
  'badSignerCertificate certificateAmbiguous': open('NO_SIGNING_CERTIFICATE_FOUND'),
  'signerCertificateNotValidNow expired': open('OUT_OF_BOUNDS_NO_POE'),
  'invalidCertificateStatus revoked': open('REVOKED_NO_POE'),
  'invalidSignature referenceTargetMissing': open('SIGNED_DATA_NOT_FOUND'),
  'invalidTspTimeStamp order': open('TIMESTAMP_ORDER_FAILURE'),
}

/**
 * What a refusal means in EN 319 102-1, 5.1.3. `proven` tells that a time stamp shows the signature to be no younger
 * than the time it was judged at: a certificate that was not valid yet then cannot have made it.
 */
export function indicationOf(refusal: RegistryError, proven: boolean): Indicated {
  const { code, details } = refusal
  const reason = String(details?.reason)
  if (unsupportedIn(refusal) !== undefined) return { indication: 'unsupported', subIndication: undefined }
  if (hasEnded(refusal)) return open('CRYPTO_CONSTRAINTS_FAILURE_NO_POE')
  if (code === 'invalidCertificateStatus' && reason === 'revoked' && details?.isAuthority === true)
    return open('REVOKED_CA_NO_POE')
  const exact = BY_REASON[`${code} ${reason}`]
  if (exact !== undefined) return exact
  if (code === 'signerCertificateNotValidNow') return proven ? failed('NOT_YET_VALID') : open('OUT_OF_BOUNDS_NO_POE')
  if (code === 'invalidCertificateStatus') return open('TRY_LATER')
  return BY_CODE[code] ?? failed('FORMAT_FAILURE')
}

/** Whether it is for an algorithm that was trusted once: what is older than its end is good, which nothing proves here. */
export const hasEnded = ({ code, details }: RegistryError): boolean =>
  code === 'algorithmNotTrusted' && typeof details?.trustedUntil === 'number' && details.trustedUntil > 0

const RANK: Readonly<Record<Indication, number>> = {
  'TOTAL-PASSED': 0,
  unsupported: 1,
  INDETERMINATE: 2,
  'TOTAL-FAILED': 3,
}

/** The worst of several, of equals the first. */
export const worstOf = (all: readonly Indicated[]): Indicated =>
  all.reduce((worst, one) => (RANK[one.indication] > RANK[worst.indication] ? one : worst), all[0] ?? PASSED)
