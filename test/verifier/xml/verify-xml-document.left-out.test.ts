import { expect } from 'chai'
import { verify } from '#verifier/verify.js'
import { Crl } from '#verifier/x509/crl.js'
import { readXmlSignatures, verifyXmlSignatures } from '#verifier/xml/verify-xml-document.js'
import { NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { XADES } from '../../support/xml/counter-sign.js'
import { refusal } from '../../support/xml/refusal.js'
import {
  C14N,
  DSIG,
  ENVELOPED,
  EXC_C14N,
  signatureTemplate,
  signTemplate,
  type TemplateReference,
} from '../../support/xml/sign-template.js'

const FILTER_2 = 'http://www.w3.org/2002/06/xmldsig-filter2'
const XPATH = 'http://www.w3.org/TR/1999/REC-xpath-19991116'
const IDIOM = `<ds:Transform Algorithm="${XPATH}"><ds:XPath>not(ancestor-or-self::ds:Signature)</ds:XPath></ds:Transform>`
const FILTER = `<ds:Transform Algorithm="${FILTER_2}"><f:XPath xmlns:f="${FILTER_2}" Filter="subtract">/descendant::ds:Signature</f:XPath></ds:Transform>`

/** Whatever stands in a ds:Signature that another one leaves out is not signed by that one. */
describe('XML signature that leaves others out', () => {
  const authorities = testAuthorities({ clock: testClock() })
  const crls = [Crl.parse(authorities.crl('ecdsa')), Crl.parse(authorities.crl('rsa'))]
  const trust = { ...trustOf(authorities), crls }
  const person = authorities.person({ algorithm: 'p256' })
  const other = authorities.person({ algorithm: 'p256' })

  interface Adding {
    readonly by?: typeof person
    readonly transform?: string
    readonly references?: readonly TemplateReference[]
    readonly objects?: string
  }

  /** Adds a XAdES signature as DSS writes it: over the document without signatures, and its own SignedProperties. */
  function add(xml: string, id: string, adding: Adding = {}): string {
    const { by = person, transform = IDIOM, references = [], objects = '' } = adding
    const properties =
      `<ds:Object><xades:QualifyingProperties xmlns:xades="${XADES}" Target="#${id}"><xades:SignedProperties Id="p-${id}">` +
      '<xades:SignedSignatureProperties/></xades:SignedProperties></xades:QualifyingProperties></ds:Object>'
    const template = signatureTemplate(by, {
      id,
      canonicalization: EXC_C14N,
      references: [
        { transforms: [transform, EXC_C14N] },
        { uri: ` URI="#p-${id}"`, type: 'http://uri.etsi.org/01903#SignedProperties', transforms: [EXC_C14N] },
        ...references,
      ],
      objects: properties + objects,
    })
    return signTemplate(xml.replace(/<\/a>$/, `${template}</a>`), by)
  }

  const beside = (xml: string, signature: string): string => xml.replace(/<\/a>$/, `${signature}</a>`)
  const one = add('<a><b>pay 1</b></a>', 's')
  const covers = (xml: string): string[] =>
    readXmlSignatures(xml, { covers: 'element' }).map((read) => {
      let said = ''
      const refused = refusal(() => {
        said = read().covers
      })
      return said === '' ? refused : said
    })

  for (const [name, transform] of [
    ['the XPath idiom', IDIOM],
    ['XPath Filter 2.0', FILTER],
  ] as const) {
    it(`is over the document beside others that hold, by ${name}`, () => {
      const two = add(add('<a><b>pay 1</b></a>', 's', { transform }), 't', { by: other, transform })
      expect(covers(two)).to.deep.equal(['document', 'document'])
      expect(verify(two, { trust, at: NOW }).valid).to.equal(true)
      expect(refusal(() => verifyXmlSignatures(two))).to.equal('accepted')
    })

    it(`is over a part beside a signature of a stranger with content, by ${name}`, () => {
      const honest = add('<a><b>pay 1</b></a>', 's', { transform })
      const stranger = `<ds:Signature xmlns:ds="${DSIG}"><ds:Object><b>pay 1000</b></ds:Object></ds:Signature>`
      const forged = beside(honest, stranger)
      expect(covers(forged)).to.deep.equal(['element', 'signatureNotParsed signedInfoMissing'])
      expect(refusal(() => verifyXmlSignatures(forged))).to.equal('invalidSignature coversElement')
      const [verdict] = verify(forged, { trust, at: NOW }).signatures
      expect(verdict).to.include({ indication: 'INDETERMINATE', subIndication: 'SIG_CONSTRAINTS_FAILURE' })
      const [part] = verify(forged, { trust, at: NOW, covers: 'element' }).signatures
      expect(part).to.include({ indication: 'TOTAL-PASSED', covers: 'element' })
      expect(String(part?.signedBytes)).to.equal('<a><b>pay 1</b></a>')
    })
  }

  it('is over a part beside one whose value is wrong, whatever that one holds', () => {
    const two = add(one, 't', { by: other })
    const [head = '', tail = ''] = two.split('<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Id="t">')
    const broken = `${head}<ds:Signature xmlns:ds="${DSIG}" Id="t">${tail.replace(/(<ds:SignatureValue>)..../, '$1AAAA')}`
    expect(covers(broken)).to.deep.equal(['element', 'invalidSignature signatureValue'])
  })

  describe('looks at the Objects of those that hold', () => {
    const fake = '<ds:Object Id="o"><b>pay 1000</b></ds:Object>'
    const overFake = { uri: ' URI="#o"', transforms: [EXC_C14N] }

    it('and refuses what is nobody’s', () => {
      for (const object of [fake, '<ds:Object>pay 1000</ds:Object>'])
        expect(covers(add(one, 't', { by: other, objects: object }))).to.deep.equal(['element', 'document'])
      const later = add(one, 't', { by: other })
      const within = later.replace(/(Target="#t".*<\/xades:QualifyingProperties>)/, '$1<b>pay 1000</b>')
      expect(covers(within)).to.deep.equal(['element', 'document'])
      const first = later.replace('</xades:QualifyingProperties></ds:Object>', `$&${fake}`)
      expect(covers(first)).to.deep.equal(['document', 'element'])
    })

    it('and takes what their signers signed with the document', () => {
      expect(covers(add(one, 't', { by: other, objects: fake, references: [overFake] }))).to.deep.equal([
        'document',
        'document',
      ])
      const child = fake.replace(' Id="o"', '').replace('<b>', '<b Id="o">')
      expect(covers(add(one, 't', { by: other, objects: child, references: [overFake] }))).to.deep.equal([
        'document',
        'document',
      ])
    })

    it('but nothing that is signed without the document', () => {
      const enveloping = signTemplate(
        beside(one, signatureTemplate(other, { id: 't', references: [overFake], objects: fake })),
        other,
      )
      expect(covers(enveloping)).to.deep.equal(['element', 'element'])
      const ofKey = signatureTemplate(other, { references: [{ uri: ' URI="#b"' }] })
      const part = signTemplate(beside(add('<a><b Id="b">pay 1</b></a>', 's'), ofKey), other)
      expect(covers(part)).to.deep.equal(['document', 'element'])
    })
  })

  it('is over a part where one that was added later brought content along', () => {
    const enveloped = (xml: string, by: typeof person, objects = ''): string =>
      signTemplate(beside(xml, signatureTemplate(by, { references: [{ transforms: [ENVELOPED, C14N] }], objects })), by)
    const first = enveloped('<a><b>pay 1</b></a>', person)
    expect(covers(enveloped(first, other))).to.deep.equal(['document', 'document'])
    expect(covers(enveloped(first, other, '<ds:Object><b>pay 1000</b></ds:Object>'))).to.deep.equal([
      'element',
      'document',
    ])
  })
})
