import type { DigestAlgorithm } from '../algorithms/digest.js'
import type { AlgorithmPolicy } from '../algorithms/policy.js'
import { signatureErrors } from '../errors.js'
import type { Certificate } from '../x509/certificate.js'
import { base64Content, textContent } from './element-content.js'
import { ElementSequence } from './element-sequence.js'
import { matchesIssuerSerial, nameMatches } from './issuer-serial.js'
import type { XmlElement } from './node.js'
import { propertiesNamed, type QualifyingProperties } from './qualifying-properties.js'
import { readDigestMethod, readDigestValue } from './reference.js'
import { DSIG } from './signature-element.js'
import { notParsed } from './xml-errors.js'

const MAX_REFERENCES = 20

interface CertificateReference {
  readonly digest: DigestAlgorithm
  readonly value: Buffer
  readonly issuerMatches: (certificate: Certificate) => boolean
}

/**
 * The candidates that the signed property SigningCertificate or SigningCertificateV2 (EN 319 132-1, 5.2.2) names: all
 * of them where it is absent. Throws `badSignerCertificate` when none is named, or one is named by its hash under
 * another issuer or serial number.
 */
export function namedBySigningCertificate(
  candidates: readonly Certificate[],
  properties: QualifyingProperties | undefined,
  policy: AlgorithmPolicy,
  at: number,
): { readonly candidates: readonly Certificate[]; readonly named: boolean } {
  const names = ['SigningCertificate', 'SigningCertificateV2']
  const found = propertiesNamed(properties?.signed, 'SignedSignatureProperties', names)
  const [property, ...others] = found
  if (property === undefined) return { candidates, named: false }
  if (others.length > 0) throw notParsed('severalSigningCertificates')
  const references = readReferences(property, policy, at)
  const named = candidates.filter((candidate) =>
    references.some(({ digest, value, issuerMatches }) => {
      if (!digest.create().update(candidate.der).digest().equals(value)) return false
      if (issuerMatches(candidate)) return true
      throw signatureErrors.error('badSignerCertificate', { reason: 'signingCertificateIssuer' })
    }),
  )
  if (named.length === 0) throw signatureErrors.error('badSignerCertificate', { reason: 'signingCertificate' })
  return { candidates: named, named: true }
}

function readReferences(property: XmlElement, policy: AlgorithmPolicy, at: number): CertificateReference[] {
  const { namespace } = property
  const order = new ElementSequence(property)
  const certificates = order.all(namespace, 'Cert', MAX_REFERENCES)
  order.finish()
  return certificates.map((element) => {
    const fields = new ElementSequence(element)
    const { digest, value } = readCertDigest(fields.required(namespace, 'CertDigest'), policy, at)
    const issuerMatches =
      property.localName === 'SigningCertificate'
        ? readIssuerSerial(fields.required(namespace, 'IssuerSerial'))
        : readIssuerSerialV2(fields.optional(namespace, 'IssuerSerialV2'))
    fields.finish()
    return { digest, value, issuerMatches }
  })
}

/** CertDigest; XAdES 1.1.1 and 1.2.2 have its fields in their own namespace, later ones in that of XMLDSig. */
function readCertDigest(element: XmlElement, policy: AlgorithmPolicy, at: number) {
  const order = new ElementSequence(element)
  const field = (name: string): XmlElement => order.optional(element.namespace, name) ?? order.required(DSIG, name)
  const digest = readDigestMethod(field('DigestMethod'), policy, at)
  const value = readDigestValue(field('DigestValue'), digest)
  order.finish()
  return { digest, value }
}

function readIssuerSerial(element: XmlElement): CertificateReference['issuerMatches'] {
  const order = new ElementSequence(element)
  const name = textContent(order.required(DSIG, 'X509IssuerName'))
  const serial = textContent(order.required(DSIG, 'X509SerialNumber')).trim()
  order.finish()
  if (!/^-?[0-9]{1,160}$/.test(serial)) throw notParsed('serialNumber')
  const number = BigInt(serial)
  return ({ issuer, serialBytes }) =>
    BigInt.asIntN(serialBytes.length * 8, BigInt(`0x${Buffer.from(serialBytes).toString('hex')}`)) === number &&
    nameMatches(name, issuer)
}

function readIssuerSerialV2(element: XmlElement | undefined): CertificateReference['issuerMatches'] {
  if (element === undefined) return () => true
  const der = base64Content(element)
  return (certificate) => matchesIssuerSerial(der, certificate)
}
