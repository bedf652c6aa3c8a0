import { contextConstructed, ENUMERATED, fieldsOf, OCTET_STRING, only } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { contents, DerError, encoded, readDer, readElement } from '../der/reader.js'
import { signatureErrors } from '../errors.js'
import type { Certificate } from '../x509/certificate.js'
import { DEFAULT_CANONICALIZATION, readCanonicalization } from './canonicalization-method.js'
import { canonicalize } from './canonicalize.js'
import { base64Content, elementChildren } from './element-content.js'
import { addCertificate } from './key-info.js'
import type { XmlElement } from './node.js'
import { propertiesNamed, type QualifyingProperties } from './qualifying-properties.js'
import { DSIG, type SignatureElement } from './signature-element.js'

const GROUP = 'UnsignedSignatureProperties'
const BASIC_OCSP = '1.3.6.1.5.5.7.48.1.1'

/** A SignatureTimeStamp with the bytes that it must be over (EN 319 132-1, 5.3). */
export interface EmbeddedTimeStamp {
  readonly token: Uint8Array
  readonly imprinted: Uint8Array
}

/** The one signature time stamp, if there is one; several, or one of another form, throw `invalidTspTimeStamp`. */
export function readTimeStamp(
  properties: QualifyingProperties | undefined,
  { signatureValue }: SignatureElement,
): EmbeddedTimeStamp | undefined {
  const [property, ...others] = propertiesNamed(properties?.unsigned, GROUP, ['SignatureTimeStamp'])
  if (property === undefined) return undefined
  if (others.length > 0) throw badTimeStamp('severalTimeStamps')
  let method = DEFAULT_CANONICALIZATION
  const tokens: XmlElement[] = []
  for (const child of elementChildren(property)) {
    if (child.is(DSIG, 'CanonicalizationMethod')) method = readCanonicalization(child)
    else if (child.is(property.namespace, 'EncapsulatedTimeStamp')) tokens.push(child)
    else throw badTimeStamp('timeStampForm')
  }
  const [token] = tokens
  if (token === undefined || tokens.length > 1) throw badTimeStamp('severalTimeStamps')
  if (!inDer(token)) throw badTimeStamp('timeStampForm')
  return { token: base64Content(token), imprinted: canonicalize(signatureValue, method) }
}

/** Each BasicOCSPResponse in RevocationValues; more than so many throw `invalidOcspData`. */
export function readOcsp(properties: QualifyingProperties | undefined, most: number): readonly Uint8Array[] {
  const values = propertiesNamed(properties?.unsigned, GROUP, ['RevocationValues'])
    .flatMap((property) => elementChildren(property))
    .filter((child) => child.is(properties?.namespace ?? '', 'OCSPValues'))
    .flatMap((child) => elementChildren(child))
  if (values.length > most) throw badOcsp('severalAnswers')
  const isAnswer = (value: XmlElement) => value.is(properties?.namespace ?? '', 'EncapsulatedOCSPValue') && inDer(value)
  if (!values.every(isAnswer)) throw badOcsp('answerForm')
  try {
    return values.map((value) => basicResponse(base64Content(value)))
  } catch (error) {
    if (error instanceof DerError) throw badOcsp('answerForm', error)
    throw error
  }
}

/** Adds the certificates of CertificateValues, which may help to build paths. */
export function addCertificateValues(certificates: Certificate[], properties: QualifyingProperties | undefined): void {
  for (const property of propertiesNamed(properties?.unsigned, GROUP, ['CertificateValues'])) {
    for (const child of elementChildren(property)) {
      if (child.is(property.namespace, 'EncapsulatedX509Certificate')) addCertificate(certificates, child)
    }
  }
}

/** Takes an OCSPResponse out of its envelope (RFC 6960, 4.2.1); a bare BasicOCSPResponse stays as it is. */
function basicResponse(der: Buffer): Uint8Array {
  const outer = readDer(der)
  if (readElement(der, outer.content, outer.end).tag !== ENUMERATED) return der
  const fields = fieldsOf(outer)
  const status = contents(fields.take(ENUMERATED))
  if (status.length !== 1 || status[0] !== 0) throw new DerError('OCSP answer is not a success')
  const bytes = fieldsOf(only(fields.take(contextConstructed(0))))
  fields.finish()
  if (readOid(bytes.any()) !== BASIC_OCSP) throw new DerError('OCSP answer is of another type')
  const basic = contents(bytes.take(OCTET_STRING))
  bytes.finish()
  return encoded(readDer(basic))
}

/** EncapsulatedPKIDataType: the encoding is DER unless it says otherwise. */
const inDer = (element: XmlElement): boolean =>
  /^(?:http:\/\/uri\.etsi\.org\/01903\/v1\.[0-9]\.[0-9]#DER)?$/.test(element.attribute('Encoding') ?? '')

const badTimeStamp = (reason: string) => signatureErrors.error('invalidTspTimeStamp', { reason })
const badOcsp = (reason: string, cause?: unknown) => signatureErrors.error('invalidOcspData', { reason }, cause)
