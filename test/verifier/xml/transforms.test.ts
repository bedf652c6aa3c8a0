import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { verifyXmlDocument } from '#verifier/xml/verify-xml-document.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import { inFolder } from '../../support/pki/openssl.js'
import { refusal } from '../../support/xml/refusal.js'
import { DSIG, EXC_C14N, signatureTemplate, signTemplate } from '../../support/xml/sign-template.js'

const XPATH = 'http://www.w3.org/TR/1999/REC-xpath-19991116'
const FILTER_2 = 'http://www.w3.org/2002/06/xmldsig-filter2'
const idiom = (prefix: string, declared = ''): string =>
  `<ds:Transform Algorithm="${XPATH}"><ds:XPath${declared}>not(ancestor-or-self::${prefix}:Signature)</ds:XPath></ds:Transform>`
const filter = (prefix: string, declared = ''): string =>
  `<ds:Transform Algorithm="${FILTER_2}"><f:XPath xmlns:f="${FILTER_2}"${declared} Filter="subtract">/descendant::${prefix}:Signature</f:XPath></ds:Transform>`
const binding = (prefix: string, uri = DSIG): string => ` xmlns:${prefix}="${uri}"`

/** Exclusive C14N of SignedInfo writes no declaration of a prefix that only the text of an XPath uses. */
describe('XPath whose prefix is in its text alone, under exclusive C14N', () => {
  const person = testAuthorities().person({ algorithm: 'p256' })
  const ours = (xml: string): string => refusal(() => verifyXmlDocument(xml))

  function signed(transform: string, root = ''): string {
    const references = [{ transforms: [transform, EXC_C14N] }]
    const template = signatureTemplate(person, { canonicalization: EXC_C14N, references })
    return signTemplate(`<a${root}><b>text</b>${template}</a>`, person)
  }

  const hasXmlsec = spawnSync('xmlsec1', ['--version']).status === 0
  /** What xmlsec1 says of it, where it is installed. */
  const theirs = (xml: string): boolean | undefined =>
    inFolder({ 'document.xml': xml, 'certificate.pem': person.certificatePem }, (folder) => {
      const file = (name: string) => join(folder, name)
      const options = ['--verify', '--pubkey-cert-pem', file('certificate.pem'), file('document.xml')]
      return hasXmlsec ? spawnSync('xmlsec1', options).status === 0 : undefined
    })

  it('is taken where the source declares it, as xmlsec1 does', () => {
    for (const xml of [
      signed(idiom('dsig', binding('dsig'))),
      signed(idiom('dsig'), binding('dsig')),
      signed(idiom('ds')),
      signed(filter('dsig', binding('dsig'))),
    ]) {
      expect(ours(xml)).to.equal('accepted')
      expect(theirs(xml)).to.not.equal(false)
      expect(ours(xml.replace('text', 'test'))).to.equal('invalidSignature digest')
    }
  })

  const refused = 'signatureNotParsed transformNotAllowed'

  it('is refused where the source gives it another meaning, or none', () => {
    const own = signed(idiom('dsig', binding('dsig')))
    const above = signed(idiom('dsig'), binding('dsig'))
    const filtered = signed(filter('dsig', binding('dsig')))
    for (const xml of [
      own.replace(binding('dsig'), binding('dsig', 'urn:other')),
      own.replace(binding('dsig'), ''),
      above.replace(binding('dsig'), binding('dsig', 'urn:other')),
      above.replace('<ds:Signature ', `<ds:Signature${binding('dsig', 'urn:other')} `),
      filtered.replace(binding('dsig'), binding('dsig', 'urn:other')),
    ]) {
      expect(ours(xml)).to.equal(refused)
      expect(theirs(xml)).to.not.equal(true)
    }
  })

  it('is refused where the source contradicts what the canonical form says', () => {
    const redeclared = signed(idiom('ds')).replace('<ds:XPath>', '<ds:XPath xmlns:ds="urn:other">')
    expect(ours(redeclared)).to.not.equal('accepted')
    expect(theirs(redeclared)).to.not.equal(true)
    const template = signatureTemplate(person, {
      canonicalization: EXC_C14N,
      references: [{ transforms: [filter('ds'), EXC_C14N] }],
    })
    const hidden = signTemplate(`<a><b/>${template}</a>`, person).replace(
      `<f:XPath xmlns:f="${FILTER_2}"`,
      `$&${binding('ds', 'urn:other')}`,
    )
    expect(ours(hidden)).to.equal(refused)
    expect(theirs(hidden)).to.not.equal(true)
  })
})
