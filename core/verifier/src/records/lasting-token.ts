import { distinct, elementsOf } from '../cms/elements.js'
import { OTHER_REVOCATION_INFO, writeOcspInfo } from '../cms/revocation-info.js'
import { MAX_CERTIFICATES, MAX_CRLS, readSignedData } from '../cms/signed-data.js'
import { writeSignedData } from '../cms/without-content.js'
import { contextConstructed } from '../der/fields.js'
import { writeSetOf, writeUnsigned } from '../der/writer.js'
import type { TimeStamp } from '../timestamp/verify-time-stamp.js'
import type { Crl } from '../x509/crl.js'

/** What tells the status of the authorities above a time stamp. */
export interface TokenEvidence {
  readonly crls: readonly Crl[]
  /** BasicOCSPResponse, each. */
  readonly answers?: readonly Uint8Array[]
}

/**
 * A time-stamp token that carries what it is verified with: the certificates of its path, and the CRLs of their issuers (RFC 4998,
 * 5.2: before it is renewed). What was signed stays as it is; written again it is the same.
 */
export function lastingToken({ token, path }: Pick<TimeStamp, 'token' | 'path'>, evidence: TokenEvidence): Uint8Array {
  const { parts, version } = readSignedData(token)
  const issuers = path.certificates.slice(1)
  const crls = evidence.crls.filter(({ issuer }) => issuers.some(({ subject }) => subject.equals(issuer)))
  const certificates = distinct([...elementsOf(parts.certificates), ...path.certificates.map(({ der }) => der)])
  const revocations = distinct([
    ...elementsOf(parts.crls),
    ...crls.map(({ der }) => der),
    ...(evidence.answers ?? []).map(writeOcspInfo),
  ]).slice(0, MAX_CRLS)
  const hasOther = revocations.some(([tag]) => tag === OTHER_REVOCATION_INFO)
  return writeSignedData(parts, {
    version: hasOther && version < WITH_OTHER ? writeUnsigned(Uint8Array.of(WITH_OTHER)) : undefined,
    certificates: writeSetOf(contextConstructed(0), certificates.slice(0, MAX_CERTIFICATES)),
    crls: revocations.length === 0 ? undefined : writeSetOf(contextConstructed(1), revocations),
  })
}

/** Version of a SignedData with revocation information that is no CRL (RFC 5652, 5.1). */
const WITH_OTHER = 5
