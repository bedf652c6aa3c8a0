import { readDigestOid } from '../algorithms/algorithm-identifier.js'
import { digest, digestAlgorithms } from '../algorithms/digest.js'
import { fieldsOf, INTEGER, OCTET_STRING } from '../der/fields.js'
import { integerBytes } from '../der/integer.js'
import { contents, type DerElement } from '../der/reader.js'
import { writeDigestAlgorithm, writeElement, writeOctetString, writeSequence } from '../der/writer.js'
import { ocspRefusal } from '../evidence-refusal.js'
import type { Certificate } from '../x509/certificate.js'

/** Names one certificate by its serial number and digests of its issuer's name and key (RFC 6960 section 4.1.1). */
export interface CertId {
  readonly digestOid: string
  readonly issuerNameHash: Uint8Array
  readonly issuerKeyHash: Uint8Array
  /** Content octets of the INTEGER. */
  readonly serialBytes: Uint8Array
}

/** Reads a CertID; throws `DerError`. */
export function readCertId(element: DerElement): CertId {
  const fields = fieldsOf(element)
  const digestOid = readDigestOid(fields.any())
  const issuerNameHash = contents(fields.take(OCTET_STRING))
  const issuerKeyHash = contents(fields.take(OCTET_STRING))
  const serialBytes = integerBytes(fields.take(INTEGER))
  fields.finish()
  return { digestOid, issuerNameHash, issuerKeyHash, serialBytes }
}

/** The DER `CertID` of a certificate. */
export function buildCertId(certificate: Certificate, issuer: Certificate, digestOid: string): Uint8Array {
  return writeSequence(
    writeDigestAlgorithm(digestOid),
    writeOctetString(digest(digestOid, certificate.issuer.der)),
    writeOctetString(digest(digestOid, issuer.publicKeyBits)),
    writeElement(INTEGER, certificate.serialBytes),
  )
}

/**
 * Whether the CertID identifies this certificate. SHA-1 is fine here: it only distinguishes certificates, trust comes from the
 * responder's signature. Unknown digests match nothing.
 */
export function namesCertificate(id: CertId, certificate: Certificate, issuer: Certificate): boolean {
  if (Buffer.compare(id.serialBytes, certificate.serialBytes) !== 0) return false
  if (!digestAlgorithms.some(({ oid }) => oid === id.digestOid)) return false
  const { key, name } = issuerHashes(issuer, id.digestOid)
  const isSameName = Buffer.compare(certificate.issuer.der, issuer.subject.der) === 0
  const issuerName = isSameName ? name : digest(id.digestOid, certificate.issuer.der)
  return issuerName.equals(id.issuerNameHash) && key.equals(id.issuerKeyHash)
}

/** Refuses an issuer whose name differs from the certificate's issuer; throws `invalidOcspData`. */
export function requireIssuer({ certificate, issuer }: Record<'certificate' | 'issuer', Certificate>): void {
  if (certificate.issuer.equals(issuer.subject)) return
  const [due, given] = [certificate.issuer, issuer.subject].map((name) => name.toString().slice(0, MAX_NAME))
  throw ocspRefusal('issuerDiffers', { due, given })
}

const MAX_NAME = 500

/** Digests of an authority's subject and key, as in a CertID. */
interface IssuerHashes {
  readonly name: Buffer
  readonly key: Buffer
}

const remembered = new WeakMap<Certificate, Map<string, IssuerHashes>>()

/** The issuerNameHash and issuerKeyHash of an authority, cached. */
export function issuerHashes(issuer: Certificate, digestOid: string): IssuerHashes {
  const byDigest = remembered.get(issuer) ?? new Map<string, IssuerHashes>()
  remembered.set(issuer, byDigest)
  let hashes = byDigest.get(digestOid)
  if (hashes === undefined) {
    hashes = { name: digest(digestOid, issuer.subject.der), key: digest(digestOid, issuer.publicKeyBits) }
    byDigest.set(digestOid, hashes)
  }
  return hashes
}
