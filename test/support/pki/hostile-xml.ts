import type { Subject } from '@signed-registry/dev-authorities'
import {
  C14N,
  ENVELOPED,
  SHA256,
  signatureTemplate,
  signValue,
  type TemplateOptions,
  type TemplateReference,
} from '../xml/sign-template.js'

const DIGEST = Buffer.alloc(32).toString('base64')
const XSLT = 'http://www.w3.org/TR/1999/REC-xslt-19991116'
const XPATH =
  '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>true()</ds:XPath></ds:Transform>'

/** What a verifier of XML signatures must refuse whoever the signer is: what is wrong, and the Signature element alone. */
export function hostileXml(signer: Subject): ReadonlyMap<string, string> {
  const signed = (options: TemplateOptions) => signValue(signatureTemplate(signer, options), signer)
  const one = (reference: TemplateReference = {}) => signed({ references: [{ digestValue: DIGEST, ...reference }] })
  const honest = one()
  const info = /<ds:SignedInfo>.*<\/ds:SignedInfo>/.exec(honest)?.[0] ?? ''
  const inside = (name: string, text: string) => honest.replace(new RegExp(`<ds:${name}>..`), `$&${text}`)
  return new Map([
    ['a document type', `<!DOCTYPE a>${honest}`],
    ['entities', `<!DOCTYPE a [<!ENTITY e "e">]>${honest.replace('</ds:DigestValue>', '&e;$&')}`],
    ['an entity bomb', `<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>${honest}`],
    ['an external entity', `<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>${honest}`],
    ['an entity that nothing declares', inside('DigestValue', '&e;')],
    ['two SignedInfo', honest.replace(info, info + info)],
    [
      'two SignedInfo, one of them forged',
      honest.replace(info, `${info.replace(DIGEST, DIGEST.replace('A', 'B'))}${info}`),
    ],
    ['no SignedInfo', honest.replace(info, '')],
    ['two signatures', honest + honest],
    [
      'duplicate Ids',
      signed({ references: [{ digestValue: DIGEST }], objects: '<ds:Object Id="o"/><ds:Object Id="o"/>' }),
    ],
    ['a reference to an address', one({ uri: ' URI="http://169.254.169.254/"' })],
    ['a reference to a file', one({ uri: ' URI="file:///etc/passwd"' })],
    ['two references to the document', signed({ references: [{ digestValue: DIGEST }, { digestValue: DIGEST }] })],
    ['an XSLT transform', one({ transforms: [XSLT] })],
    ['an XPath transform', one({ transforms: [XPATH] })],
    ['a transform that nobody knows', one({ transforms: ['urn:x'] })],
    ['two canonicalizations', one({ transforms: [ENVELOPED, C14N, C14N] })],
    [
      'a canonicalization that nobody knows',
      honest.replace(/(<ds:CanonicalizationMethod Algorithm=)"[^"]*"/, '$1"urn:x"'),
    ],
    ['a digest that was changed', honest.replace(DIGEST, Buffer.alloc(32, 1).toString('base64'))],
    ['a digest of another length', honest.replace(DIGEST, 'AAAA')],
    ['a digest by SHA-1', honest.replace(SHA256, 'http://www.w3.org/2000/09/xmldsig#sha1')],
    [
      'an HMAC',
      honest.replace(/(<ds:SignatureMethod Algorithm=)"[^"]*"/, '$1"http://www.w3.org/2000/09/xmldsig#hmac-sha1"'),
    ],
    ['a comment inside DigestValue', inside('DigestValue', '<!-- x -->')],
    ['a comment inside SignatureValue', inside('SignatureValue', '<!-- x -->')],
    ['a comment inside X509Certificate', inside('X509Certificate', '<!-- x -->')],
    ['base64 that is not strict', inside('SignatureValue', '!')],
    ['a signature value that was changed', honest.replace(/(<ds:SignatureValue>)..../, '$1AAAA')],
    ['no certificate', signed({ references: [{ digestValue: DIGEST }], keyInfo: '<ds:KeyName>key</ds:KeyName>' })],
    ['the document around the signature', `<a>${honest}</a>`],
    ['its end cut off', honest.slice(0, -20)],
    [
      'deep nesting',
      honest.replace('</ds:KeyInfo>', `$&<ds:Object>${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}</ds:Object>`),
    ],
    ['text that is no XML', 'not XML'],
  ])
}
