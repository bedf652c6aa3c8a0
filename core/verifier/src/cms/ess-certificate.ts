import { readDigestOid } from '../algorithms/algorithm-identifier.js'
import { digest } from '../algorithms/digest.js'
import {
  contextConstructed,
  type DerFields,
  expectTag,
  fieldsOf,
  INTEGER,
  OCTET_STRING,
  only,
  SEQUENCE,
} from '../der/fields.js'
import { integerBytes } from '../der/integer.js'
import { contents, type DerElement, DerError } from '../der/reader.js'
import type { Certificate } from '../x509/certificate.js'
import { Name } from '../x509/name.js'
import type { Attributes } from './attributes.js'
import { cmsOids } from './oids.js'

const SHA1 = '1.3.14.3.2.26'
const SHA256 = '2.16.840.1.101.3.4.2.1'

/** ESSCertID or ESSCertIDv2 (RFC 5035, 4 and 5.4.1). */
export interface EssCertificateId {
  readonly digestOid: string
  readonly hash: Uint8Array
  readonly issuerSerial?: { readonly issuer: Name; readonly serialBytes: Uint8Array }
}

/** Result of comparing a `signing-certificate` attribute with the signer's certificate. */
export type SigningCertificateVerdict = 'absent' | 'matches' | 'differs' | 'malformed'

/** The result for one of the attributes, and the OID of its digest. */
interface Comparison {
  readonly verdict: SigningCertificateVerdict
  readonly digestOid?: string
}

/** The results for both attributes, and the OIDs of the digests that match. */
export interface SigningCertificateComparison {
  readonly verdicts: { readonly v1: SigningCertificateVerdict; readonly v2: SigningCertificateVerdict }
  readonly namedBy: readonly string[]
}

/**
 * Compares the signer's certificate with the signed `signing-certificate` attributes: the first ESSCertID of each version
 * present must match its hash and, if given, issuer and serial number. Whether the digest is trusted is up to the policy.
 */
export function compareSigningCertificate(
  attributes: Attributes,
  certificate: Certificate,
): SigningCertificateComparison {
  const v1 = compare(attributes, cmsOids.signingCertificate, readEssCertificateId, certificate)
  const v2 = compare(attributes, cmsOids.signingCertificateV2, readEssCertificateIdV2, certificate)
  const namedBy = [v1, v2].flatMap(({ verdict, digestOid }) => (verdict === 'matches' && digestOid ? digestOid : []))
  return { verdicts: { v1: v1.verdict, v2: v2.verdict }, namedBy }
}

function compare(
  attributes: Attributes,
  oid: string,
  read: (element: DerElement) => EssCertificateId,
  certificate: Certificate,
): Comparison {
  if (!attributes.has(oid)) return { verdict: 'absent' }
  const value = attributes.single(oid)
  if (value === undefined) return { verdict: 'malformed' }
  try {
    const id = read(firstCertificateId(value))
    return { verdict: matchesEss(id, certificate) ? 'matches' : 'differs', digestOid: id.digestOid }
  } catch (error) {
    if (error instanceof DerError) return { verdict: 'malformed' }
    throw error
  }
}

/** SigningCertificate ::= SEQUENCE { certs SEQUENCE OF ESSCertID, policies SEQUENCE OF PolicyInformation OPTIONAL }. */
function firstCertificateId(value: DerElement): DerElement {
  const fields = fieldsOf(value)
  const certificates = fieldsOf(fields.take(SEQUENCE))
  fields.takeIf(SEQUENCE)
  fields.finish()
  return certificates.take(SEQUENCE)
}

/** Reads ESSCertID (SHA-1); throws DerError. */
const readEssCertificateId = (element: DerElement): EssCertificateId => readHash(fieldsOf(element), SHA1)

/** Reads ESSCertIDv2 (default SHA-256); throws DerError. */
function readEssCertificateIdV2(element: DerElement): EssCertificateId {
  const fields = fieldsOf(element)
  const algorithm = fields.takeIf(SEQUENCE)
  if (algorithm === undefined) return readHash(fields, SHA256)
  return readHash(fields, readDigestOid(algorithm))
}

function readHash(fields: DerFields, digestOid: string): EssCertificateId {
  const hash = contents(fields.take(OCTET_STRING))
  const issuerSerial = fields.takeIf(SEQUENCE)
  fields.finish()
  return { digestOid, hash, ...(issuerSerial === undefined ? {} : { issuerSerial: readIssuerSerial(issuerSerial) }) }
}

/** IssuerSerial ::= SEQUENCE { issuer GeneralNames, serialNumber INTEGER }; the issuer is one directory name. */
function readIssuerSerial(element: DerElement): NonNullable<EssCertificateId['issuerSerial']> {
  const fields = fieldsOf(element)
  const issuer = Name.readKnown(only(expectTag(only(fields.take(SEQUENCE)), contextConstructed(4))))
  const serialBytes = integerBytes(fields.take(INTEGER))
  fields.finish()
  return { issuer, serialBytes }
}

/** Whether an ESSCertID identifies a certificate. */
function matchesEss({ digestOid, hash, issuerSerial }: EssCertificateId, certificate: Certificate): boolean {
  const own = digestOid === SHA256 ? Buffer.from(certificate.fingerprint, 'hex') : digest(digestOid, certificate.der)
  if (!own.equals(hash)) return false
  if (issuerSerial === undefined) return true
  return (
    Buffer.compare(issuerSerial.serialBytes, certificate.serialBytes) === 0 &&
    issuerSerial.issuer.equals(certificate.issuer)
  )
}
