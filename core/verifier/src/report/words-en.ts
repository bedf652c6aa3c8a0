import { ADVICE, type UnsupportedFeature } from '../indication.js'
import type { UnusedEvidence } from '../signature.js'
import { capital, signatureTerms as terms } from '../terms.js'
import type { Missing, SignerVerdict } from '../verdict.js'
import type { Outcome } from '../verify-files.js'
import { type EvidenceWords, evidence } from './evidence/words-en.js'
import type { Finding } from './finding.js'

/** What stands before facts. */
const label = {
  title: 'Report on electronic digital signatures (EDS)',
  judgedAt: 'Verified as of',
  utc: 'All times are UTC.',
  rules: 'Rules',
  verifier: 'Verifier',
  algorithms: 'Algorithms',
  inputs: 'Files',
  file: 'File',
  size: 'Size',
  bytes: 'bytes',
  digest: capital(terms.hash.en),
  givenDigest: 'the hashes were given by the person who asked; the file itself was not here',
  signatures: 'Signatures',
  documents: 'Documents',
  signedBy: 'signed by',
  partSigned: 'something was added after it was signed: only a part of it is signed',
  nobodySigned: 'nobody signed this document',
  signature: capital(terms.signature.en),
  signer: 'Signer',
  serialNumber: 'serial number',
  person: 'Person',
  organization: capital(terms.organization.en),
  certificate: capital(terms.registrationCertificate.en),
  when: 'When',
  noTimeStamp: 'no time stamp: nothing proves when it was signed',
  timeStamp: capital(terms.timeStamp.en),
  authority: capital(terms.timeStampAuthority.en),
  policy: 'policy',
  status: capital(terms.certificateStatus.en),
  responder: 'OCSP responder',
  producedAt: 'produced at',
  thisUpdate: 'as of',
  crlOf: 'CRL of',
  path: 'Certificates, from the signer to the trust anchor',
  anchor: 'trust anchor',
  document: capital(terms.document.en),
  over: 'Signed document',
  coverage: 'What is signed',
  counterSignature: 'counter-signature on another signature',
  wholeContent: 'the whole content',
  ranges: 'bytes',
  references: 'URIs',
  signedDigest: 'Signed hash',
  algorithm: 'Signature algorithm',
  missing: 'Missing',
  unasked: 'Certificates not checked for revocation',
  unused: 'Evidence not taken into account',
  ignored: 'Attributes not taken into account',
  checks: 'What was checked',
  passed: 'passed',
  failed: 'failed',
  refusal: 'Refused because',
  next: 'What to do',
  none: 'none',
  bundleProblems: `What is wrong with the ${terms.evidenceBundle.en}`,
  registrySays: 'What the registry says',
  registryWord: 'The signatures do not prove this: the registry wrote it in evidence.json.',
  statementBy: 'Whose word it is',
  registry: 'Registry',
  registryKey: 'Key of the registry',
  asOf: 'As of',
  package: 'Package',
  identifier: 'Identifier',
  registered: 'Registered',
  original: capital(terms.original.en),
  records: 'Evidence records (RFC 4998)',
  existedAt: 'Existed at the latest',
  holdsUntil: 'Proved until, if it is not renewed',
  recordChains: 'Chains, and when they were stamped',
  log: 'Transparency log',
  logEntry: 'Entry',
  loggedBefore: 'Logged before',
  loggedAfter: 'Logged after',
  hashesNotLogged: 'Hashes that are not in the log',
  witnesses: 'Witnesses',
  trust: 'Trust',
  hashes: 'Hashes',
}

/** Languages that reports are written in. */
export type ReportLanguage = 'en' | 'ru' | 'kk'

/** Words of reports in one language. */
export interface ReportWords {
  /** What all files come to. */
  readonly outcome: Readonly<Record<Outcome, string>>
  /** What one signature comes to: what is so, and what to do about it. */
  readonly finding: Readonly<Record<Finding, { readonly says: string; readonly next?: string }>>
  /** What to do about a format or feature that cannot be verified here. */
  readonly advice: Readonly<Record<UnsupportedFeature, string>>
  readonly document: Readonly<Record<SignerVerdict['document'], string>>
  readonly missing: Readonly<Record<Missing, string>>
  readonly unused: Readonly<Record<UnusedEvidence['kind'], string>>
  /** What was looked at, by the names of checks. */
  readonly check: Readonly<Record<string, string>>
  readonly evidence: EvidenceWords
  /** What stands before the facts. */
  readonly label: Readonly<Record<keyof typeof label, string>>
}

