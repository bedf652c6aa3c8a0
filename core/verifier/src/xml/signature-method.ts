import type { DigestAlgorithm } from '../algorithms/digest.js'
import { xmlDigestAlgorithm } from '../algorithms/digest.js'
import type { PssParameters } from '../algorithms/pss-parameters.js'
import { readXmlSignatureScheme } from '../algorithms/xml-signature-scheme.js'
import { signatureErrors } from '../errors.js'
import { elementChildren, textContent } from './element-content.js'
import { ElementSequence } from './element-sequence.js'
import type { XmlElement } from './node.js'
import { DSIG } from './signature-element.js'
import { notParsed } from './xml-errors.js'

const MORE_2007 = 'http://www.w3.org/2007/05/xmldsig-more#'
const MAX_SALT = 1024
const MGF1 = `${MORE_2007}MGF1`

/** SignatureMethod as read, before a key is known. */
export interface XmlSignatureMethod {
  readonly uri: string
  readonly pss: PssParameters | undefined
  readonly digest: DigestAlgorithm
}

/** Reads SignatureMethod; MACs and parameters that the algorithm does not have are refused. */
export function readSignatureMethod(element: XmlElement): XmlSignatureMethod {
  const uri = element.attribute('Algorithm') ?? ''
  if (/#hmac-/i.test(uri)) throw unsupported('hmac', uri)
  const [parameters, ...others] = elementChildren(element)
  if (parameters === undefined) return { uri, pss: undefined, digest: readXmlSignatureScheme(uri, undefined).digest }
  if (others.length > 0 || uri !== `${MORE_2007}rsa-pss` || !parameters.is(MORE_2007, 'RSAPSSParams')) {
    throw unsupported('parameters', uri)
  }
  const pss = readPssParameters(parameters)
  return { uri, pss, digest: pss.digest }
}

/** RSAPSSParams (RFC 9231, 2.3.9): every field has its default, taken from the digest. */
function readPssParameters(element: XmlElement): PssParameters {
  const order = new ElementSequence(element)
  const digestMethod = order.optional(DSIG, 'DigestMethod')
  const maskGeneration = order.optional(MORE_2007, 'MaskGenerationFunction')
  const salt = order.optional(MORE_2007, 'SaltLength')
  const trailer = order.optional(MORE_2007, 'TrailerField')
  order.finish()
  const digest = xmlDigestAlgorithm(digestMethod?.attribute('Algorithm') ?? 'http://www.w3.org/2001/04/xmlenc#sha256')
  const saltLength = salt === undefined ? digest.length : smallNumber(salt)
  if (saltLength > MAX_SALT || (trailer !== undefined && smallNumber(trailer) !== 1))
    throw unsupported('parameters', `${MORE_2007}rsa-pss`)
  return {
    digest,
    mgfDigest: maskGeneration === undefined ? digest : readMgfDigest(maskGeneration, digest),
    saltLength,
  }
}

function readMgfDigest(element: XmlElement, digest: DigestAlgorithm): DigestAlgorithm {
  const uri = element.attribute('Algorithm') ?? MGF1
  if (uri !== MGF1) throw unsupported('maskGenerationFunction', uri)
  const order = new ElementSequence(element)
  const method = order.optional(DSIG, 'DigestMethod')
  order.finish()
  return method === undefined ? digest : xmlDigestAlgorithm(method.attribute('Algorithm') ?? '')
}

function smallNumber(element: XmlElement): number {
  const text = textContent(element).trim()
  if (!/^[0-9]{1,5}$/.test(text)) throw notParsed('pssParameters')
  return Number(text)
}

const unsupported = (reason: string, uri: string) =>
  signatureErrors.error('signatureAlgorithmNotSupported', { reason, uri })
