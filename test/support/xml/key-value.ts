import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { base64Content, elementChildren } from '#verifier/xml/element-content.js'
import type { XmlElement } from '#verifier/xml/node.js'
import { parseXml } from '#verifier/xml/parse-xml.js'
import { DSIG, descendants, elementWithId } from './sign-template.js'

const DSIG11 = 'http://www.w3.org/2009/xmldsig11#'
const CURVES: Readonly<Record<string, readonly [name: string, octets: number]>> = {
  'urn:oid:1.2.840.10045.3.1.7': ['P-256', 32],
  'urn:oid:1.3.132.0.34': ['P-384', 48],
  'urn:oid:1.3.132.0.35': ['P-521', 66],
}

/**
 * SubjectPublicKeyInfo of the bare key that KeyInfo of the first signature gives in one of the `enabled` ways, which
 * have the names that xmlsec1 gives them. The verifier itself never takes a key like this.
 */
export function bareKey(xml: string, enabled: ReadonlySet<string>): Buffer | undefined {
  const document = parseXml(xml)
  const keyInfo = descendants(document.root).find((element) => element.is(DSIG, 'KeyInfo'))
  const sources = keyInfo === undefined ? [] : elementChildren(keyInfo)
  for (const source of sources) {
    const uri = source.attribute('URI') ?? ''
    const target = () => elementWithId(document, uri.slice(1))
    const spki = source.is(DSIG, 'KeyValue')
      ? keyOf(elementChildren(source)[0], enabled)
      : source.is(DSIG, 'RetrievalMethod') && enabled.has('retrieval-method')
        ? keyOf(target(), enabled)
        : source.is(DSIG11, 'KeyInfoReference') && enabled.has('key-info-reference')
          ? keyOf(descendants(target()).find(isKey), enabled)
          : keyOf(source, enabled)
    if (spki !== undefined) return spki
  }
  return undefined
}

const isKey = (element: XmlElement): boolean => element.is(DSIG, 'RSAKeyValue') || element.is(DSIG11, 'ECKeyValue')

function keyOf(element: XmlElement | undefined, enabled: ReadonlySet<string>): Buffer | undefined {
  if (element === undefined) return undefined
  if (element.is(DSIG, 'RSAKeyValue') && enabled.has('rsa')) {
    const [n, e] = elementChildren(element).map((part) => base64Content(part).toString('base64url'))
    if (n === undefined || e === undefined) return undefined
    return spkiOf({ kty: 'RSA', n, e })
  }
  if (element.is(DSIG11, 'ECKeyValue') && enabled.has('ec')) {
    const [curve, point] = elementChildren(element)
    const [crv, octets] = CURVES[curve?.attribute('URI') ?? ''] ?? []
    if (point === undefined || crv === undefined || octets === undefined) return undefined
    const bytes = base64Content(point)
    const coordinate = (from: number) => bytes.subarray(from, from + octets).toString('base64url')
    return spkiOf({ kty: 'EC', crv, x: coordinate(1), y: coordinate(1 + octets) })
  }
  const isDer = element.is(DSIG11, 'DEREncodedKeyValue') && enabled.has('der-encoded-key-value')
  return isDer ? base64Content(element) : undefined
}

const spkiOf = (key: JsonWebKey): Buffer =>
  createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'der' })
