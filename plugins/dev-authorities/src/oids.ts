/** Algorithms (RFC 3279, 4055, 5758; Streebog by its national name). */
export const HASH_OIDS = {
  md5: '1.2.840.113549.2.5',
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
  /** With 512 bits, as goes with Ed448 (RFC 8419). */
  shake256: '2.16.840.1.101.3.4.2.18',
  streebog512: '1.2.398.3.10.1.3.3',
} as const

type SignatureOids = Readonly<Partial<Record<keyof typeof HASH_OIDS, string>>>

export const RSA_SIGNATURE_OIDS: SignatureOids = {
  md5: '1.2.840.113549.1.1.4',
  sha1: '1.2.840.113549.1.1.5',
  sha256: '1.2.840.113549.1.1.11',
  sha384: '1.2.840.113549.1.1.12',
  sha512: '1.2.840.113549.1.1.13',
}

export const ECDSA_SIGNATURE_OIDS: SignatureOids = {
  sha1: '1.2.840.10045.4.1',
  sha256: '1.2.840.10045.4.3.2',
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4',
}

/** National algorithm GOST 34.10-2015 with keys of 512 bits. */
export const GOST = {
  key: '1.2.398.3.10.1.1.2.2',
  curve: '1.2.398.3.10.1.1.2.2.1',
  signature: '1.2.398.3.10.1.1.2.3.2',
} as const

/** Content types and attributes of CMS, TSP and CAdES (RFC 5652, 3161, 5035, 5126). */
export const CMS = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  algorithmProtection: '1.2.840.113549.1.9.52',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  tstInfo: '1.2.840.113549.1.9.16.1.4',
  timeStampToken: '1.2.840.113549.1.9.16.2.14',
  revocationValues: '1.2.840.113549.1.9.16.2.24',
} as const

/** OCSP (RFC 6960). */
export const OCSP = {
  basic: '1.3.6.1.5.5.7.48.1.1',
  nonce: '1.3.6.1.5.5.7.48.1.2',
  noCheck: '1.3.6.1.5.5.7.48.1.5',
} as const

/** Extended key usages; the roles are those of the national certification authority. */
export const PURPOSES = {
  clientAuth: '1.3.6.1.5.5.7.3.2',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
  person: '1.2.398.3.3.4.1.1',
  organization: '1.2.398.3.3.4.1.2',
} as const

/** What an employee may do for the organization, as extended key usages. */
export const ROLES = {
  head: '1.2.398.3.3.4.1.2.1',
  signRight: '1.2.398.3.3.4.1.2.2',
  financeSignRight: '1.2.398.3.3.4.1.2.3',
  humanResources: '1.2.398.3.3.4.1.2.4',
  employee: '1.2.398.3.3.4.1.2.5',
  system: '1.2.398.3.3.4.1.2.6',
} as const

/** Certificate policies of the national certification authority. */
export const POLICIES = {
  organizationSigning: '1.2.398.3.3.2.1',
  organizationAuthentication: '1.2.398.3.3.2.2',
  personSigning: '1.2.398.3.3.2.3',
  personAuthentication: '1.2.398.3.3.2.4',
  timeStamping: '1.2.398.3.3.2.6.4',
} as const

/** Extension that names where the key is kept, and its value for a PKCS#12 file. */
export const KEY_STORAGE = '1.2.398.3.3.5'
export const KEY_STORAGE_PKCS12 = '1.2.398.3.3.5.1.1'
