import { type AlgorithmIdentifier, readAlgorithmIdentifier } from '../algorithms/algorithm-identifier.js'
import {
  contextConstructed,
  expectTag,
  fieldsOf,
  INTEGER,
  OBJECT_IDENTIFIER,
  OCTET_STRING,
  SEQUENCE,
  SET,
} from '../der/fields.js'
import { readSmallInteger } from '../der/integer.js'
import { readOid } from '../der/oid.js'
import { children, contents, type DerElement, DerError, readDer } from '../der/reader.js'
import { Certificate } from '../x509/certificate.js'
import { normalizeCms } from './normalize-cms.js'
import { cmsOids } from './oids.js'
import { OTHER_REVOCATION_INFO } from './revocation-info.js'
import { readSignerInfo, type SignerInfo } from './signer-info.js'

const MAX_DIGEST_ALGORITHMS = 16
export const MAX_CERTIFICATES = 32
export const MAX_CRLS = 32
const MAX_SIGNERS = 16

/** A view of ContentInfo with SignedData (RFC 5652, 3 and 5.1): nothing is copied and nothing in it is trusted. */
export interface SignedData {
  /** The ContentInfo in DER. */
  readonly der: Uint8Array
  /** The elements of SignedData as encoded. */
  readonly parts: SignedDataParts
  readonly version: number
  readonly digestAlgorithms: readonly AlgorithmIdentifier[]
  readonly contentType: string
  /** The encapsulated content, `undefined` when detached. */
  readonly content: Uint8Array | undefined
  /** The embedded certificates without duplicates. */
  readonly certificates: readonly Certificate[]
  readonly signerInfos: readonly SignerInfo[]
}

/** The components of SignedData, for reencoding with unsigned parts replaced. */
export interface SignedDataParts {
  readonly version: DerElement
  readonly digestAlgorithms: DerElement
  readonly encapContentInfo: DerElement
  readonly certificates: DerElement | undefined
  readonly crls: DerElement | undefined
  readonly signerInfos: DerElement
}

/**
 * Reads a CMS, DER or BER; the result is a view of its DER form. Signed parts must be DER already (see `normalizeCms`). At most 32 certificates, 32 revocation lists, 16 signers. Throws DerError.
 */
export function readSignedData(bytes: Uint8Array): SignedData {
  try {
    return readDerSignedData(bytes)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    const der = normalizeCms(bytes)
    if (Buffer.compare(der, bytes) === 0) throw error
    return readDerSignedData(der)
  }
}

function readDerSignedData(der: Uint8Array): SignedData {
  const outer = fieldsOf(readDer(der))
  if (readOid(outer.take(OBJECT_IDENTIFIER)) !== cmsOids.signedData)
    throw new DerError('content is not SignedData', { reason: 'notSignedData' })
  const inner = outer.explicit(contextConstructed(0))
  outer.finish()
  if (inner === undefined) throw new DerError('SignedData is missing')
  const parts = readParts(inner)
  const { contentType, content } = readEncapsulated(parts.encapContentInfo)
  const signed: SignedData = {
    der,
    parts,
    version: readSmallInteger(parts.version),
    digestAlgorithms: children(parts.digestAlgorithms, MAX_DIGEST_ALGORITHMS).map(readAlgorithmIdentifier),
    contentType,
    content,
    certificates: readCertificates(parts.certificates),
    signerInfos: children(parts.signerInfos, MAX_SIGNERS).map(readSignerInfo),
  }
  if (parts.crls !== undefined) children(parts.crls, MAX_CRLS)
  if (!fits(signed.version, versionOf([signed]))) throw new DerError('version of SignedData does not fit what it has')
  return signed
}

function readParts(element: DerElement): SignedDataParts {
  const fields = fieldsOf(element)
  const parts: SignedDataParts = {
    version: fields.take(INTEGER),
    digestAlgorithms: fields.take(SET),
    encapContentInfo: fields.take(SEQUENCE),
    certificates: fields.takeIf(contextConstructed(0)),
    crls: fields.takeIf(contextConstructed(1)),
    signerInfos: fields.take(SET),
  }
  fields.finish()
  return parts
}

function readEncapsulated(element: DerElement): Pick<SignedData, 'contentType' | 'content'> {
  const fields = fieldsOf(element)
  const contentType = readOid(fields.take(OBJECT_IDENTIFIER))
  const content = fields.explicit(contextConstructed(0))
  fields.finish()
  return { contentType, content: content && contents(expectTag(content, OCTET_STRING)) }
}

/** Attribute certificates and other choices of CertificateChoices are refused. */
function readCertificates(set: DerElement | undefined): readonly Certificate[] {
  if (set === undefined) return []
  const found: Certificate[] = []
  for (const element of children(set, MAX_CERTIFICATES)) {
    const certificate = Certificate.read(element)
    if (!found.some(({ der }) => Buffer.compare(der, certificate.der) === 0)) found.push(certificate)
  }
  return found
}

/** PAdES signers write version 3 for content type data too, where RFC 5652, 5.1 demands 1. */
const fits = (version: number, due: number): boolean => version === due || (version === 3 && due === 1)

/** The version of a SignedData with all of these (RFC 5652, 5.1); 5 with revocation information other than CRLs. */
export function versionOf(all: readonly Pick<SignedData, 'parts' | 'contentType' | 'signerInfos'>[]): number {
  const infos = all.flatMap(({ parts }) => (parts.crls === undefined ? [] : children(parts.crls)))
  if (infos.some(({ tag }) => tag === OTHER_REVOCATION_INFO)) return 5
  const isOfThree = all.some(
    ({ contentType, signerInfos }) => contentType !== cmsOids.data || signerInfos.some(({ version }) => version === 3),
  )
  return isOfThree ? 3 : 1
}