/** English. What `finding` says fits on one line of a terminal. */
export const en: ReportWords = {
  outcome: {
    proved: 'Proved: every signature is valid, and every document is signed.',
    unknown: 'Not proved: something is missing.',
    wrong: 'Wrong: at least one signature is not valid.',
  },
  finding: {
    validAt: { says: 'Proved: valid, and made no later than the time below.' },
    validNow: {
      says: 'Valid as of now; nothing proves when it was made.',
      next: 'Get a time stamp: without one it can be verified only while the certificate is valid.',
    },
    notGiven: {
      says: 'Not proved: the signed document was not given.',
      next: 'Give the signed file together with the signature.',
    },
    otherDocument: {
      says: 'WRONG: this is another document, or it was changed.',
      next: 'Ask for the file as it was when it was signed.',
    },
    wrongValue: {
      says: 'WRONG: the signature does not match its key.',
      next: 'Do not rely on it. Ask the signer for the signature again.',
    },
    malformed: {
      says: 'WRONG: it is damaged and cannot be read as a signature.',
      next: 'Ask for the file again, unchanged.',
    },
    partOnly: {
      says: 'Not proved: only a part of the document is signed.',
      next: 'Read only what was signed, see the report: anybody may have written the rest.',
    },
    constraints: {
      says: 'Not proved: it does not name its certificate as the rules demand.',
      next: 'Ask the signer to sign again with a current program.',
    },
    revoked: {
      says: 'Not proved: the certificate was revoked, perhaps before signing.',
      next: 'Ask for a time stamp of the signature from before the revocation.',
    },
    authorityRevoked: {
      says: 'Not proved: an authority above was revoked, perhaps before signing.',
      next: 'Ask for a time stamp of the signature from before the revocation.',
    },
    outOfValidity: {
      says: 'Not proved: a certificate had expired or was not valid yet.',
      next: 'Ask for proof of the time: a time stamp from when the certificate was valid.',
    },
    notYetValid: {
      says: 'WRONG: it was made before its certificate became valid.',
      next: 'Do not rely on it. Ask the signer for the signature again.',
    },
    timeStamp: {
      says: 'Not proved: its time stamp proves nothing.',
      next: 'Ask for the signature with a time stamp from a trusted authority.',
    },
    timeStampOrder: {
      says: 'Not proved: its time stamps contradict each other.',
      next: 'Ask for the signature with another time stamp.',
    },
    status: {
      says: 'Not proved: nothing shows that the certificate was valid then.',
      next: 'Get its status: an OCSP answer, or a CRL beside the trusted certificates.',
    },
    issuerUnknown: {
      says: 'Not proved: the issuer of the certificate is not trusted here.',
      next: 'If you trust that authority, add its certificates to the trusted ones.',
    },
    path: {
      says: 'Not proved: the certificates do not lead to a trusted authority.',
      next: 'Check the certificates with the authority that issued them.',
    },
    usage: {
      says: 'Not proved: the certificate is not meant for signing documents.',
      next: 'Ask for a signature with a certificate for signing.',
    },
    algorithm: {
      says: 'Not proved: an algorithm or key is not trusted.',
      next: 'Ask for a signature with a current algorithm.',
    },
    algorithmEnded: {
      says: 'Not proved: an algorithm or key is no longer trusted.',
      next: 'Ask for proof that it is older, such as an evidence record or archive time stamp.',
    },
    noCertificate: {
      says: 'Not proved: it does not say which certificate it was made with.',
      next: 'Ask for the signature with its certificate.',
    },
    unsupported: { says: 'Not verified: signatures of this kind cannot be verified here.' },
    unknown: { says: 'Not proved: there is too little to tell.', next: 'Look at the details.' },
    wrong: { says: 'WRONG: it is not valid.', next: 'Do not rely on it.' },
  },
  advice: ADVICE,
  document: {
    carried: 'part of the signed file',
    matches: 'is what was signed',
    differs: 'is not what was signed',
    notCompared: 'was not given',
    unknown: 'could not be determined',
  },
  missing: {
    document: `the ${terms.document.en}`,
    signingCertificate: 'the name of the certificate in what was signed',
    timeStamp: `a ${terms.timeStamp.en}`,
    status: `the ${terms.certificateStatus.en}`,
    chainStatus: 'the status of issuing authorities',
    timeStampStatus: 'the status of the time-stamping authority',
  },
  unused: {
    timeStamp: terms.timeStamp.en,
    contentTimeStamp: 'content time stamp',
    archiveTimeStamp: 'archive time stamp',
    ocsp: 'OCSP answer',
    crl: terms.revocationList.en,
    evidenceRecord: 'evidence record',
    revocationValues: 'revocation values',
  },
  check: {
    document: 'the document is the signed one',
    signatureValue: 'the value matches the key',
    algorithms: 'algorithms are trusted',
    signerUsage: 'the certificate is for signing',
    signingCertificate: 'the signature names its certificate',
    timeStamp: `the ${terms.timeStamp.en}`,
    path: 'the path to a trust anchor',
    status: `the ${terms.certificateStatus.en}`,
    chainStatus: 'the status of issuing authorities',
  },
  evidence,
  label,
}
