/** Object identifiers of CMS (RFC 5652) and CAdES (RFC 5126, RFC 5035). */
export const cmsOids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  algorithmProtection: '1.2.840.113549.1.9.52',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  signatureTimeStamp: '1.2.840.113549.1.9.16.2.14',
  certificateValues: '1.2.840.113549.1.9.16.2.23',
  revocationValues: '1.2.840.113549.1.9.16.2.24',
  contentTimeStamp: '1.2.840.113549.1.9.16.2.20',
  /** OtherRevocationInfoFormat of OCSP answers (RFC 5940, 2.1). */
  ocspRevocationInfo: '1.3.6.1.5.5.7.16.2',
} as const

/** Attributes with archive time stamps that are judged, by their form (RFC 5126, 6.4.1; EN 319 122-1, 5.5.3). */
export const archiveForms: ReadonlyMap<string, 'v2' | 'v3'> = new Map([
  ['1.2.840.113549.1.9.16.2.48', 'v2'],
  ['0.4.0.1733.2.4', 'v3'],
])

/** Attributes with archive time stamps (EN 319 122-1, 5.5, annexes A.2.4 to A.2.6), and with evidence records (RFC 5276). */
export const archiveOids: ReadonlyMap<string, 'archiveTimeStamp' | 'evidenceRecord'> = new Map([
  ['1.2.840.113549.1.9.16.2.27', 'archiveTimeStamp'],
  ['1.2.840.113549.1.9.16.2.48', 'archiveTimeStamp'],
  ['0.4.0.1733.2.4', 'archiveTimeStamp'],
  ['0.4.0.1733.2.2', 'archiveTimeStamp'],
  ['1.2.840.113549.1.9.16.2.25', 'archiveTimeStamp'],
  ['1.2.840.113549.1.9.16.2.26', 'archiveTimeStamp'],
  ['1.2.840.113549.1.9.16.2.49', 'evidenceRecord'],
  ['1.2.840.113549.1.9.16.2.50', 'evidenceRecord'],
])
