import { DerError } from '../der/reader.js'
import { signatureErrors } from '../errors.js'
import { Certificate } from '../x509/certificate.js'
import { base64Content, elementChildren } from './element-content.js'
import type { XmlElement } from './node.js'
import { DSIG } from './signature-element.js'
import { referencedId } from './signed-content.js'
import { notParsed } from './xml-errors.js'
import type { XmlIds } from './xml-ids.js'

const MAX_CERTIFICATES = 10

/**
 * Certificates in KeyInfo: candidates for the signer and its path. Bare keys identify nobody and are ignored; a
 * RetrievalMethod to X509Data in the same document is followed.
 */
export function readKeyInfo(keyInfo: XmlElement | undefined, ids: XmlIds): Certificate[] {
  const certificates: Certificate[] = []
  for (const child of keyInfo === undefined ? [] : elementChildren(keyInfo)) {
    const data = child.is(DSIG, 'RetrievalMethod') ? retrieved(child, ids) : child
    if (data?.is(DSIG, 'X509Data') !== true) continue
    for (const element of elementChildren(data)) {
      if (element.is(DSIG, 'X509Certificate')) addCertificate(certificates, element)
    }
  }
  return certificates
}

/** Adds the certificate that an element holds in base64, unless it is there already. */
export function addCertificate(certificates: Certificate[], element: XmlElement): void {
  const certificate = parseCertificate(base64Content(element))
  if (certificates.some(({ fingerprint }) => fingerprint === certificate.fingerprint)) return
  if (certificates.length >= MAX_CERTIFICATES) throw notParsed('tooManyCertificates', { most: MAX_CERTIFICATES })
  certificates.push(certificate)
}

function parseCertificate(der: Buffer): Certificate {
  try {
    return Certificate.parse(der)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw signatureErrors.error('badSignerCertificate', { reason: 'certificateNotParsed' }, error)
  }
}

function retrieved(method: XmlElement, ids: XmlIds): XmlElement | undefined {
  const id = referencedId(method.attribute('URI') ?? '')
  const transformed = elementChildren(method).length > 0
  return id === undefined || transformed || method.attribute('Type') !== `${DSIG}X509Data` ? undefined : ids.find(id)
}
