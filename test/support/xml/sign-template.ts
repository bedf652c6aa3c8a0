import { createHash } from 'node:crypto'
import type { Subject } from '@signed-registry/dev-authorities'
import { DEFAULT_CANONICALIZATION, readCanonicalization } from '#verifier/xml/canonicalization-method.js'
import { canonicalize } from '#verifier/xml/canonicalize.js'
import { elementChildren } from '#verifier/xml/element-content.js'
import { type XmlDocument, XmlElement } from '#verifier/xml/node.js'
import { parseXml } from '#verifier/xml/parse-xml.js'
import { readTransforms } from '#verifier/xml/transforms.js'

export const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
export const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
export const EXC_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const ENVELOPED = `${DSIG}enveloped-signature`
export const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'

export interface TemplateReference {
  /** The whole URI attribute, such as ` URI=""`. */
  readonly uri?: string
  readonly type?: string
  /** Transform algorithms, or whole Transform elements. */
  readonly transforms?: readonly string[]
  /** Value to write instead of the right one. */
  readonly digestValue?: string
}

export interface TemplateOptions {
  readonly references?: readonly TemplateReference[]
  readonly canonicalization?: string
  readonly method?: string
  readonly id?: string
  /** Identifier of the SignatureValue, for counter-signatures. */
  readonly valueId?: string
  readonly keyInfo?: string
  /** Object elements. */
  readonly objects?: string
}

/** An unsigned ds:Signature: the values are empty where `signTemplate` has to fill them in. */
export function signatureTemplate(subject: Subject, options: TemplateOptions = {}): string {
  const references = options.references ?? [{ uri: ' URI=""', transforms: [ENVELOPED, C14N] }]
  const keyInfo = options.keyInfo ?? x509Data(subject)
  const method = options.method ?? subject.key.xmlMethod('sha256')
  return (
    `<ds:Signature xmlns:ds="${DSIG}"${options.id === undefined ? '' : ` Id="${options.id}"`}><ds:SignedInfo>` +
    `<ds:CanonicalizationMethod Algorithm="${options.canonicalization ?? C14N}"/><ds:SignatureMethod Algorithm="${method}"/>` +
    `${references.map(referenceTemplate).join('')}</ds:SignedInfo>` +
    `<ds:SignatureValue${options.valueId === undefined ? '' : ` Id="${options.valueId}"`}></ds:SignatureValue>` +
    `<ds:KeyInfo>${keyInfo}</ds:KeyInfo>${options.objects ?? ''}</ds:Signature>`
  )
}

export const x509Data = (...subjects: readonly Subject[]): string =>
  `<ds:X509Data>${subjects
    .map(({ certificate }) => `<ds:X509Certificate>${certificate.toString('base64')}</ds:X509Certificate>`)
    .join('')}</ds:X509Data>`

function referenceTemplate({ uri = ' URI=""', type, transforms = [], digestValue = '' }: TemplateReference): string {
  const written = transforms.map((transform) =>
    transform.startsWith('<') ? transform : `<ds:Transform Algorithm="${transform}"/>`,
  )
  const list = written.length === 0 ? '' : `<ds:Transforms>${written.join('')}</ds:Transforms>`
  return (
    `<ds:Reference${uri}${type === undefined ? '' : ` Type="${type}"`}>${list}<ds:DigestMethod Algorithm="${SHA256}"/>` +
    `<ds:DigestValue>${digestValue}</ds:DigestValue></ds:Reference>`
  )
}

/** Fills in the empty DigestValues and SignatureValues of a document, one after another, as a signer would. */
export function signTemplate(template: string, subject: Subject): string {
  let text = template
  for (;;) {
    const document = parseXml(text)
    const reference = descendants(document.root).find(
      (element) =>
        element.is(DSIG, 'Reference') &&
        elementChildren(element).some((child) => child.is(DSIG, 'DigestValue') && child.children.length === 0),
    )
    if (reference === undefined) break
    const value = createHash('sha256').update(referenced(document, reference)).digest('base64')
    const filled = text.replace('<ds:DigestValue></ds:DigestValue>', `<ds:DigestValue>${value}</ds:DigestValue>`)
    if (filled === text) throw new TypeError('an empty DigestValue is written otherwise')
    text = filled
  }
  return signValue(text, subject)
}

/** Fills in the first empty SignatureValue. */
export function signValue(text: string, subject: Subject): string {
  const info = descendants(parseXml(text).root).find((element) => {
    if (!element.is(DSIG, 'SignedInfo') || element.parent === undefined) return false
    const [, value] = elementChildren(element.parent)
    return value?.is(DSIG, 'SignatureValue') === true && value.children.length === 0
  })
  const [method] = info === undefined ? [] : elementChildren(info)
  if (info === undefined || method === undefined) throw new TypeError('nothing to sign')
  const bytes = canonicalize(info, readCanonicalization(method))
  const value = subject.key.signXml(bytes, 'sha256').toString('base64')
  return text.replace(/(<ds:SignatureValue(?: Id="[^"]*")?>)(?=<\/ds:SignatureValue>)/, `$1${value}`)
}

function referenced(document: XmlDocument, reference: XmlElement): Buffer {
  const uri = reference.attribute('URI') ?? ''
  const [first] = elementChildren(reference)
  const transforms = readTransforms(first?.is(DSIG, 'Transforms') === true ? first : undefined)
  const own = reference.parent?.parent
  const apex = uri === '' || uri === '#xpointer(/)' ? document : elementWithId(document, idOf(uri))
  const method = transforms.canonicalization ?? DEFAULT_CANONICALIZATION
  return canonicalize(
    apex,
    { ...method, withComments: method.withComments && uri.includes('xpointer') },
    (element) =>
      (transforms.enveloped && element === own) || (transforms.withoutSignatures && element.is(DSIG, 'Signature')),
  )
}

const idOf = (uri: string): string => /^#xpointer\(id\('(.*)'\)\)$/.exec(uri)?.[1] ?? uri.slice(1)

export function elementWithId({ root }: XmlDocument, id: string): XmlElement {
  const found = descendants(root).find((element) => element.attributes.some(({ value }) => value === id))
  if (found === undefined) throw new TypeError(`no element with identifier ${id}`)
  return found
}

export function descendants(element: XmlElement): XmlElement[] {
  return [element, ...element.children.flatMap((child) => (child instanceof XmlElement ? descendants(child) : []))]
}
