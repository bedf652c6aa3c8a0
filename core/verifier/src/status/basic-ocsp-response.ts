import { type AlgorithmIdentifier, readAlgorithmIdentifier } from '../algorithms/algorithm-identifier.js'
import { readBitStringBytes } from '../der/bit-string.js'
import {
  context,
  contextConstructed,
  DerFields,
  expectTag,
  fieldsOf,
  OCTET_STRING,
  only,
  SEQUENCE,
} from '../der/fields.js'
import { children, contents, type DerElement, DerError, encoded, readDer } from '../der/reader.js'
import { readGeneralizedTime } from '../der/time.js'
import { type ExtensionTable, noExtensions, readExtensionTable } from '../x509/extension-table.js'
import { Name } from '../x509/name.js'
import { type RevocationReason, readRevocationReason } from '../x509/revoked-entry.js'
import { type CertId, readCertId } from './cert-id.js'

/** A responder's signed statement (RFC 6960 section 4.2.1). Read, not yet judged. */
export interface BasicOcspResponse {
  /** What is signed: the whole encoding of `tbsResponseData`. */
  readonly tbs: Uint8Array
  readonly responder: ResponderId
  /** Milliseconds since the epoch. */
  readonly producedAt: number
  readonly responses: readonly SingleResponse[]
  readonly extensions: ExtensionTable
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  /** DER certificates, as embedded. */
  readonly certificates: readonly Uint8Array[]
}

/** The responder by its name or by the SHA-1 of its key. */
export type ResponderId = { readonly name: Name } | { readonly keyHash: Uint8Array }

/** Status of one certificate. */
export interface SingleResponse {
  readonly certId: CertId
  readonly status: 'good' | 'unknown' | Revocation
  readonly thisUpdate: number
  readonly nextUpdate: number | undefined
  readonly extensions: ExtensionTable
}

/** When and why a certificate was revoked. */
export interface Revocation {
  /** Milliseconds since the epoch. */
  readonly revokedAt: number
  readonly reason: RevocationReason | undefined
}

const MAX_RESPONSES = 64
const MAX_CERTIFICATES = 16

/** Reads a DER `BasicOCSPResponse`; throws `DerError`. */
export function readBasicOcspResponse(der: Uint8Array): BasicOcspResponse {
  const fields = fieldsOf(readDer(der))
  const tbs = fields.take(SEQUENCE)
  const signatureAlgorithm = readAlgorithmIdentifier(fields.take(SEQUENCE))
  const signature = readBitStringBytes(fields.any())
  const certificates = fields.explicit(contextConstructed(0))
  fields.finish()
  return {
    tbs: encoded(tbs),
    ...readResponseData(tbs),
    signatureAlgorithm,
    signature,
    certificates: certificates ? sequenceOf(certificates, MAX_CERTIFICATES).map(encoded) : [],
  }
}

function readResponseData(element: DerElement) {
  const fields = fieldsOf(element)
  if (fields.tag === contextConstructed(0)) throw new DerError('OCSP response version is not 1, or a coded default')
  const responder = readResponderId(fields.any())
  const producedAt = readGeneralizedTime(fields.any())
  const responses = sequenceOf(fields.any(), MAX_RESPONSES).map(readSingleResponse)
  const extensions = fields.explicit(contextConstructed(1))
  fields.finish()
  return { responder, producedAt, responses, extensions: extensions ? readExtensionTable(extensions) : noExtensions }
}

function readResponderId(element: DerElement): ResponderId {
  const inner = only(element)
  if (element.tag === contextConstructed(1) && inner.tag === SEQUENCE) return { name: Name.readKnown(inner) }
  if (element.tag === contextConstructed(2) && inner.tag === OCTET_STRING) return { keyHash: contents(inner) }
  throw new DerError('ResponderID is of another type')
}

function readSingleResponse(element: DerElement): SingleResponse {
  const fields = fieldsOf(element)
  const certId = readCertId(fields.any())
  const status = readStatus(fields.any())
  const thisUpdate = readGeneralizedTime(fields.any())
  const nextUpdate = fields.explicit(contextConstructed(0))
  const extensions = fields.explicit(contextConstructed(1))
  fields.finish()
  return {
    certId,
    status,
    thisUpdate,
    nextUpdate: nextUpdate && readGeneralizedTime(nextUpdate),
    extensions: extensions ? readExtensionTable(extensions) : noExtensions,
  }
}

function readStatus(element: DerElement): SingleResponse['status'] {
  if (element.tag === contextConstructed(1)) {
    const fields = new DerFields(element)
    const revokedAt = readGeneralizedTime(fields.any())
    const reason = fields.explicit(contextConstructed(0))
    fields.finish()
    return { revokedAt, reason: reason && readRevocationReason(reason) }
  }
  if (element.end !== element.content) throw new DerError('CertStatus is not empty')
  if (element.tag === context(0)) return 'good'
  if (element.tag === context(2)) return 'unknown'
  throw new DerError('CertStatus is of another type')
}

function sequenceOf(element: DerElement, limit: number): DerElement[] {
  const elements = children(expectTag(element, SEQUENCE), limit)
  if (elements.length === 0) throw new DerError('sequence is empty')
  return elements
}
