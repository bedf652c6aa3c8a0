import { writeSignedData } from '../cms/content-of-cms.js'
import { distinct, elementsOf } from '../cms/elements.js'
import { OTHER_REVOCATION_INFO, writeOcspInfo } from '../cms/revocation-info.js'
import { MAX_CERTIFICATES, MAX_CRLS, readSignedData } from '../cms/signed-data.js'
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

/** A token is read up to 256 KiB: what others need less than its certificates is left out before that. */
const MAX_BYTES = 192 * 1024

/**
 * A time-stamp token that carries what it is verified with: the certificates of its path, an answer about its authority and the CRLs
 * of their issuers, as far as there is room (RFC 4998, 5.2: before it is renewed). What was signed stays as it is; a token that
 * carries such news already stays so, and written again it is the same.
 */
export function lastingToken({ token, path }: Pick<TimeStamp, 'token' | 'path'>, evidence: TokenEvidence): Uint8Array {
  const { parts, version } = readSignedData(token)
  const certificates = distinct([...elementsOf(parts.certificates), ...path.certificates.map(({ der }) => der)])
  const carried = elementsOf(parts.crls)
  const room = MAX_BYTES - token.length - lengthOf(certificates)
  const revocations = carried.length > 0 ? carried : fitting(newsOf(path, evidence), room)
  const hasOther = revocations.some(([tag]) => tag === OTHER_REVOCATION_INFO)
  return writeSignedData(parts, {
    version: hasOther && version < WITH_OTHER ? writeUnsigned(Uint8Array.of(WITH_OTHER)) : undefined,
    certificates: writeSetOf(contextConstructed(0), certificates.slice(0, MAX_CERTIFICATES)),
    crls: revocations.length === 0 ? undefined : writeSetOf(contextConstructed(1), revocations),
  })
}

/** Answers first, since CRLs may be long. */
function newsOf({ certificates }: TimeStamp['path'], { crls, answers = [] }: TokenEvidence): Uint8Array[] {
  const issuers = certificates.slice(1)
  const own = crls.filter(({ issuer }) => issuers.some(({ subject }) => subject.equals(issuer)))
  const byLength = own.map(({ der }) => der).sort((one, other) => one.length - other.length)
  return distinct([...answers.map(writeOcspInfo), ...byLength]).slice(0, MAX_CRLS)
}

function fitting(all: readonly Uint8Array[], room: number): Uint8Array[] {
  let left = room
  return all.filter(({ length }) => {
    left -= length
    return left >= 0
  })
}

const lengthOf = (all: readonly Uint8Array[]): number => all.reduce((sum, { length }) => sum + length, 0)

/** Version of a SignedData with revocation information that is no CRL (RFC 5652, 5.1). */
const WITH_OTHER = 5
